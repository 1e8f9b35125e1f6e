import { called, type Expression, literal, over, times } from '../expression.ts'
import type { Marked } from '../numbers.ts'

/** A calculation with a requested number format, and the effect of the format on its value. */
export interface Formed {
  readonly text: string
  readonly form: (value: Expression) => Expression
  /** Whether a bare number qualifies: 2.345 can be rounded, but 5 is a decimal already. */
  readonly ofNumber: boolean
}

const PLACES =
  '(?:#(?<places>\\d+) (?:decimal (?:places?|digits?|points?)|decimals?|places?(?: after the (?:decimal )?point)?|digits? after the (?:decimal )?point|dp|d\\.p\\.?)' +
  '|(?:the )?(?:nearest|closest) (?:(?<unit>whole number|whole|integer|unit|tenth|hundredth|thousandth|hundred|thousand|cent|penny)|#(?<ten>\\d+)))'
const OFF =
  '(?:(?:,? and |, )?(?:then )?(?:round(?:ed|ing)?|correct|accurate|precise|give(?:n)?)(?: off)?(?: (?:it|that|the result|the answer|your answer|result|answer))?,? )?'
const DECIMAL =
  '(?:as|in|to|into) (?:an? )?(?:decimal(?: number| form| fraction| notation)?|decimals)'

const ROUNDED = new RegExp(`^(?<inner>.+?),? ?(?<!\\bround(?:ed|ing)?|\\boff) ?${OFF}to ${PLACES}$`)
const ROUND = new RegExp(`^(?:round(?:ing)?)(?: off)?:? (?<inner>.+?),?(?: off)? to ${PLACES}$`)
const ROUND_TO = new RegExp(`^(?:round(?:ing)?)(?: off)? to ${PLACES}:? (?<inner>.+)$`)
const AS_DECIMAL = new RegExp(
  `^(?:(?:write|express|convert|put|turn|show|change|represent)(?: the fraction)? )?(?<inner>.+?),? ?(?:(?:expressed|written|given) )?${DECIMAL}$`,
)
const AS_PERCENT =
  /^(?:(?:write|express|convert|put|turn|show|change) )?(?<inner>.+?) (?:as|to|into) an? percent(?:age)?$/

const UNITS: Readonly<Record<string, string>> = {
  tenth: '1',
  hundredth: '2',
  cent: '2',
  penny: '2',
  thousandth: '3',
}
const TENS: Readonly<Record<string, string>> = { hundred: '100', thousand: '1000' }

/** Reads "… rounded to 2 decimal places" and "… as a decimal"; undefined if no format is requested. */
export function readNumberForm(text: string, { numbers }: Marked): Formed | undefined {
  const rounded = (ROUND_TO.exec(text) ?? ROUND.exec(text) ?? ROUNDED.exec(text))?.groups
  if (rounded) {
    const form = roundingTo(rounded, numbers)
    return form && { text: rounded['inner'] ?? '', form, ofNumber: true }
  }
  const decimal = AS_DECIMAL.exec(text)?.groups?.['inner']
  if (decimal !== undefined) return { text: decimal, form: (value) => value, ofNumber: false }
  const percent = AS_PERCENT.exec(text)?.groups?.['inner']
  if (percent === undefined) return undefined
  return { text: percent, form: (value) => times(value, literal('100')), ofNumber: false }
}

function roundingTo(
  groups: Readonly<Record<string, string | undefined>>,
  numbers: Marked['numbers'],
): Formed['form'] | undefined {
  const { places, unit = '', ten } = groups
  const digits = numbers[Number(places)]
  if (digits) return (value) => called('round', value, digits)
  const step = ten === undefined ? tensOf(unit) : numbers[Number(ten)]
  if (step) return (value) => times(called('round', over(value, step)), step)
  if (ten !== undefined) return undefined
  const decimals = Object.hasOwn(UNITS, unit) ? UNITS[unit] : undefined
  return (value) =>
    decimals === undefined ? called('round', value) : called('round', value, literal(decimals))
}

const tensOf = (unit: string): Expression | undefined =>
  Object.hasOwn(TENS, unit) ? literal(TENS[unit] ?? '1') : undefined
