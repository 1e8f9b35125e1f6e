import type { Clock } from '../core/agent/ports.ts'
import { interruptionsIn } from '../core/journal/interruptions.ts'
import type { Entry } from '../core/journal/journal.ts'

/** Interruptions without progress after which a run is a suspect. */
const SUSPECT_AFTER = 3
/** Interval between two looks whether a suspect has made progress. */
const LOOK_MS = 1000
/** Time after which the next suspect begins, however slow this one is. */
const MOST_ALONE_MS = 600_000

/** Whether the process of a run may have died because of the run, not of another one beside it. */
export const isSuspect = (entries: readonly Entry[]): boolean =>
  interruptionsIn(entries) + 1 >= SUSPECT_AFTER

/**
 * Lets the suspects of a process work one after the other, each until it makes progress. When a process dies, all of
 * its runs are interrupted, and its journal cannot tell which one ended it. A suspect that is innocent makes progress
 * in its turn, so that only the guilty one is interrupted until it is given up.
 */
export class Suspects {
  readonly #clock: Clock
  readonly #waiting: ((mayBegin: boolean) => void)[] = []
  #isTaken = false
  #isClosed = false

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /**
   * Performs work in its turn, which ends with the work, or when the run has made progress.
   * @returns `undefined` if it did not begin, since the process stops
   */
  async inTurn<Result>(
    isCleared: () => Promise<boolean>,
    work: () => Promise<Result>,
  ): Promise<Result | undefined> {
    if (!(await this.#take())) return undefined
    const over = this.#endOnce(isCleared)
    try {
      return await work()
    } finally {
      over()
    }
  }

  /** Starts no further run: the process stops. */
  close(): void {
    this.#isClosed = true
    for (const begin of this.#waiting.splice(0)) begin(false)
  }

  #take(): Promise<boolean> {
    if (this.#isClosed) return Promise.resolve(false)
    if (this.#isTaken) return new Promise((resolve) => this.#waiting.push(resolve))
    this.#isTaken = true
    return Promise.resolve(true)
  }

  #next(): void {
    const begin = this.#waiting.shift()
    if (begin === undefined) this.#isTaken = false
    else begin(true)
  }

  /** @returns ends the turn; a turn that has ended stays so */
  #endOnce(isCleared: () => Promise<boolean>): () => void {
    const until = this.#clock.now() + MOST_ALONE_MS
    let isOver = false
    let forget: (() => void) | undefined
    const end = (): void => {
      if (isOver) return
      isOver = true
      forget?.()
      this.#next()
    }
    const look = async (): Promise<void> => {
      const isEnough = this.#clock.now() >= until || (await isCleared().catch(() => false))
      if (isEnough) end()
      if (!isOver) forget = this.#clock.after(LOOK_MS, () => void look())
    }
    forget = this.#clock.after(LOOK_MS, () => void look())
    return end
  }
}
