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
export type { Effect, Finish } from './core/effect.ts'
export type { RunEvent } from './core/event.ts'
export type { Entry, Journal } from './core/journal.ts'
export type { Json, JsonObject } from './core/json.ts'
export type { Observation } from './core/observation.ts'
export { byPhase, type Phases } from './core/phases.ts'
export type { Clock, Ids, MemoryStore } from './core/ports.ts'
export { createRedactor, DEFAULT_REDACTION, type RedactionPolicy } from './core/redaction.ts'
export { type Message, systemMessage, Thread, userMessage } from './core/thread.ts'
export { systemClock, systemTimeZone } from './host/clock.ts'
export { systemIds } from './host/ids.ts'
export type { RunEnd } from './runtime/loop.ts'
export { replayRun } from './runtime/replay.ts'
export { resumeRun } from './runtime/resume.ts'
export { Run, type RunOptions, startRun } from './runtime/run.ts'
export type { Services } from './runtime/services.ts'
export { ToolRegistry, type ToolRules } from './runtime/tool-registry.ts'
export { artifactFolder } from './stores/artifact-folder.ts'
export { MemoryJournal } from './stores/memory-journal.ts'
