/** Written without blanks: `1/2`. */
const FRACTION = /\d\/\d/
/** `1/2x7`, `9/10/11`, `2/29-3/1` */
const RUN = /\d\/[\d.]+[x×/÷(]|\d\/\d+-\d+\//i
const DIVIDES = /÷|\s\/|\/\s|\b(?:divided?|over|quotient|squared?|cubed?|powers?|root)\b|\^/i
/** With a year of four digits, or with two digits at the end: `2014-10`, `12-24-82`. */
const WITH_YEAR =
  /(?<![\d.])(?:(?:1[5-9]|20)\d{2}([-/.])\d{1,2}(?:\1\d{1,2})?|\d{1,2}([-/.])(?:\d{1,2}\2)?(?:1[5-9]|20)\d{2}|\d{1,2}([-/.])\d{1,2}\3\d{2})(?![\d.])/
/** `1.000` is one or a thousand. */
const GROUPED = /(?<![\d.,])[1-9]\d{0,2}\.\d{2}0(?![\d.])/
/** `5-10%` */
const RANGE = /\d-\d+\s?%/
/** Two numbers and nothing else. */
const PAIR = /^(?:what(?:'s| is) )?(\d{1,2})([-/])(\d{1,2})\s?\??$/i

/**
 * Why marks between digits are ambiguous: a fraction that can be grouped in two ways, or a date. Undefined for
 * plain arithmetic.
 */
export function unclearDigits(question: string): string | undefined {
  if ((FRACTION.test(question) && DIVIDES.test(question)) || RUN.test(question)) {
    return 'a fraction beside a division or a power can be grouped in two ways'
  }
  if (GROUPED.test(question) || RANGE.test(question)) return 'its digits can be read in two ways'
  return WITH_YEAR.test(question) || isMonthAndDay(question)
    ? 'it may be a date or a calculation'
    : undefined
}

/** `12/25` and `2-15` look like dates rather than arithmetic; `12/3` and `9-5` do not. */
function isMonthAndDay(question: string): boolean {
  const [, first = '', sign, second = ''] = PAIR.exec(question) ?? []
  const [a, b] = [Number(first), Number(second)]
  const fits = a >= 1 && b >= 1 && Math.min(a, b) <= 12 && Math.max(a, b) <= 31
  return fits && (sign === '/' ? a % b !== 0 : a < b)
}
