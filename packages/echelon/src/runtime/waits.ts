import { EchelonError } from '../core/value/error.ts'
import type { Clock } from '../core/agent/ports.ts'
import { timestampIn } from '../core/value/timestamp.ts'

/** When a run is suspended. */
export interface Suspend {
  /**
   * A run that only waits, for a person or for a time, is suspended after this time, in milliseconds.
   * 0 suspends at once.
   */
  readonly afterMs: number
}

/** A wait of a run. */
export interface Wait {
  /** Id of the request whose reply it waits for; `undefined` if it waits only for a time. */
  readonly request?: string
  /** When it ends without a reply, in milliseconds since the epoch; infinite for never. */
  readonly until: number
}

/** The activity of the rest of the run. */
export interface RunActivity {
  readonly runId: string
  readonly clock: Clock
  readonly timeZone: string
  /** Whether no work and no journal write is in flight. */
  readonly isQuiet: boolean
  /** When the last work ended, if any did. */
  readonly workEndedAt: number | undefined
  /** Stops the run's journal: later writes fail with this error. */
  suspend(error: EchelonError): void
}

/** Shortest interval of checks while a run both waits and works, in milliseconds. */
const LEAST_LOOK_MS = 1000

/**
 * Tracks the waits of a tree of runs. Once nothing but waits is in flight, it suspends the run; a
 * resumed run waits again.
 */
export class Waits {
  readonly #run: RunActivity
  readonly #open = new Map<Wait, (error: EchelonError) => void>()
  #afterMs: number | undefined
  /** Number of operations that must not be suspended: an act in flight, a question within a call. */
  #held = 0
  #isWanted = false
  /** When it last began to wait for something. */
  #since = 0
  #forget: (() => void) | undefined
  #left: Left | undefined

  /**
   * @param suspend `undefined` for a run that always waits in its process
   * @throws EchelonError INVALID_CONFIG for an invalid `afterMs`
   */
  constructor(run: RunActivity, suspend: Suspend | undefined) {
    this.#run = run
    this.#afterMs = suspend && checked(suspend.afterMs)
  }

  /** How the run was suspended; `undefined` if it was not. */
  get left(): Left | undefined {
    return this.#left
  }

  /** Whether the run should be suspended as soon as possible. */
  get isWanted(): boolean {
    return this.#isWanted
  }

  /** Whether it may be suspended at all. */
  get maySuspend(): boolean {
    return this.#afterMs !== undefined
  }

  /** Suspends the run as soon as nothing is in flight. */
  want(): void {
    this.#isWanted = true
    this.#afterMs = 0
    this.lookSoon()
  }

  /** Checks soon whether a wanted suspension is now possible. */
  lookSoon(): void {
    if (!this.#isWanted || this.#open.size === 0) return
    this.#stopLooking()
    this.#lookIn(0)
  }

  /** Prevents suspension until the matching `release`. */
  hold(): void {
    this.#held++
  }

  release(): void {
    this.#held--
    this.#since = this.#run.clock.now()
    this.lookSoon()
  }

  /**
   * Registers a wait until `over` settles.
   * @throws EchelonError RUN_SUSPENDED when the run is suspended
   */
  async until<Value>(wait: Wait, over: Promise<Value>): Promise<Value> {
    if (this.#left !== undefined) throw this.#left.error
    const left = new Promise<never>((_resolve, reject) => this.#open.set(wait, reject))
    this.#since = this.#run.clock.now()
    if (this.#afterMs !== undefined) this.#lookIn(this.#afterMs)
    try {
      return await Promise.race([over, left])
    } finally {
      this.#open.delete(wait)
      if (this.#open.size === 0) this.#stopLooking()
    }
  }

  /** Suspends the run now, whatever it waits for. @returns the error for `result` */
  leave(): EchelonError {
    const waits = [...this.#open.keys()]
    const requests = waits.flatMap(({ request }) => request ?? [])
    const until = Math.min(...waits.map((wait) => wait.until))
    // A run that waits for nothing is suspended between two steps and can continue at once.
    const wakeAt = waits.length === 0 ? this.#run.clock.now() : until
    const left = leftWith(this.#run, requests, wakeAt <= LAST_MOMENT ? wakeAt : null)
    this.#left = left
    this.#stopLooking()
    this.#run.suspend(left.error)
    for (const giveUp of this.#open.values()) giveUp(left.error)
    return left.error
  }

  /** Checks in a later turn of the event loop, after the code behind settled promises has run. */
  #lookIn(ms: number): void {
    if (ms === Infinity) return
    this.#forget ??= this.#run.clock.after(ms, () => {
      this.#forget = undefined
      this.#look()
    })
  }

  #look(): void {
    const { clock, isQuiet, workEndedAt = 0 } = this.#run
    const afterMs = this.#afterMs
    if (this.#open.size === 0 || afterMs === undefined) return
    if (!isQuiet || this.#held > 0) return this.#lookIn(Math.max(afterMs, LEAST_LOOK_MS))
    const leftMs = Math.max(this.#since, workEndedAt) + afterMs - clock.now()
    if (leftMs > 0 && !this.#isWanted) this.#lookIn(leftMs)
    else this.leave()
  }

  #stopLooking(): void {
    this.#forget?.()
    this.#forget = undefined
  }
}

function checked(afterMs: number): number {
  if (afterMs >= 0) return afterMs
  throw new EchelonError(
    'INVALID_CONFIG',
    `suspend.afterMs is ${afterMs}; give milliseconds from 0 on, or leave suspend out to wait in the process`,
  )
}

/** How a run was suspended. */
export interface Left {
  readonly error: EchelonError
  readonly requests: readonly string[]
  readonly wakeAt: number | null
}

/** The latest time that a `Date` can hold, in milliseconds since the epoch. */
const LAST_MOMENT = 8.64e15

function leftWith(
  { runId: run, timeZone }: RunActivity,
  requests: readonly string[],
  wakeAt: number | null,
): Left {
  const time = wakeAt === null ? [] : [timestampIn(timeZone, wakeAt)]
  const awaited = [...requests.map((id) => `an answer to ${id}`), ...time].join(', or ')
  const message = `the run ${run} is suspended and waits for ${awaited}; record an answer, or resume the run, to continue it`
  const details = { run, requests, wakeAt }
  return { error: new EchelonError('RUN_SUSPENDED', message, { details }), requests, wakeAt }
}
