import { isJsonObject, type Json } from '../../../../core/value/json.ts'
import type { MathClaim } from './arithmetic.ts'
import { canonicalDecimal } from '../../verification/decimal.ts'

interface Compared {
  readonly question: string
  readonly claim: MathClaim
  /** The arguments of the plan's calculations. */
  readonly plan: readonly Json[]
  /** The results of the question itself. Never shown. */
  readonly values: readonly string[]
}

/**
 * The part of a plan that differs from the question, for a model: a quantity or an operation. It names only
 * numbers of the question and the plan, and never the question's own result.
 */
export function differentPart({ question, claim, plan, values }: Compared): string {
  const secret = new Set(values.map(canonicalDecimal))
  const asked = numbersIn(question)
  const used = new Set(numbersIn(plan.map(expressionOf).join(' ')))
  const quantities = claim.quantities.flatMap((text) => quantityOf(text) ?? [])
  const missing = quantities.find(
    ({ number, shares }) => asked.includes(number) && !shares.some((one) => used.has(one)),
  )
  if (missing !== undefined && !missing.shares.some((one) => secret.has(one))) {
    return `the plan leaves out the quantity ${missing.text}`
  }
  if (missing !== undefined || used.size === 0) return UNSAID
  const known = new Set([...asked, ...quantities.flatMap(({ shares }) => shares)])
  const strange = [...used].find((number) => !known.has(number))
  if (strange === undefined) return 'an operation differs, or the order of the operations'
  return secret.has(strange)
    ? UNSAID
    : `the plan uses the number ${strange}, which the question does not give`
}

const UNSAID = 'the quantities of the question do not give this number'

interface Quantity {
  readonly text: string
  readonly number: string
  /** Other ways to write the same quantity: 25 % is 25 and 0.25. */
  readonly shares: readonly string[]
}

function quantityOf(text: string): Quantity | undefined {
  const isShare = text.endsWith('%')
  const number = canonicalDecimal(isShare ? text.slice(0, -1) : text)
  if (number === undefined) return undefined
  const hundredth = canonicalDecimal(String(Number(number) / 100))
  return {
    text,
    number,
    shares: isShare && hundredth !== undefined ? [number, hundredth] : [number],
  }
}

const expressionOf = (input: Json): string => {
  const expr = isJsonObject(input) ? input['expr'] : undefined
  return typeof expr === 'string' ? expr.replaceAll(REFERENCE, ' ') : ''
}

/** A result of an earlier action, such as `$1.value`. */
const REFERENCE = /\$\d+\.\w+/g

const NUMBER = /\d+(?:,\d{3})*(?:\.\d+)?/g

/** The numbers of a text in canonical form, without signs. */
const numbersIn = (text: string): readonly string[] =>
  (text.match(NUMBER) ?? []).flatMap((one) => canonicalDecimal(one) ?? [])
