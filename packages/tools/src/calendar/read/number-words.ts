import type { Token } from './token.ts'

// Separate from the table of `core/number-words.ts` on purpose: the calendar checks what two
// readers wrote, and one of them, the verifier's, uses that table.
const UNITS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'
const UNIT_ORDINALS =
  'zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth'
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'

interface Numeral {
  readonly value: number
  readonly ordinal: boolean
  /** Number of tokens. */
  readonly length: number
}

const units = numerals(UNITS.split(' '), UNIT_ORDINALS.split(' '), (index) => index)
const tens = numerals(
  TENS.split(' '),
  TENS.split(' ').map((word) => word.replace(/y$/u, 'ieth')),
  (index) => (index + 2) * 10,
).set('zero', { value: 0, ordinal: false, length: 1 })
const scales = new Map([
  ['hundred', { value: 100, ordinal: false, length: 1 }],
  ['hundredth', { value: 100, ordinal: true, length: 1 }],
  ['thousand', { value: 1000, ordinal: false, length: 1 }],
  ['thousandth', { value: 1000, ordinal: true, length: 1 }],
])

/** Makes `twenty second` an ordinal token of 22 and `two thousand ten` a number token of 2010. */
export function mergeNumberWords(tokens: readonly Token[]): readonly Token[] {
  const merged: Token[] = []
  for (let index = 0; index < tokens.length;) {
    const found = numeral(tokens, index)
    const taken = tokens.slice(index, index + (found?.length ?? 1))
    const text = taken.map((token) => token.text).join(' ')
    if (found === undefined) merged.push(...taken)
    else if (found.ordinal) merged.push({ type: 'ordinal', text, value: found.value })
    else merged.push({ type: 'number', text, value: found.value, spelled: true })
    index += taken.length
  }
  return merged
}

/** `a hundred`, `two hundred and five`, `two thousand and twenty-five`. */
function numeral(tokens: readonly Token[], start: number): Numeral | undefined {
  const count = belowHundred(tokens, start) ?? article(tokens, start)
  return count && scaled(tokens, start, count)
}

/** A count with the hundreds and thousands that follow, and their remainder. */
function scaled(tokens: readonly Token[], start: number, count: Numeral): Numeral {
  const scale = count.ordinal ? undefined : lookUp(scales, tokens, start + count.length)
  if (scale === undefined || count.value >= scale.value) return count
  const multiple = join(count, scale, count.value * scale.value)
  if (multiple.ordinal) return multiple
  const rest = remainder(tokens, start + multiple.length, scale.value)
  const sum = rest ? join(multiple, rest, multiple.value + rest.value) : multiple
  return scaled(tokens, start, sum)
}

/** A smaller number after a hundred or a thousand, with or without `and`. */
function remainder(tokens: readonly Token[], start: number, scale: number): Numeral | undefined {
  const and = tokens[start]?.text === 'and' ? 1 : 0
  const find = scale > 100 ? numeral : belowHundred
  const rest = find(tokens, start + and)
  return rest && rest.value < scale ? { ...rest, length: rest.length + and } : undefined
}

/** The `a` of `a hundred` counts as one, as does the bare scale. */
function article(tokens: readonly Token[], start: number): Numeral | undefined {
  const a = tokens[start]?.text === 'a' ? 1 : 0
  return lookUp(scales, tokens, start + a) && { value: 1, ordinal: false, length: a }
}

function belowHundred(tokens: readonly Token[], start: number): Numeral | undefined {
  const ten = lookUp(tens, tokens, start)
  if (ten === undefined) return lookUp(units, tokens, start)
  const unit = ten.ordinal ? undefined : lookUp(units, tokens, start + 1)
  return unit !== undefined && unit.value > 0 && unit.value < 10
    ? join(ten, unit, ten.value + unit.value)
    : ten
}

const join = (left: Numeral, right: Numeral, value: number): Numeral => ({
  value,
  ordinal: right.ordinal,
  length: left.length + right.length,
})

function lookUp(
  table: ReadonlyMap<string, Numeral>,
  tokens: readonly Token[],
  index: number,
): Numeral | undefined {
  const token = tokens[index]
  return token?.type === 'word' ? table.get(token.text) : undefined
}

function numerals(
  cardinals: readonly string[],
  ordinals: readonly string[],
  value: (index: number) => number,
): Map<string, Numeral> {
  const rows = (words: readonly string[], ordinal: boolean): readonly [string, Numeral][] =>
    words.map((word, index) => [word, { value: value(index), ordinal, length: 1 }])
  return new Map([...rows(cardinals, false), ...rows(ordinals, true)])
}
