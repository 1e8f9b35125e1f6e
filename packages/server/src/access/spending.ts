import { type Clock, isJsonObject, type Json, type JsonObject } from 'echelon/runtime'
import type { ServedAgent } from '../agents/served-agent.ts'
import { HttpProblem } from '../http/problem.ts'
import type { Principal } from './principal.ts'
import type { SharedRecords } from './shared-record.ts'

/** The amount reserved for a user's run, taken from their daily limit before it starts. */
export interface Hold {
  /** US dollars; `null` without a limit. */
  readonly maxCost: number | null
  /** Returns what was not spent. An unknown cost counts as the whole hold. Later calls do nothing. */
  settle(cost: number | null): Promise<void>
}

export interface HoldFor {
  /** The id of the run. */
  readonly run: string
  readonly agent: Pick<ServedAgent, 'name' | 'maxCost' | 'accepts'>
}

export interface SpendingOptions {
  readonly records: SharedRecords
  readonly clock: Clock
}

/** A run of an agent without a limit of its own may take this share of its user's day, unless the user has `usdPerRun`. */
const SHARE_OF_DAY = 0.1

const FREE: Hold = { maxCost: null, settle: () => Promise.resolve() }

/**
 * The money of users by day (UTC): taken before a run, settled after it, and kept in the store. So neither
 * a restart nor several processes on one store overspend. Amounts are counted in billionths of a dollar,
 * rounded up.
 */
export class Spending {
  readonly #records: SharedRecords
  readonly #clock: Clock

  constructor({ records, clock }: SpendingOptions) {
    this.#records = records
    this.#clock = clock
  }

  /**
   * Takes the money of a run before it starts.
   * @throws HttpProblem 429 when the day's money is spent or held, 403 for a run whose cost is not limited
   */
  async hold(principal: Principal, { run, agent }: HoldFor): Promise<Hold> {
    const most = mostOf(principal, agent)
    const { name, usdPerDay } = principal
    const isFree = agent.maxCost === 0
    if (usdPerDay === undefined || most === null || isFree) return { ...FREE, maxCost: most }
    const day = dayOf(this.#clock.now())
    const limit = Math.floor(usdPerDay * NANO)
    const wanted = nano(most)
    const canShrink = agent.accepts.maxCost === true
    const taken = await this.#records.change(recordOf(name, day), `${run}:server/hold`, (value) => {
      const { spent, held: all } = dayIn(value)
      // A process that died may have held for the same run before it started it.
      const { [run]: _, ...held } = all
      const left = limit - spent - sumOf(held)
      const granted = canShrink ? Math.min(left, wanted) : wanted
      if (granted <= 0 || granted > left) throw this.#noMoney(Object.keys(held).length > 0)
      return { value: written(spent, { ...held, [run]: granted }), result: granted }
    })
    return this.#hold(recordOf(name, day), run, taken)
  }

  /** The hold of a run that another process began, if there is one. */
  async taken(owner: string, run: string, beganAt: number): Promise<Hold> {
    for (const at of [beganAt, beganAt - DAY_MS]) {
      const name = recordOf(owner, dayOf(at))
      const amount = dayIn(await this.#records.read(name)).held[run]
      if (amount !== undefined) return this.#hold(name, run, amount)
    }
    return FREE
  }

  /** US dollars that a user's runs have spent on a day, and what runs in progress hold. */
  async spentOn(owner: string, at: number): Promise<{ spent: number; held: number }> {
    const { spent, held } = dayIn(await this.#records.read(recordOf(owner, dayOf(at))))
    return { spent: spent / NANO, held: sumOf(held) / NANO }
  }

  #hold(name: string, run: string, amount: number): Hold {
    let settled: Promise<void> | undefined
    return {
      maxCost: amount / NANO,
      settle: (cost) => {
        settled ??= this.#records.change(name, `${run}:server/settle`, (value) => {
          const { spent, held } = dayIn(value)
          const { [run]: mine, ...others } = held
          // Another process settled it.
          if (mine === undefined) return { value, result: undefined }
          const used = cost === null ? mine : nano(cost)
          return { value: written(spent + used, others), result: undefined }
        })
        return settled
      },
    }
  }

  #noMoney(isHeld: boolean): HttpProblem {
    const now = this.#clock.now()
    const untilTomorrow = Math.ceil((DAY_MS - (now % DAY_MS)) / 1000)
    return isHeld
      ? new HttpProblem(
          429,
          'budget_held',
          'runs in progress hold the rest of the budget of today; try again when one has ended',
          { retryAfter: HELD_RETRY_SECONDS },
        )
      : new HttpProblem(429, 'budget_spent', 'the budget of today is spent', {
          retryAfter: untilTomorrow,
        })
  }
}

const sumOf = (held: Readonly<Record<string, number>>): number =>
  Object.values(held).reduce((sum, amount) => sum + amount, 0)

const NANO = 1e9
const DAY_MS = 86_400_000
const HELD_RETRY_SECONDS = 5

/** The day of a time, in UTC, such as `2026-11-22`. */
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

const nano = (usd: number): number => Math.ceil(Math.max(0, usd) * NANO - ROUNDING)
/** Below it, a rest is an error of floating point. */
const ROUNDING = 1e-3

/** The most that a run may cost; `null` without a limit. @throws HttpProblem 403 */
function mostOf(
  { usdPerDay, usdPerRun }: Principal,
  { name, maxCost, accepts }: HoldFor['agent'],
): number | null {
  if (usdPerDay === undefined && usdPerRun === undefined) return maxCost
  if (accepts.maxCost === true) {
    const own = usdPerRun ?? (usdPerDay ?? 0) * SHARE_OF_DAY
    return Math.min(maxCost ?? Infinity, own)
  }
  const limit = Math.min(usdPerDay ?? Infinity, usdPerRun ?? Infinity)
  if (maxCost !== null && maxCost <= limit) return maxCost
  throw new HttpProblem(
    403,
    'cost_not_limited',
    `you have a budget, and a run of ${name} ${maxCost === null ? 'has no known maximum cost' : 'may cost more'}`,
  )
}

const recordOf = (owner: string, day: string): string => `server/spending/${owner}/${day}`

interface Day {
  readonly spent: number
  /** By run. */
  readonly held: Readonly<Record<string, number>>
}

const VERSION = 1

const written = (spent: number, held: JsonObject): JsonObject => ({ version: VERSION, spent, held })

function dayIn(value: Json): Day {
  const { spent = 0, held = {} } = isJsonObject(value) ? value : {}
  const entries = isJsonObject(held) ? Object.entries(held) : []
  return {
    spent: typeof spent === 'number' ? spent : 0,
    held: Object.fromEntries(
      entries.flatMap(([run, amount]) => (typeof amount === 'number' ? [[run, amount]] : [])),
    ),
  }
}
