export { offline } from './provider.ts'
export { readSecond } from './second-reading.ts'
