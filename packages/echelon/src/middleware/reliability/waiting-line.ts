import { pause } from '../../core/value/abortable.ts'
import type { Clock } from '../../core/agent/ports.ts'
import type { Admitted, RateWindow } from './rate-window.ts'

/** Maximum wait of a call. */
export interface Waiting {
  readonly clock: Clock
  /** Milliseconds. */
  readonly ms: number
  readonly signal: AbortSignal
  /** Receives that it has to wait, and the number of calls before it. */
  readonly onWait: (ahead: number) => void
}

/** Its outcome: admitted, aborted by its signal, or a wait that is too long. */
export type Admission =
  | { readonly type: 'admitted'; readonly admitted: Admitted }
  | { readonly type: 'aborted' }
  /** Milliseconds until the first in line may go. */
  | { readonly type: 'late'; readonly waitMs: number }

interface Ticket {
  readonly tokens: number
  readonly signal: AbortSignal
  admitted: Admitted | undefined
  /** Ends its pause. */
  wake: () => void
  /** Settles when it has left the line. */
  readonly left: Promise<void>
  readonly leave: () => void
}

function ticketFor(tokens: number, signal: AbortSignal): Ticket {
  const { promise: left, resolve: leave } = Promise.withResolvers<void>()
  return { tokens, signal, admitted: undefined, wake: () => undefined, left, leave }
}

/** Calls that wait for a window, first come, first served. */
export class WaitingLine {
  readonly #window: RateWindow
  readonly #tickets: Ticket[] = []
  #underWay = 0

  constructor(window: RateWindow) {
    this.#window = window
  }

  /** Waits its turn, in the order of the calls of this method. */
  async enter(tokens: number, waiting: Waiting): Promise<Admission> {
    const { clock, signal } = waiting
    const deadline = clock.now() + waiting.ms
    const ticket = ticketFor(tokens, signal)
    const before = this.#tickets.at(-1)
    this.#tickets.push(ticket)
    try {
      for (let isNew = true; ; isNew = false) {
        const now = clock.now()
        this.#admitAll(now)
        if (ticket.admitted !== undefined) {
          // Several may be admitted at once, and those in front must wake up first.
          await before?.left
          return { type: 'admitted', admitted: ticket.admitted }
        }
        if (signal.aborted) return { type: 'aborted' }
        const place = this.#tickets.indexOf(ticket)
        const left = deadline - now
        const wait = place === 0 ? this.#window.waitFor(tokens, now) : Infinity
        if (left <= 0 || this.#isHopeless(wait, left)) {
          const [first = ticket] = this.#tickets
          return { type: 'late', waitMs: this.#window.waitFor(first.tokens, now) }
        }
        if (isNew) waiting.onWait(place)
        await this.#sleep(ticket, Math.min(wait, left), waiting)
      }
    } finally {
      this.#leave(ticket)
    }
  }

  /**
   * Sets the actual usage of an admitted call, if it was made: if it is less than estimated, the next call
   * may go earlier.
   */
  settle(admitted: Admitted, tokens: number | undefined): void {
    this.#underWay--
    this.#window.settle(admitted, tokens)
    this.#tickets[0]?.wake()
  }

  isIdle(now: number): boolean {
    return this.#underWay === 0 && this.#tickets.length === 0 && this.#window.isIdle(now)
  }

  /** Admits every call that may start now, so that no call depends on its own timer. */
  #admitAll(now: number): void {
    for (let [first] = this.#tickets; first !== undefined; [first] = this.#tickets) {
      if (!first.signal.aborted) {
        if (this.#window.waitFor(first.tokens, now) > 0) return
        first.admitted = this.#window.admit(first.tokens, now)
        this.#underWay++
      }
      this.#tickets.shift()
      first.wake()
    }
  }

  #leave(ticket: Ticket): void {
    const place = this.#tickets.indexOf(ticket)
    if (place >= 0) this.#tickets.splice(place, 1)
    ticket.leave()
    this.#tickets[0]?.wake()
  }

  /** The first in line knows its wait, unless a running call gives tokens back. */
  #isHopeless(wait: number, left: number): boolean {
    return Number.isFinite(wait) && wait > left && this.#underWay === 0
  }

  async #sleep(ticket: Ticket, ms: number, { clock, signal }: Waiting): Promise<void> {
    const woken = new AbortController()
    ticket.wake = () => woken.abort()
    await pause(clock, ms, AbortSignal.any([signal, woken.signal]))
    ticket.wake = () => undefined
  }
}
