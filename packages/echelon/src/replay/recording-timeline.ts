import type { Clock } from '../core/agent/ports.ts'
import type { RunLine } from './line.ts'
import { Numbered, type Timeline } from './timeline.ts'

/** An arrival that waits for its turn. */
interface Incoming {
  readonly lineAt: (at: number) => RunLine
  readonly deliver: () => void
}

/** The timeline of a recorded run: real time, read at each arrival. */
export class RecordingTimeline implements Timeline {
  readonly #clock: Clock
  readonly #write: (line: RunLine) => void
  readonly #names = new Numbered()
  readonly #incoming: Incoming[] = []
  #now = 0
  /** Whether the last arrival is still being processed. */
  #isOpen = false
  #isTurning = false

  constructor(clock: Clock, write: (line: RunLine) => void) {
    this.#clock = clock
    this.#write = write
  }

  now(): number {
    if (!this.#isOpen) this.#open((at) => ({ kind: 'time', at }))
    return this.#now
  }

  numbered(name: string): string {
    return this.#names.next(name)
  }

  settle<Value>(key: string, work: Promise<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      const lineAt = (at: number): RunLine => ({ kind: 'event', key, at })
      work.then(
        (value) => this.occur(lineAt, () => resolve(value)),
        (error: unknown) => this.occur(lineAt, () => reject(error)),
      )
    })
  }

  after(ms: number, callback: () => void): () => void {
    const key = this.numbered(`timer ${ms}`)
    let isForgotten = false
    const forget = this.#clock.after(ms, () => {
      if (isForgotten) return
      this.occur(
        (at) => ({ kind: 'event', key, at }),
        () => {
          if (!isForgotten) callback()
        },
      )
    })
    return () => {
      isForgotten = true
      forget()
    }
  }

  /** Queues an arrival; it is written and delivered when the earlier ones have been processed. */
  occur(lineAt: Incoming['lineAt'], deliver: () => void): void {
    this.#incoming.push({ lineAt, deliver })
    this.#schedule()
  }

  /** Records an external action on the run, at this moment. */
  act(lineAt: Incoming['lineAt']): void {
    if (this.#isOpen) this.#write(lineAt(this.#now))
    else this.#open(lineAt)
  }

  /** Writes a line that has no time of its own. */
  write(line: RunLine): void {
    this.#write(line)
  }

  /** The real clock, for code outside the run. */
  real(): number {
    return this.#clock.now()
  }

  #open(lineAt: Incoming['lineAt']): void {
    this.#now = this.#clock.now()
    this.#isOpen = true
    this.#write(lineAt(this.#now))
    this.#schedule()
  }

  #schedule(): void {
    if (this.#isTurning) return
    this.#isTurning = true
    setImmediate(() => this.#turn())
  }

  #turn(): void {
    this.#isTurning = false
    this.#isOpen = false
    const next = this.#incoming.shift()
    if (next === undefined) return
    this.#open(next.lineAt)
    next.deliver()
  }
}
