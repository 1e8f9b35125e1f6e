import type { Amounts } from '../../core/agent/budget.ts'
import type { BoundModel, Usage } from '../../core/model/model.ts'
import type { ModelAnswer } from './model-answer.ts'
import { isRefusal, isRejection, wasNeverSent } from './provider-problem.ts'

/** What the ledger calls the amounts of a role. */
interface RoleCounters {
  readonly calls: string
  readonly input: string
  readonly output: string
  readonly money: string
  readonly unpriced: string
  readonly assumed: string
  /** One call, and nothing else. */
  readonly oneCall: Amounts
  /** One call of known cost, its amounts still to be written in: a copy is made faster than anew. */
  readonly priced: Amounts
}

// Roles are few and written in definitions; putting the names together anew takes longer than all
// the rest of the accounts.
const counters = new Map<string, RoleCounters>()

export function countersOf(role: string): RoleCounters {
  const known = counters.get(role)
  if (known !== undefined) return known
  const calls = `calls.${role}`
  const input = `input.${role}`
  const output = `output.${role}`
  const money = `money.${role}`
  const made: RoleCounters = {
    calls,
    input,
    output,
    money,
    unpriced: `unpriced.${role}`,
    assumed: `assumed.${role}`,
    oneCall: { [calls]: 1 },
    priced: { [calls]: 1, [input]: 0, [output]: 0, tokens: 0, money: 0, [money]: 0 },
  }
  counters.set(role, made)
  return made
}

/**
 * What a usage costs; `null` where nobody knows, which is also what a price that is no amount means: a
 * limit would not hold against NaN.
 */
export function priceOf(model: BoundModel, usage: Usage): number | null {
  const price = model.price(usage)
  return price !== null && Number.isFinite(price) && price >= 0 ? price : null
}

interface Answered {
  readonly answer: ModelAnswer
  readonly cost: number | null
  readonly hold: Amounts
}

/** What an answered call really took, by role too: who reads the ledger sees each rung's share. */
export function answeredAmounts(
  role: string,
  model: BoundModel,
  { answer, cost, hold }: Answered,
): Amounts {
  if (answer.usage === undefined) return unknownAmounts(role, model, hold)
  const { input, output } = answer.usage
  const names = countersOf(role)
  const tokens = input + output
  if (cost !== null) {
    const amounts: Record<string, number> = { ...names.priced }
    amounts[names.input] = input
    amounts[names.output] = output
    amounts['tokens'] = tokens
    amounts['money'] = cost
    amounts[names.money] = cost
    return amounts
  }
  const money = hold['money']
  return {
    [names.calls]: 1,
    [names.input]: input,
    [names.output]: output,
    tokens,
    ...(money !== undefined && { money }),
    [names.unpriced]: 1,
  }
}

/**
 * What a call takes that failed of itself. One that no server saw takes nothing. For an error status
 * no provider asks money: a refusal (4xx) did nothing; what a server did before it broke (5xx) nobody
 * knows, so that the limits stay charged at the hold.
 */
export function failedAmounts(
  {
    role,
    model,
    hold,
  }: { readonly role: string; readonly model: BoundModel; readonly hold: Amounts },
  error: unknown,
): Amounts {
  if (isRefusal(error) || wasNeverSent(error)) return countersOf(role).oneCall
  return isRejection(error) ? hold : unknownAmounts(role, model, hold)
}

/**
 * Of a call that was cut, given up, or reports no usage that can be true nobody knows what it took: it
 * stays charged at its hold, and its cost is unknown unless the model is free.
 */
export function unknownAmounts(role: string, model: BoundModel, hold: Amounts): Amounts {
  const isFree = priceOf(model, { input: 1000, output: 1000 }) === 0
  const money = hold['money'] ?? (isFree ? 0 : undefined)
  const names = countersOf(role)
  return {
    ...hold,
    [names.assumed]: 1,
    ...(money === undefined ? { [names.unpriced]: 1 } : { [names.money]: money }),
  }
}
