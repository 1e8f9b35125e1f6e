export { checkStateShapes, type CheckStateShapesOptions } from './testing/check-state-shapes.ts'
export { cacheContract, type CacheTrial } from './testing/cache-contract.ts'
export type { ContractCase } from './testing/contract.ts'
export {
  apiError,
  asBound,
  type ScriptedAnswer,
  type ScriptedModel,
  scriptedModel,
} from './testing/scripted-model.ts'
export { type LocalModelServer, startModelServer } from './testing/local-model-server.ts'
export type {
  ServerAnswer,
  ServerFault,
  ServerReply,
  ServerStatus,
  ServerUsage,
} from './testing/wire/script.ts'
export {
  failed,
  generated,
  modelCall,
  type TestHost,
  testHost,
  type TestHostOptions,
} from './testing/middleware-host.ts'
export { SetClock } from './testing/set-clock.ts'
