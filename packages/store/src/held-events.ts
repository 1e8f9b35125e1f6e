import type { Listener } from 'echelon/internal/agent'
import type { Clock, RunEvent } from 'echelon/runtime'
import { keepingListener } from './kept-event.ts'

/** Time that events are held back to be written in one batch, in milliseconds. */
const HELD_MS = 50

/** A batch of this size is written at once. */
const BATCH = 100

/** Limit on events that wait for a store that cannot be written. The oldest are dropped. */
const MOST_HELD = 10_000

/** An event that waits to be written. */
export interface HeldEvent {
  readonly run: string
  readonly at: number
  readonly event: RunEvent
}

/** Holds events back, so that a store writes them in batches and no run waits for it. */
export class HeldEvents {
  readonly listener: Listener = keepingListener((event, run) => this.#hear(event, run))
  readonly #clock: Clock
  readonly #write: () => void
  #held: HeldEvent[] = []
  /** Forgets the timer of the next write. */
  #forget: (() => void) | undefined
  #isSoon = false
  #isClosed = false

  /** @param write writes what `take` returns. It must not throw. */
  constructor(clock: Clock, write: () => void) {
    this.#clock = clock
    this.#write = write
  }

  /** Takes all events out, oldest first, to write them. */
  take(): readonly HeldEvent[] {
    const held = this.#held
    this.#held = []
    this.#isSoon = false
    this.#forget?.()
    this.#forget = undefined
    return held
  }

  /** Puts events back that could not be written, before those that came meanwhile. */
  putBack(held: readonly HeldEvent[], pauses = 0): void {
    this.#held = [...held, ...this.#held].slice(-MOST_HELD)
    this.#writeLater(HELD_MS * 2 ** pauses)
  }

  /** Drops what is held, and takes no more. */
  close(): void {
    this.#isClosed = true
    this.take()
  }

  #hear(event: RunEvent, run: string): void {
    if (this.#isClosed) return
    this.#held.push({ run, at: this.#clock.now(), event })
    if (this.#held.length > MOST_HELD) this.#held.shift()
    if (this.#held.length >= BATCH || event.type === 'run-end') this.#writeSoon()
    else this.#writeLater(HELD_MS)
  }

  /** Writes after the emitter of the event is done. */
  #writeSoon(): void {
    if (this.#isSoon) return
    this.#isSoon = true
    setImmediate(this.#write)
  }

  #writeLater(afterMs: number): void {
    this.#forget ??= this.#clock.after(afterMs, () => {
      this.#forget = undefined
      this.#write()
    })
  }
}
