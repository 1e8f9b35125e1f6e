import { pause } from '../core/abortable.ts'
import type { Clock } from '../core/ports.ts'
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
export type Turn =
  | { readonly type: 'admitted'; readonly admitted: Admitted }
  | { readonly type: 'aborted' }
  /** Milliseconds until the first of the line may go. */
  | { readonly type: 'late'; readonly waitMs: number }

interface Ticket {
  /** Ends its pause: it came first, or room was made. */
  wake: () => void
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
  async enter(tokens: number, waiting: Waiting): Promise<Turn> {
    const { clock, signal } = waiting
    const deadline = clock.now() + waiting.ms
    const ticket: Ticket = { wake: () => undefined }
    this.#tickets.push(ticket)
    try {
      for (let isNew = true; ; isNew = false) {
        if (signal.aborted) return { type: 'aborted' }
        const now = clock.now()
        const wait = this.#waitOf(ticket, tokens, now)
        if (wait === 0) return this.#admit(tokens, now)
        const left = deadline - now
        if (left <= 0 || this.#isHopeless(wait, left)) {
          return { type: 'late', waitMs: this.#window.waitFor(tokens, now) }
        }
        if (isNew) waiting.onWait(this.#tickets.length - 1)
        await this.#sleep(ticket, Math.min(wait, left), waiting)
      }
    } finally {
      this.#tickets.splice(this.#tickets.indexOf(ticket), 1)
      this.#tickets[0]?.wake()
    }
  }

  /** What an admitted call took, if it was made: where that is less than was thought, the next may go earlier. */
  settle(admitted: Admitted, tokens: number | undefined): void {
    this.#underWay--
    this.#window.settle(admitted, tokens)
    this.#tickets[0]?.wake()
  }

  isIdle(now: number): boolean {
    return this.#underWay === 0 && this.#tickets.length === 0 && this.#window.isIdle(now)
  }

  #admit(tokens: number, now: number): Turn {
    this.#underWay++
    return { type: 'admitted', admitted: this.#window.admit(tokens, now) }
  }

  #waitOf(ticket: Ticket, tokens: number, now: number): number {
    return this.#tickets[0] === ticket ? this.#window.waitFor(tokens, now) : Infinity
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
