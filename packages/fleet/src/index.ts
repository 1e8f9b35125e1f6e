export { connectFleet, type FleetEngine, type FleetOptions } from './engine/fleet-engine.ts'
export type { FleetLimits, PrincipalLimits, Rate } from './limits.ts'
export type { FleetLog } from './logger.ts'
export { startWorker, type Worker, type WorkerOptions } from './worker/worker.ts'
