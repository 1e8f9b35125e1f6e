import type { Json } from '../value/json.ts'

/** A run that an engine is to perform. */
export interface RunOrder {
  /** The id of the run, and its idempotency key: an engine performs a run once, however often it is ordered. */
  readonly run: string
  /** The input of the performer. It is stored until the run begins, so do not put keys here. */
  readonly task: Json
  /** Runs of one session are performed one after the other, in the order of their starts. */
  readonly session?: string
  /** Whose limits apply. */
  readonly principal?: string
}

/**
 * How a leg of a run ended: the work from its begin, or from a resume, until it waits or ends. An engine
 * stores no more than this; the state of a run is in its journal.
 */
export type LegEnd =
  | { readonly type: 'ended' }
  | {
      readonly type: 'waiting'
      /** When it continues without an answer, in milliseconds since the epoch; `null` for never. */
      readonly wakeAt: number | null
    }
  /** It cannot be performed, such as for an invalid input. */
  | { readonly type: 'failed'; readonly reason: string }

/** Port: performs the legs of runs for an engine. */
export interface Performer {
  /**
   * Begins a run. Contract: if it rejects, nothing was begun or the run can be resumed from its journal.
   * An engine may call it again for a run of which an earlier process died.
   */
  begin(order: RunOrder): Promise<LegEnd>
  /** Resumes a run of the journal. Contract: a run that has ended, or is not due, is left as it is. */
  resume(run: string): Promise<LegEnd>
  /** Suspends the runs at work between two steps, so that their legs end soon. */
  release(): void
}

/**
 * Where a run is. `scheduled`: its time has not come. `queued`: a leg waits for a slot. `working`: a process
 * performs a leg. `waiting`: it holds nothing and waits for an answer or a time. `ended`: it is finished or
 * canceled. `failed`: it cannot be performed.
 */
export type RunPlace = (
  | { readonly type: 'scheduled' | 'queued' | 'working' | 'waiting' | 'ended' }
  | { readonly type: 'failed'; readonly reason: string }
) & {
  /** The order of a run that has no journal yet, if the engine keeps it. */
  readonly order?: RunOrder
}

export interface RunAnswer {
  readonly request: string
  readonly reply: Json
  /** The person who answered, if known. */
  readonly by?: string
}

/**
 * Port: performs runs, in this process or on other machines, within limits. Contract: a run is performed
 * once, by one process at a time; a run that waits holds no slot. `engineContract` tests it.
 */
export interface Engine {
  /** Orders a run. A run that was ordered before is left as it is. */
  start(order: RunOrder): Promise<void>
  /** Orders a run for a time, in milliseconds since the epoch. */
  schedule(order: RunOrder, at: number): Promise<void>
  /**
   * Records an answer and lets the run continue. The first answer counts.
   * @throws EchelonError UNKNOWN_RUN, UNKNOWN_REQUEST, INVALID_INPUT
   */
  answer(run: string, answer: RunAnswer): Promise<void>
  /**
   * Cancels a run wherever it is; one that has not begun never begins.
   * @returns false if it had ended already
   * @throws EchelonError UNKNOWN_RUN
   */
  cancel(run: string, by?: 'user' | 'shutdown'): Promise<boolean>
  /** @returns `undefined` for an unknown run */
  status(run: string): Promise<RunPlace | undefined>
  /** Lets go of its runs, and waits until all have left this process. */
  close(): Promise<void>
}
