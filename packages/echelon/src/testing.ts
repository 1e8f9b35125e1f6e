export { recordedModel } from './compose/recorded-model.ts'
export {
  artifactIndexContract,
  type ArtifactIndexTrial,
} from './testing/contract/store/artifact-index-contract.ts'
export {
  artifactStoreContract,
  type ArtifactStoreTrial,
} from './testing/contract/store/artifact-store-contract.ts'
export {
  auditStoreContract,
  type AuditStoreTrial,
} from './testing/contract/store/audit-store-contract.ts'
export {
  cacheContract,
  type CacheTrial,
  type LastingCache,
} from './testing/contract/store/cache-contract.ts'
export { checkStateShapes, type CheckStateShapesOptions } from './testing/check-state-shapes.ts'
export { clockContract, type ClockTrial } from './testing/contract/clock-contract.ts'
export type { ContractCase } from './testing/contract.ts'
export {
  documentReaderContract,
  type DocumentReaderTrial,
} from './testing/contract/document-reader-contract.ts'
export { embedderContract } from './testing/contract/embedder-contract.ts'
export {
  dynamicMemoryStoreContract,
  type LastingNotes,
} from './testing/contract/store/dynamic-memory-store-contract.ts'
export { engineContract, type EngineTrial } from './testing/contract/engine-contract.ts'
export {
  eventStoreContract,
  type EventStoreTrial,
} from './testing/contract/store/event-store-contract.ts'
export { explore, type Exploration } from './testing/explore.ts'
export type { Explored, ExploredStep, Possible } from './testing/explore/explored.ts'
export type { ExploreOptions } from './testing/explore/explore-options.ts'
export { type Finding, SOUND, type TraceStep } from './testing/explore/finding.ts'
export type { PossibleAnswer, PossibleObservations } from './testing/explore/possible.ts'
export { idsContract } from './testing/contract/ids-contract.ts'
export { journalContract, type JournalTrial } from './testing/contract/store/journal-contract.ts'
export { type LocalModelServer, startModelServer } from './testing/local-model-server.ts'
export {
  type LastingMemories,
  memoryStoreContract,
} from './testing/contract/store/memory-store-contract.ts'
export { middlewareContract, type MiddlewareTrial } from './testing/contract/middleware-contract.ts'
export {
  failed,
  generated,
  modelCall,
  type TestRun,
  testRun,
  type TestRunOptions,
} from './testing/middleware-run.ts'
export { modelContract, type ModelTrial } from './testing/contract/model-contract.ts'
export {
  modelSourceContract,
  type ModelSourceToTry,
  type ModelSourceTrial,
} from './testing/contract/model-source-contract.ts'
export { providerContract, type ProviderTrial } from './testing/contract/provider-contract.ts'
export type { RecordedModel, RecordedModelOptions } from './testing/recorded-model.ts'
export { recorderContract, type RecorderTrial } from './testing/contract/recorder-contract.ts'
export { redactorContract, type RedactorTrial } from './testing/contract/redactor-contract.ts'
export {
  resultStoreContract,
  type ResultStoreTrial,
} from './testing/contract/store/result-store-contract.ts'
export {
  runStoreContract,
  type RunStoreTrial,
} from './testing/contract/store/run-store-contract.ts'
export {
  apiError,
  type ApiErrorOptions,
  asBound,
  type OtherContent,
  promptText,
  type ScriptedAnswer,
  type ScriptedFailure,
  type ScriptedModel,
  scriptedModel,
  type ScriptedModelOptions,
  type ScriptedReply,
  type ScriptedToolCall,
  type ScriptedUsage,
} from './testing/scripted-model.ts'
export {
  sessionStoreContract,
  type SessionStoreTrial,
} from './testing/contract/store/session-store-contract.ts'
export { SetClock } from './testing/set-clock.ts'
export { sharedStatesContract } from './testing/contract/shared-states-contract.ts'
export {
  type LastingKnowledge,
  staticMemoryStoreContract,
} from './testing/contract/store/static-memory-store-contract.ts'
export { storeContract, type StoreTrial } from './testing/contract/store/store-contract.ts'
export { toolContract, type ToolTrial } from './testing/contract/tool-contract.ts'
export { verifierContract, type VerifierTrial } from './testing/contract/verifier-contract.ts'
export type {
  ServerAnswer,
  ServerFault,
  ServerReply,
  ServerStatus,
  ServerUsage,
} from './testing/wire/script.ts'
