import { apart, type Expression, literal, minus, over, plus, times } from '../expression.ts'
import type { Marked } from '../numbers.ts'

type Formula = (a: Expression, b: Expression) => Expression | undefined

const A = '#(\\d+)'
const WHOLES =
  '(?:all )?(?:of )?(?:the )?(?:whole numbers|integers|natural numbers|counting numbers|numbers)'

/** Questions with a fixed phrase around two numbers, in textual order. */
const FORMS: readonly (readonly [string, Formula])[] = [
  [
    `(?:how many times|how often) (?:does|do|will|would|can) ${A} (?:go|fit|divide)(?: exactly| evenly)? into ${A}`,
    goesInto,
  ],
  [`(?:how many times|how often) ${A} (?:goes|fits|divides) into ${A}`, goesInto],
  [
    `(?:add(?: up| together)?|sum(?: up)?|(?:the )?(?:sum|total) of|adding(?: up)?) ${WHOLES} (?:from |between )?${A} (?:to|through|up to|until) ${A}(?: inclusive)?`,
    run,
  ],
  [`(?:the )?(?:sum|total) from ${A} (?:to|through|up to) ${A}`, run],
  [`${A} less than ${A}`, (a, b) => minus(b, a)],
  [`${A} more than ${A}`, (a, b) => plus(b, a)],
  [`${A} (?:is )?(?:subtracted|taken|deducted)(?: away)? from ${A}`, (a, b) => minus(b, a)],
  [`(?:more|greater|bigger|larger|higher) is ${A} than ${A}`, (a, b) => above(a, b)],
  [`(?:less|smaller|lower) is ${A} than ${A}`, (a, b) => above(b, a)],
  [`${A} and ${A} (?:added|summed)(?: up)?(?: together)?`, plus],
  [`${A} and ${A} multiplied(?: together| by each other)?`, times],
  [`far apart (?:are )?${A} and ${A}`, apart],
]

/** Quotient of two numbers, if one divides the other evenly. */
function goesInto(a: Expression, b: Expression): Expression | undefined {
  return Number.isInteger(b.value / a.value) ? over(b, a) : undefined
}

/** The sum of all whole numbers in a range. */
function run(a: Expression, b: Expression): Expression | undefined {
  if (![a, b].every(({ value }) => Number.isSafeInteger(value)) || a.value >= b.value)
    return undefined
  return over(times(plus(a, b), plus(minus(b, a), literal('1'))), literal('2'))
}

/** "How much more" asks for the larger minus the smaller. */
const above = (a: Expression, b: Expression): Expression | undefined =>
  a.value >= b.value ? minus(a, b) : undefined

const PATTERNS = FORMS.map(([form, formula]) => [new RegExp(`^${form}$`), formula] as const)

/** Reads a question in one of the forms above; undefined for any other. */
export function readFixedForm(text: string, { numbers }: Marked): Expression | undefined {
  for (const [pattern, formula] of PATTERNS) {
    const [a, b] =
      pattern
        .exec(text)
        ?.slice(1)
        .map((index) => numbers[Number(index)]) ?? []
    if (a && b) return formula(a, b)
  }
  return undefined
}
