import type { JsonObject } from '../value/json.ts'

/** Which run a record is about. */
interface OfRun {
  /** ISO 8601 with the zone's offset. */
  readonly ts: string
  readonly runId: string
  readonly taskId: string
}

export interface RunStarted extends OfRun {
  readonly type: 'run-started'
  readonly agent: string
  readonly mode: string
  /** Cheapest first, as `provider/model`. */
  readonly models: readonly string[]
  /** The user's text. Whoever keeps records keeps a digest of it, never the text. */
  readonly input: string
  /** The settings in force, as JSON can hold them: a digest of them is kept. */
  readonly settings: object
  /** Whether the run was begun before, and this process goes on with it. */
  readonly resumed: boolean
}

/** Something that the system did within a run. Redacted. */
export interface RunActed extends OfRun {
  readonly type: 'run-acted'
  /** Who did it, such as `planner`. */
  readonly actor: string
  readonly action: string
  readonly details: JsonObject
}

/** What one model of the ladder took. */
export interface RungUsage {
  /** `small` or `big`. */
  readonly tier: string
  readonly model: string
  /** Attempts on the wire. */
  readonly llmCalls: number
  readonly promptTokens: number
  readonly completionTokens: number
  /** US dollars of the calls whose price is known. */
  readonly knownCost: number
  readonly unpricedCalls: number
  /** Calls that reported no usage that can be true: they are charged at their worst case. */
  readonly assumedCalls?: number
}

/**
 * The end of a run, or of its work in a process, with all that it took, also what it took before it
 * was resumed: of several the last counts. Not what a fork took over.
 */
export interface RunEnded extends OfRun {
  readonly type: 'run-ended'
  readonly agent: string
  readonly mode: string
  /** As in the result; `failed` for a run that could not go on, `suspended` for one that was left. */
  readonly finishReason: string
  /** The limit that ended the run, if one did. */
  readonly limit: string | null
  readonly verified: boolean
  /** Working time. */
  readonly seconds: number
  readonly toolCalls: number
  readonly actSteps: number
  readonly rungs: readonly RungUsage[]
  readonly artifacts: readonly {
    readonly name: string
    readonly bytes: number
    readonly sha256: string
  }[]
}

/** A run that was asked for and not begun, or not gone on with since somebody else works on it. */
export interface RunRefused {
  readonly type: 'run-refused'
  readonly ts: string
  readonly agent: string
  /** Of the error; its message may hold what the user wrote. */
  readonly code: string
}

/** What is told of runs to whoever keeps records of them. */
export type RunRecord = RunStarted | RunActed | RunEnded | RunRefused

/**
 * Port: who keeps records of runs.
 * Contract: hears of each run, in order, while it happens; keeps no text of the user; must not
 * throw, since a run does not end because its records cannot be kept. `recorderContract` tests it.
 */
export interface Recorder {
  record(record: RunRecord): void
}
