import { bareQuestion } from './arithmetic/bare.ts'
import { type Expression, literal, minus, over, percentOf, plus, times } from './expression.ts'
import type { Marked } from './numbers.ts'

type Formula = (a: Expression, b: Expression) => Expression

const HUNDRED = literal('100')
const factor = (sign: typeof plus, percent: Expression): Expression =>
  sign(literal('1'), over(percent, HUNDRED))
const raised: Formula = (whole, percent) => times(whole, factor(plus, percent))
const lowered: Formula = (whole, percent) => times(whole, factor(minus, percent))
const share: Formula = (part, whole) => times(over(part, whole), HUNDRED)
const change: Formula = (from, to) => times(over(minus(to, from), from), HUNDRED)
const swapped =
  (formula: Formula): Formula =>
  (a, b) =>
    formula(b, a)

const MONEY = '#(\\d+)(?: dollars?)?'
const PERCENT = '#(\\d+) percent'
const PRICE = `(?:a |an |the )?(?:price |bill |item |meal |purchase |order |dinner )?(?:of |costing |for )?${MONEY}(?: (?:item|bill|purchase|meal|dinner|order|price))?`

/** Forms of question about one percentage; A and B of the formula are in textual order. */
const FORMS: readonly (readonly [string, Formula])[] = [
  [`(?:a )?${PERCENT} of ${MONEY}`, (percent, whole) => percentOf(percent, whole)],
  [
    `(?:a )?${PERCENT} (?:tip|tax|sales tax|service charge|commission) (?:on|for) ${PRICE}`,
    percentOf,
  ],
  [`(?:the |a )?(?:tip|tax|sales tax) of ${PERCENT} on ${PRICE}`, percentOf],
  [
    `(?:the )?(?:price of )?${PRICE} (?:at|with|after|less|minus) (?:a )?${PERCENT} (?:off|discount|reduction)`,
    lowered,
  ],
  [
    `${PRICE} (?:with|after|plus|including|and) (?:a )?${PERCENT} (?:tip|tax|sales tax|vat|interest|service charge)`,
    raised,
  ],
  [
    `(?:the )?(?:final |sale |new )?price (?:after|with) (?:a )?${PERCENT} (?:off|discount) (?:on|off|of)? ?${PRICE}`,
    swapped(lowered),
  ],
  [`${PERCENT} off(?: of)? ${PRICE}`, swapped(lowered)],
  [`${PERCENT} less than ${MONEY}`, swapped(lowered)],
  [`${PERCENT} more than ${MONEY}`, swapped(raised)],
  [`(?:increase|raise) ${MONEY} by ${PERCENT}`, raised],
  [`${MONEY} (?:increased|raised) by ${PERCENT}`, raised],
  [`(?:decrease|reduce|lower) ${MONEY} by ${PERCENT}`, lowered],
  [`${MONEY} (?:decreased|reduced|lowered) by ${PERCENT}`, lowered],
  [`(?:what )?percent(?:age)? of ${MONEY} is ${MONEY}`, swapped(share)],
  [`(?:what )?percent(?:age)? is ${MONEY} (?:out )?of ${MONEY}`, share],
  [`${MONEY} (?:out )?of ${MONEY} (?:as a|in) percent(?:age)?`, share],
  [`${MONEY} is what percent(?:age)? of ${MONEY}`, share],
  [`${MONEY} as a percent(?:age)? of ${MONEY}`, share],
  [`(?:the )?(?:percent(?:age)? )(?:change|increase|decrease) from ${MONEY} to ${MONEY}`, change],
  [`(?:of what(?: number)? is )?${MONEY} (?:is )?${PERCENT} of what(?: number)?`, wholeFromPart],
  [`${PERCENT} of what(?: number)? is ${MONEY}`, swapped(wholeFromPart)],
  [`(?:the )?number (?:if )?${PERCENT} of (?:it|which) is ${MONEY}`, swapped(wholeFromPart)],
]

function wholeFromPart(part: Expression, percent: Expression): Expression {
  return over(times(part, HUNDRED), percent)
}

/** Reads a question about one percentage and nothing else; undefined for any other. */
export function readPercentage(question: Marked): Expression | undefined {
  const bare = bareQuestion(question.text)
  for (const [form, formula] of FORMS) {
    const match = new RegExp(`^${form}$`).exec(bare)
    const [a, b] = match?.slice(1).map((index) => question.numbers[Number(index)]) ?? []
    if (a && b) return formula(a, b)
  }
  return undefined
}
