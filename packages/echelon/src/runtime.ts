export type {
  AgentDefinition,
  Actor,
  Actors,
  Meter,
  Moved,
  Note,
  StartContext,
} from './core/agent/agent.ts'
export type { Amounts } from './core/agent/budget.ts'
export { EchelonError, type ErrorCode } from './core/value/error.ts'
export type { EffectOf } from './core/agent/capability.ts'
export { condensed, entriesIn } from './core/journal/condensed.ts'
export type {
  Engine,
  LegEnd,
  Performer,
  RunAnswer,
  RunOrder,
  RunPlace,
} from './core/engine/engine.ts'
export type { Effect, Finish } from './core/agent/effect.ts'
export type { RunEvent } from './core/agent/event.ts'
export { forkedEntries, type ForkPoint } from './core/journal/forked-entries.ts'
export type { Entry, Journal, Started } from './core/journal/journal.ts'
export { isJson, isJsonObject, type Json, type JsonObject } from './core/value/json.ts'
export type { Middleware } from './core/extension/defined-middleware.ts'
export { describeFailure } from './core/model/model-failed.ts'
export type { Observation } from './core/agent/observation.ts'
export { byPhase, type Phases } from './core/agent/phases.ts'
export type { Clock, Ids, MemoryStore } from './core/agent/ports.ts'
export { recordedStates } from './core/journal/journaled-states.ts'
export type { Problem, ProblemCode } from './core/model/problem.ts'
export {
  createRedactor,
  DEFAULT_REDACTION,
  type RedactionPolicy,
} from './core/redaction/redaction.ts'
export {
  changesToEvents,
  checkRefusals,
  containerOf,
  type Reconciled,
  reconcile,
  signatureOf,
  type StateChange,
} from './core/state/state-container.ts'
export type { AnyDefinition, StateHolder } from './core/agent/state-holder.ts'
export { migration } from './core/state/state-migration.ts'
export type { StateContainer, StateSlot, StateSpec } from './core/state/state.ts'
export { type Message, systemMessage, Thread, userMessage } from './core/message/thread.ts'
export { systemClock, systemTimeZone } from './platform/clock.ts'
export { systemIds } from './platform/ids.ts'
export {
  type AgentCheck,
  type Checkpoint,
  type Examined,
  examineCheckpoint,
} from './runtime/journal/examine.ts'
export { type EmbeddedEngineOptions, startEngine } from './runtime/engine/embedded-engine.ts'
export { forkRun, type ForkRunOptions } from './runtime/journal/fork-run.ts'
export type { RunEnd } from './runtime/loop.ts'
export { readRun } from './runtime/journal/read-run.ts'
export {
  listSteps,
  type RecordedRequest,
  type RecordedStep,
} from './runtime/journal/journaled-steps.ts'
export { replayRun, type ReplayOptions, stateAt } from './runtime/journal/replay.ts'
export { resumeRun } from './runtime/resume.ts'
export { Run, type RunOptions, startRun } from './runtime/run.ts'
export {
  type Host,
  type HostOptions,
  type ResumedRun,
  type Resumes,
  startHost,
} from './runtime/run-host.ts'
export type { Services } from './runtime/services.ts'
export type { Suspend } from './runtime/waits.ts'
export { ToolRegistry, type ToolRules } from './runtime/tools/tool-registry.ts'
export { MemoryJournal } from './runtime/journal/memory-journal.ts'
export { artifactFolder } from './platform/measured-artifacts.ts'
export type { Wall, WallMode } from './platform/wall/wall.ts'
export { setWall, wallHere } from './platform/wall/wall-here.ts'
export { builtInMiddleware } from './compose/built-in-middleware.ts'
