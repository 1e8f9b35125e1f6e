import type { Amounts } from '../../core/agent/budget.ts'
import type { BoundModel, Usage } from '../../core/model/model.ts'
import type { ModelAnswer } from './model-answer.ts'
import { isRefusal, isRejection, wasNeverSent } from './provider-problem.ts'

/** The ledger's counter names for a role. */
interface RoleCounters {
  readonly calls: string
  readonly input: string
  readonly output: string
  readonly money: string
  readonly unpriced: string
  readonly assumed: string
  /** Amounts of one call without cost. */
  readonly oneCall: Amounts
  /** Template for one call of known cost; copying it is faster than building a new object. */
  readonly priced: Amounts
}

// Cached, since building the names takes longer than the rest of the accounting. Roles are few and
// come from definitions.
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
 * Returns the cost of a usage, or `null` if unknown. An invalid price, such as NaN, counts as
 * unknown, since a limit can't be checked against it.
 */
export function priceOf(model: BoundModel, usage: Usage): number | null {
  const price = model.price(usage)
  return price !== null && Number.isFinite(price) && price >= 0 ? price : null
}

interface Answered {
  readonly answer: ModelAnswer
  readonly cost: number | null
  /** The reserved worst case. */
  readonly hold: Amounts
}

/** Returns the actual amounts of an answered call, in total and by role. */
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
 * Returns the amounts of a failed call. A call that no server received and one that was refused
 * (4xx) cost nothing. Providers do not bill a server error (5xx) either, but the work done before it
 * is unknown, so the limits stay charged at the reserved amount.
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
 * Returns the amounts of a call that was cut off, aborted or reported no plausible usage: it stays
 * charged at its reserved amount, and its cost is unknown unless the model is free.
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
