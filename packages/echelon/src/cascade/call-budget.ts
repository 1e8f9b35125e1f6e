import { type Amounts, left, Ledger } from '../core/agent/budget.ts'
import type { WorstCase } from '../runtime/model/worst-case.ts'

/** The role under which all calls of a cascade are counted. */
export const CASCADE = 'cascade'
const CALLS = `calls.${CASCADE}`

/** Hard limits. An absent one is unlimited. */
export interface CascadeLimits {
  /** US dollars. With this limit, calls of unknown price are refused. */
  readonly money?: number
  /** Tokens in and out. */
  readonly tokens?: number
  /** Calls of models, those that a verifier asks for included. */
  readonly calls?: number
}

/** @throws EchelonError INVALID_CONFIG for a limit that would limit nothing, such as NaN */
export const ledgerOf = ({ calls, ...limits }: CascadeLimits = {}): Ledger =>
  new Ledger({ ...limits, ...(calls !== undefined && { [CALLS]: calls }) })

/** The reserved worst case of a call, or why nothing was reserved. */
export type Reserved = WorstCase

/** The budget of one call of a cascade: within its own limits and those of the model's whole life. */
export class CallBudget {
  readonly #call: Ledger
  readonly #life: Ledger

  constructor(call: Ledger, life: Ledger) {
    this.#call = call
    this.#life = life
  }

  /** Whether a limit needs to know what a call can cost. */
  get isBounded(): boolean {
    return [this.#call, this.#life].some(
      ({ limits }) => limits['money'] !== undefined || limits['tokens'] !== undefined,
    )
  }

  /** Reserves the worst case of a call, and waits for calls in flight if that helps. */
  async reserve(worstIn: (ledger: Ledger) => WorstCase): Promise<Reserved> {
    for (let before = Infinity; ;) {
      const most = worstIn(this.#rest())
      if (!most.ok) return most
      const limit = await this.#hold(most.hold)
      if (limit === undefined) return most
      // Other calls have spent since then; a shorter answer may still fit.
      if (most.maxTokens >= before) return refusedBy(limit)
      before = most.maxTokens
    }
  }

  /** @param held the object that was reserved */
  settle(held: Amounts, spent: Amounts): void {
    this.#call.settle(held, spent)
    this.#life.settle(held, spent)
  }

  async #hold(amounts: Amounts): Promise<string | undefined> {
    const own = await this.#call.reserve(amounts)
    if (own !== undefined) return own
    const life = await this.#life.reserve(amounts)
    if (life !== undefined) this.#call.settle(amounts, NOTHING)
    return life
  }

  /** The amounts left under both limits. */
  #rest(): Ledger {
    const rest: Record<string, number> = {}
    for (const ledger of [this.#call, this.#life]) {
      for (const counter in ledger.limits) {
        rest[counter] = Math.min(rest[counter] ?? Infinity, left(ledger, counter))
      }
    }
    return new Ledger(rest)
  }
}

const NOTHING: Amounts = {}

function refusedBy(counter: string): Extract<Reserved, { ok: false }> {
  const limit = counter === CALLS ? 'calls' : counter
  return { ok: false, limit, message: `another call would exceed the limit of ${limit}` }
}
