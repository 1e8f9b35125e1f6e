import { isRecord, type JsonObject } from '../core/value/json.ts'
import type { ModelOutcome } from '../core/extension/middleware.ts'
import { isCount, rowName, rowOf, type Table, withoutRow } from './reliability/bounded-table.ts'

/** The cost of model calls. */
export interface Spending {
  /** Calls that were answered. */
  readonly calls: number
  /** Answered calls of unknown cost, not included in `money`. */
  readonly unpriced: number
  /** Calls that failed. Providers do not report what a failure costs. */
  readonly failed: number
  /** Tokens. */
  readonly input: number
  readonly output: number
  /** US dollars. */
  readonly money: number
}

export const NOTHING_SPENT: Spending = {
  calls: 0,
  unpriced: 0,
  failed: 0,
  input: 0,
  output: 0,
  money: 0,
}

/** The cost if it is valid, else `null`: a third-party model object may report anything. */
export const knownCost = (cost: number | null): number | null =>
  cost !== null && Number.isFinite(cost) && cost >= 0 ? cost : null

/** The spending of one outcome, or `undefined` if no call was made. */
export function spentOn(outcome: ModelOutcome): Spending | undefined {
  if (outcome.type === 'refused') return undefined
  if (outcome.type === 'failed') {
    return outcome.error.attempts === 0 ? undefined : { ...NOTHING_SPENT, failed: 1 }
  }
  const { usage } = outcome
  const cost = knownCost(outcome.cost)
  return {
    calls: 1,
    unpriced: cost === null ? 1 : 0,
    failed: 0,
    input: tokenCount(usage.input),
    output: tokenCount(usage.output),
    money: cost ?? 0,
  }
}

const tokenCount = (tokens: number): number =>
  Number.isFinite(tokens) ? Math.max(0, Math.round(tokens)) : 0

/** The row that sums up those that no longer fit in the table. */
const OTHERS = '(others)'

export const addSpending = (a: Spending, b: Spending): Spending => ({
  calls: a.calls + b.calls,
  unpriced: a.unpriced + b.unpriced,
  failed: a.failed + b.failed,
  input: a.input + b.input,
  output: a.output + b.output,
  // Rounds so that ten times one cent is ten cents: the sum is compared with a threshold.
  money: Number((a.money + b.money).toPrecision(12)),
})

/**
 * Adds spending to a name's row. Above `most` rows the least recently used one is folded into
 * `(others)`, so that the rows always add up to the total.
 */
export function withSpending(
  table: Table<Spending>,
  name: string,
  more: Spending,
  most: number,
): Table<Spending> {
  const row = addSpending(rowOf(table, name) ?? NOTHING_SPENT, more)
  const next = { ...withoutRow(table, name), [rowName(name)]: row }
  const named = Object.entries(next).filter(([row]) => row !== OTHERS)
  if (named.length <= most) return next
  const folded = named.slice(0, -most).map(([, row]) => row)
  const others = folded.reduce(addSpending, next[OTHERS] ?? NOTHING_SPENT)
  return Object.fromEntries([[OTHERS, others], ...named.slice(-most)])
}

export const isSpending = (value: unknown): value is Spending =>
  isRecord(value) &&
  ['calls', 'unpriced', 'failed', 'input', 'output'].every((field) => isCount(value[field])) &&
  typeof value['money'] === 'number'

const COUNT = { type: 'integer', minimum: 0 }

export const SPENDING_SCHEMA: JsonObject = {
  type: 'object',
  properties: {
    calls: COUNT,
    unpriced: COUNT,
    failed: COUNT,
    input: COUNT,
    output: COUNT,
    money: { type: 'number' },
  },
  required: ['calls', 'unpriced', 'failed', 'input', 'output', 'money'],
}
