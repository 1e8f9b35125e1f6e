import type { JsonObject } from '../value/json.ts'

/** The run of a record. */
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
  /** The user's text. Recorders keep its digest, never the text. */
  readonly input: string
  /** The settings in force as JSON; only their digest is kept. */
  readonly settings: object
  /** Whether this process resumes a run that was started before. */
  readonly resumed: boolean
}

/** Something that the system did within a run. Redacted. */
export interface RunActed extends OfRun {
  readonly type: 'run-acted'
  /** The actor, such as `planner`. */
  readonly actor: string
  readonly action: string
  readonly details: JsonObject
}

/** The usage of one model of the cascade, or of one that its verifiers ask. */
export interface RungUsage {
  /** `small`, `big` or `opinion`. */
  readonly tier: string
  readonly model: string
  /** Attempts. */
  readonly llmCalls: number
  readonly promptTokens: number
  readonly completionTokens: number
  /** US dollars of the calls whose price is known. */
  readonly knownCost: number
  readonly unpricedCalls: number
  /** Calls without a plausible reported usage, which are charged at their worst case. */
  readonly assumedCalls?: number
}

/**
 * The end of a run, or of its work in a process, with its total usage, including that before a resume:
 * of several records the last counts. Without the usage that a fork inherits.
 */
export interface RunEnded extends OfRun {
  readonly type: 'run-ended'
  readonly agent: string
  readonly mode: string
  /** As in the result; `failed` for a run that could not continue, `suspended` for one that was suspended. */
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

/** A run that was requested but not started, or not resumed because another process works on it. */
export interface RunRefused {
  readonly type: 'run-refused'
  readonly ts: string
  readonly agent: string
  /** Of the error, whose message may contain the user's text. */
  readonly code: string
}

/** A record about a run. */
export type RunRecord = RunStarted | RunActed | RunEnded | RunRefused

/**
 * Port: keeps records of runs.
 * Contract: receives each run's records in order, as they happen; keeps no user text; must not throw,
 * since a run does not end because its records cannot be kept. `recorderContract` tests it.
 */
export interface Recorder {
  record(record: RunRecord): void
}
