import { EchelonError } from '../value/error.ts'

/**
 * Amounts are flat counters: `steps`, `seconds`, `tools`, `checks`, `tokens`, `money` (US dollars)
 * and, by role, `calls.<role>`, `input.<role>` and `output.<role>` (tokens), `money.<role>`, and
 * `unpriced.<role>` (calls whose cost nobody knows) and `assumed.<role>` (calls that reported no usage
 * that can be true: they are charged at their worst case, as far as one was reserved). A counter without a limit is counted all the
 * same.
 */
export type Amounts = Readonly<Record<string, number>>

/** The first of the counters whose limit is used up. */
export function exhausted(
  { spent, limits }: { readonly spent: Amounts; readonly limits: Amounts },
  counters: readonly string[],
): string | undefined {
  return counters.find((counter) => (spent[counter] ?? 0) >= (limits[counter] ?? Infinity))
}

/** What is left of a counter; infinite without a limit, never negative. */
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
 * The purse of a run. Before each attempt its worst case is reserved; after it, the actual amount
 * is settled. Three answers to a wish: impossible (refused), fits (held), and, when it would fit
 * once something in flight has settled, wait. Refusing there would starve parallel calls; with
 * nothing in flight the third case cannot occur, so nobody waits for ever.
 */
export class Ledger {
  readonly limits: Amounts
  #spent: Record<string, number>
  /** Whether somebody keeps what `#spent` is now: the next amount is booked in a copy. */
  #isKept = false
  /** What is reserved and not settled. Few at a time, so that they are added up when asked for. */
  readonly #holds: Amounts[] = []
  #closed = false
  #waiting: (() => void)[] = []

  /** @throws EchelonError INVALID_CONFIG for a limit that would limit nothing, such as NaN */
  constructor(limits: Amounts, spent: Amounts = {}) {
    for (const counter in limits) checkLimit(counter, limits[counter])
    this.limits = limits
    this.#spent = { ...spent }
  }

  /** As it stands; for whoever looks at it now, since it changes. */
  get spent(): Amounts {
    return this.#spent
  }

  /** What was spent so far, to be kept: it does not change any more. */
  snapshot(): Amounts {
    this.#isKept = true
    return this.#spent
  }

  get held(): Amounts {
    const sum: Record<string, number> = {}
    for (const hold of this.#holds) addAmounts(sum, hold)
    return sum
  }

  /** The limit that `need` would break even if everything in flight cost nothing. */
  impossible(need: Amounts): string | undefined {
    for (const counter in need) {
      const limit = this.limits[counter]
      if (limit !== undefined && (this.#spent[counter] ?? 0) + (need[counter] ?? 0) > limit) {
        return counter
      }
    }
    return undefined
  }

  /** Holds `need`, waiting only if that helps; or names the limit that refuses it. */
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
   * Books what is still held: the run ends, and what is under way may go on without it. Whatever it
   * settles at later is booked no more.
   */
  close(): void {
    for (const hold of this.#holds) this.spend(hold)
    this.#closed = true
  }

  /**
   * Gives back what was held, which is the very object that was reserved, and books what it really
   * was. What it took beyond its hold is booked as far as the limits go: no report lifts them.
   */
  settle(held: Amounts, actual: Amounts): void {
    if (this.#closed) return
    const place = this.#holds.indexOf(held)
    // Mostly it is the only one, for which `splice` is slow.
    if (place === 0 && this.#holds.length === 1) this.#holds.pop()
    else if (place >= 0) this.#holds.splice(place, 1)
    this.spend(this.#withinLimits(held, actual))
    if (this.#waiting.length === 0) return
    for (const resolve of this.#waiting.splice(0)) resolve()
  }

  /** What others hold stays theirs. */
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
