export { EchelonError } from './core/error.ts'
