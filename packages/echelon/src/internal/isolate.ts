export { isolate, TURN_AND_WORK_MS } from '../platform/isolate.ts'
