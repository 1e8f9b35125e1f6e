import type { Layer } from './core/middleware.ts'

export type {
  AgentDefinition,
  Actor,
  Actors,
  Meter,
  Moved,
  Note,
  StartContext,
} from './core/agent.ts'
export type { Amounts } from './core/budget.ts'
export type { EffectOf } from './core/capability.ts'
export { condensed, entriesIn } from './core/condensed.ts'
export type { Effect, Finish } from './core/effect.ts'
export type { RunEvent } from './core/event.ts'
export { forkedEntries, type ForkPoint } from './core/forked-entries.ts'
export type { Entry, Journal, Started } from './core/journal.ts'
export { isJson, isJsonObject, type Json, type JsonObject } from './core/json.ts'
export type { Layer } from './core/middleware.ts'
export { describeFailure } from './core/model-failed.ts'
export type { Observation } from './core/observation.ts'
export { byPhase, type Phases } from './core/phases.ts'
export type { Clock, Ids, MemoryStore } from './core/ports.ts'
export { recordedStates } from './core/recorded-states.ts'
export type { Problem, ProblemCode } from './core/problem.ts'
export { createRedactor, DEFAULT_REDACTION, type RedactionPolicy } from './core/redaction.ts'
export {
  changesToEvents,
  checkRefusals,
  containerOf,
  type Reconciled,
  reconcile,
  signatureOf,
  type StateChange,
} from './core/state-container.ts'
export type { AnyDefinition, StateHolder } from './core/state-holder.ts'
export { migration } from './core/state-migration.ts'
export type { StateContainer, StateSlot, StateSpec } from './core/state.ts'
export { type Message, systemMessage, Thread, userMessage } from './core/thread.ts'
export { systemClock, systemTimeZone } from './host/clock.ts'
export { systemIds } from './host/ids.ts'
export {
  type AgentCheck,
  type Checkpoint,
  type Examined,
  examineCheckpoint,
} from './runtime/examine.ts'
export { forkRun, type ForkRunOptions } from './runtime/fork-run.ts'
export type { RunEnd } from './runtime/loop.ts'
export { readRun } from './runtime/read-run.ts'
export { listSteps, type RecordedRequest, type RecordedStep } from './runtime/recorded-steps.ts'
export { replayRun, type ReplayOptions, stateAt } from './runtime/replay.ts'
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
export { ToolRegistry, type ToolRules } from './runtime/tool-registry.ts'
export { artifactFolder } from './stores/artifact-folder.ts'
export { MemoryJournal } from './stores/memory-journal.ts'

/** The middleware that comes with Echelon, each as it is by default; loaded when it is asked for. */
export async function builtInLayers(): Promise<readonly Layer[]> {
  const [{ builtInLayers: all }, { skills }] = await Promise.all([
    import('./middleware/built-in.ts'),
    import('./skills/skills.ts'),
  ])
  return [...all(), skills([])]
}
