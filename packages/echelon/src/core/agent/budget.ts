import { EchelonError } from '../value/error.ts'

/**
 * Amounts by counter: `steps`, `seconds`, `tools`, `checks`, `tokens`, `money` (US dollars) and, by
 * role, `calls.<role>`, `input.<role>` and `output.<role>` (tokens), `money.<role>`,
 * `unpriced.<role>` (calls of unknown cost) and `assumed.<role>` (calls without a plausible reported
 * usage, which are charged at their reserved worst case). Counters without a limit are counted too.
 */
export type Amounts = Readonly<Record<string, number>>

/** Returns the first of these counters whose limit is used up. */
export function exhausted(
  { spent, limits }: { readonly spent: Amounts; readonly limits: Amounts },
  counters: readonly string[],
): string | undefined {
  return counters.find((counter) => (spent[counter] ?? 0) >= (limits[counter] ?? Infinity))
}

/** Returns the rest of a counter: infinite without a limit, never negative. */
export const left = (
  { spent, limits }: { readonly spent: Amounts; readonly limits: Amounts },
  counter: string,
): number => Math.max(0, (limits[counter] ?? Infinity) - (spent[counter] ?? 0))

export function addAmounts(to: Record<string, number>, more: Amounts): void {
  for (const counter in more) to[counter] = (to[counter] ?? 0) + (more[counter] ?? 0)
}

function checkLimit(counter: string, limit: number | undefined): void {
  if (Number.isFinite(limit) && (limit ?? 0) >= 0) return
  throw new EchelonError(
    'INVALID_CONFIG',
    `the limit of ${counter} is ${limit}; give a number from 0 on, or leave it out for no limit`,
  )
}

/**
 * The budget of a run. Each attempt reserves its worst case first and settles the actual amount
 * afterwards. A reservation is refused when it can never fit, held when it fits now, and waits when
 * it will fit once calls in flight settle. Refusing in that last case would starve parallel calls;
 * it cannot occur with nothing in flight, so no reservation waits forever.
 */
export class Ledger {
  readonly limits: Amounts
  #spent: Record<string, number>
  /** Whether a snapshot holds `#spent`: the next amount is then booked in a copy. */
  #isKept = false
  /** Unsettled reservations. There are few at a time, so `held` adds them up on each read. */
  readonly #holds: Amounts[] = []
  #closed = false
  #waiting: (() => void)[] = []

  /** @throws EchelonError INVALID_CONFIG for a limit that would limit nothing, such as NaN */
  constructor(limits: Amounts, spent: Amounts = {}) {
    for (const counter in limits) checkLimit(counter, limits[counter])
    this.limits = limits
    this.#spent = { ...spent }
  }

  /** The current amounts as a live object; use `snapshot` to keep them. */
  get spent(): Amounts {
    return this.#spent
  }

  /** The current amounts as an object that no longer changes. */
  snapshot(): Amounts {
    this.#isKept = true
    return this.#spent
  }

  get held(): Amounts {
    const sum: Record<string, number> = {}
    for (const hold of this.#holds) addAmounts(sum, hold)
    return sum
  }

  /** Returns the limit that `need` would exceed even if everything in flight cost nothing. */
  impossible(need: Amounts): string | undefined {
    for (const counter in need) {
      const limit = this.limits[counter]
      if (limit !== undefined && (this.#spent[counter] ?? 0) + (need[counter] ?? 0) > limit) {
        return counter
      }
    }
    return undefined
  }

  /** Reserves `need`, waiting only if that helps; returns the name of the limit that refuses it. */
  reserve(need: Amounts): string | undefined | Promise<string | undefined> {
    const limit = this.impossible(need)
    if (limit !== undefined) return limit
    if (!this.#fits(need)) return this.#reserveLater(need)
    this.#holds.push(need)
    return undefined
  }

  async #reserveLater(need: Amounts): Promise<string | undefined> {
    await new Promise<void>((resolve) => this.#waiting.push(resolve))
    return this.reserve(need)
  }

  /**
   * Books everything still held when the run ends. Calls in flight may continue, but what they
   * settle later is ignored; no new call may begin.
   */
  close(): void {
    for (const hold of this.#holds) this.spend(hold)
    this.#closed = true
    this.#wakeWaiting()
  }

  /** Whether the run has ended, so that nothing more can be charged to it. */
  get isClosed(): boolean {
    return this.#closed
  }

  /**
   * Releases a reservation and books the actual amount. An amount above the reservation is booked
   * only up to the limits, so that a report of usage can't exceed them.
   * @param held the same object that was passed to `reserve`
   */
  settle(held: Amounts, actual: Amounts): void {
    if (this.#closed) return
    const place = this.#holds.indexOf(held)
    // Usually there is only one, and `splice` is slow for that.
    if (place === 0 && this.#holds.length === 1) this.#holds.pop()
    else if (place >= 0) this.#holds.splice(place, 1)
    this.spend(this.#withinLimits(held, actual))
    this.#wakeWaiting()
  }

  #wakeWaiting(): void {
    if (this.#waiting.length === 0) return
    for (const resolve of this.#waiting.splice(0)) resolve()
  }

  /** Caps `actual` at the limits without taking from other reservations. */
  #withinLimits(own: Amounts, actual: Amounts): Amounts {
    let bounded: Record<string, number> | undefined
    for (const counter in this.limits) {
      const amount = actual[counter]
      if (amount === undefined || amount <= (own[counter] ?? 0)) continue
      const free = left(this, counter) - (this.held[counter] ?? 0)
      if (amount <= free) continue
      bounded ??= { ...actual }
      bounded[counter] = Math.max(own[counter] ?? 0, free)
    }
    return bounded ?? actual
  }

  /** Books an amount of one counter. */
  count(counter: string, amount: number): void {
    const spent = this.#toChange()
    spent[counter] = (spent[counter] ?? 0) + amount
  }

  /** Books amounts that needed no reservation. */
  spend(amounts: Amounts): void {
    addAmounts(this.#toChange(), amounts)
  }

  #toChange(): Record<string, number> {
    if (this.#isKept) {
      this.#spent = { ...this.#spent }
      this.#isKept = false
    }
    return this.#spent
  }

  #fits(need: Amounts): boolean {
    if (this.#holds.length === 0) return true
    const { held } = this
    for (const counter in need) {
      const limit = this.limits[counter]
      const taken = (this.#spent[counter] ?? 0) + (held[counter] ?? 0)
      if (limit !== undefined && taken + (need[counter] ?? 0) > limit) return false
    }
    return true
  }
}
