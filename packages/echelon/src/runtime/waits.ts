import { EchelonError } from '../core/value/error.ts'
import type { Clock } from '../core/agent/ports.ts'
import { timestampIn } from '../core/value/timestamp.ts'

/** When a run lets go of its process. */
export interface Suspend {
  /**
   * How long nothing must be under way but waits for people or for a time, in milliseconds. 0 for at
   * once.
   */
  readonly afterMs: number
}

/** What a run waits for. */
export interface Wait {
  /** Whose answer it is; nothing where only time must pass. */
  readonly request?: string
  /** When it is over without one, in milliseconds since the epoch; infinite where it is not. */
  readonly until: number
}

/** What the rest of the run tells. */
export interface Whereabouts {
  readonly runId: string
  readonly clock: Clock
  readonly timeZone: string
  /** Whether nothing works and nothing is being written. */
  readonly isQuiet: boolean
  /** When the last work ended, if any did. */
  readonly workEndedAt: number | undefined
  /** Nothing is done from here on, and whatever tries to is told so. */
  letGo(error: EchelonError): void
}

/** A run that waits beside work is looked at no more often than this by itself, in milliseconds. */
const LEAST_LOOK_MS = 1000

/**
 * What a tree of runs waits for, and when it stops waiting here: where nothing is under way any more
 * but such waits, they are left, and whoever resumes the run waits again.
 */
export class Waits {
  readonly #run: Whereabouts
  readonly #open = new Map<Wait, (error: EchelonError) => void>()
  #afterMs: number | undefined
  /** Of what must not be left: an act under way, a question within a call. */
  #held = 0
  #isWanted = false
  /** When it last began to wait for something. */
  #since = 0
  #forget: (() => void) | undefined
  #left: Left | undefined

  /**
   * @param suspend nothing for a run that waits in its process, however long
   * @throws EchelonError INVALID_CONFIG for a time that is none
   */
  constructor(run: Whereabouts, suspend: Suspend | undefined) {
    this.#run = run
    this.#afterMs = suspend && checked(suspend.afterMs)
  }

  /** How the run was left; nothing while it was not. */
  get left(): Left | undefined {
    return this.#left
  }

  /** Whether the run is to be left at the next moment. */
  get isWanted(): boolean {
    return this.#isWanted
  }

  /** Whether it may be left at all. */
  get maySuspend(): boolean {
    return this.#afterMs !== undefined
  }

  /** Leaves the run as soon as nothing is under way. */
  want(): void {
    this.#isWanted = true
    this.#afterMs = 0
    this.lookSoon()
  }

  /** Something is over: where the run is to be left, this may be the moment. */
  lookSoon(): void {
    if (!this.#isWanted || this.#open.size === 0) return
    this.#stopLooking()
    this.#lookIn(0)
  }

  /** Work that must not be left begins; each beginning has its `release`. */
  hold(): void {
    this.#held++
  }

  release(): void {
    this.#held--
    this.#since = this.#run.clock.now()
    this.lookSoon()
  }

  /**
   * Waits.
   * @throws EchelonError RUN_SUSPENDED when the run is left
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

  /** Leaves the run now, whatever it waits for. @returns what it ends with here */
  leave(): EchelonError {
    const waits = [...this.#open.keys()]
    const requests = waits.flatMap(({ request }) => request ?? [])
    const until = Math.min(...waits.map((wait) => wait.until))
    // One that waits for nothing is left between two steps, and goes on as soon as somebody takes it up.
    const wakeAt = waits.length === 0 ? this.#run.clock.now() : until
    const left = leftWith(this.#run, requests, wakeAt <= LAST_MOMENT ? wakeAt : null)
    this.#left = left
    this.#stopLooking()
    this.#run.letGo(left.error)
    for (const giveUp of this.#open.values()) giveUp(left.error)
    return left.error
  }

  /** In a turn of the clock of its own: what has just settled has gone on by then. */
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

/** How a run was left. */
export interface Left {
  readonly error: EchelonError
  readonly requests: readonly string[]
  readonly wakeAt: number | null
}

/** The last moment that a date can be, in milliseconds since the epoch. */
const LAST_MOMENT = 8.64e15

function leftWith(
  { runId: run, timeZone }: Whereabouts,
  requests: readonly string[],
  wakeAt: number | null,
): Left {
  const time = wakeAt === null ? [] : [timestampIn(timeZone, wakeAt)]
  const awaited = [...requests.map((id) => `an answer to ${id}`), ...time].join(', or ')
  const message = `the run ${run} waits on record for ${awaited}, and is over in this process; put an answer on record, or resume the run, and it goes on`
  const details = { run, requests, wakeAt }
  return { error: new EchelonError('RUN_SUSPENDED', message, { details }), requests, wakeAt }
}
