import type { ArtifactStore } from './core/artifact.ts'
import type { Layer } from './core/middleware.ts'
import {
  artifactFolder as folderOf,
  type ArtifactFolderOptions,
  type MeasureImage,
} from './stores/artifact-folder.ts'

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
export { EchelonError, type ErrorCode } from './core/error.ts'
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
export { MemoryJournal } from './stores/memory-journal.ts'

/**
 * Artifacts as private files (0600) of one folder. A folder that is made here is private, too
 * (0700); one that was there keeps its mode.
 *
 * A file is called as asked plus twelve digits of its content's SHA-256, `plot-3f29a1c04b7e.png`:
 * files of concurrent runs never overwrite each other, and the same content is one file.
 *
 * `write` fails with PATH_TRAVERSAL, INVALID_FILE_TYPE or FILE_TOO_LARGE before anything is
 * written, and with TOOL_ERROR when the disk does not take the file; nothing is left behind.
 * Size and ink of a PNG need the package pngjs; they are measured in a process of its own.
 * @throws EchelonError INVALID_CONFIG for a limit that is not above 0 or an extension without dot
 */
export const artifactFolder = (options: ArtifactFolderOptions): ArtifactStore =>
  folderOf(options, measureImage)

/** In a process of its own, which starts with the first image. */
const measureImage: MeasureImage = async (file) =>
  (await import('./tools/image.ts')).measureImage(file)

/** The middleware that comes with Echelon, each as it is by default; loaded when it is asked for. */
export async function builtInLayers(): Promise<readonly Layer[]> {
  const [{ builtInLayers: all }, { skills }] = await Promise.all([
    import('./middleware/built-in.ts'),
    import('./skills/skills.ts'),
  ])
  return [...all(), skills([])]
}
