export { isolate, TURN_AND_WORK_MS } from '../host/isolate.ts'
