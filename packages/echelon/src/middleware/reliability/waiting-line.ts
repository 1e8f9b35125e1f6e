import { pause } from '../../core/value/abortable.ts'
import type { Clock } from '../../core/agent/ports.ts'
import type { Admitted, RateWindow } from './rate-window.ts'

/** How long somebody is ready to wait. */
export interface Waiting {
  readonly clock: Clock
  /** Milliseconds. */
  readonly ms: number
  readonly signal: AbortSignal
  /** Hears that it has to wait, and how many are before it. */
  readonly onWait: (ahead: number) => void
}

/** What became of it: admitted, given up by its signal, or too long a wait. */
export type Admission =
  | { readonly type: 'admitted'; readonly admitted: Admitted }
  | { readonly type: 'aborted' }
  /** Milliseconds until the first of the line may go. */
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

/** Those who wait for a window, first come, first served. */
export class WaitingLine {
  readonly #window: RateWindow
  readonly #tickets: Ticket[] = []
  #underWay = 0

  constructor(window: RateWindow) {
    this.#window = window
  }

  /** Waits its turn, in the order of the calls of this. */
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
          // Several may be let in at once, and those in front have to be awake first.
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
   * What an admitted call took, if it was made: where that is less than was thought, the next may go
   * earlier.
   */
  settle(admitted: Admitted, tokens: number | undefined): void {
    this.#underWay--
    this.#window.settle(admitted, tokens)
    this.#tickets[0]?.wake()
  }

  isIdle(now: number): boolean {
    return this.#underWay === 0 && this.#tickets.length === 0 && this.#window.isIdle(now)
  }

  /** All who may go now, whoever noticed first: nobody is late for want of being woken. */
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

  /** The first knows how long it takes, unless a call under way gives tokens back. */
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
