import { isDict, type PyValue } from './value.ts'

/** `repr` of a float: the shortest digits that read back, in Python's choice of notation. */
export function floatText(value: number): string {
  if (Number.isNaN(value)) return 'nan'
  if (!Number.isFinite(value)) return value < 0 ? '-inf' : 'inf'
  if (Object.is(value, -0)) return '-0.0'
  const [digits = '0', power = '0'] = value.toExponential().split('e')
  const exponent = Number(power)
  if (exponent < -4 || exponent >= 16) {
    const sign = exponent < 0 ? '-' : '+'
    return `${digits}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`
  }
  return Number.isInteger(value) ? `${BigInt(value)}.0` : plain(digits, exponent)
}

/** Digits such as `-1.25` times ten to a power, without an exponent; never an integer. */
function plain(digits: string, exponent: number): string {
  const sign = digits.startsWith('-') ? '-' : ''
  const figures = digits.replaceAll(/[-.]/g, '')
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${figures}`
  return `${sign}${figures.slice(0, exponent + 1)}.${figures.slice(exponent + 1)}`
}

/** `str()`: a text as it is, everything else as `repr()` has it. */
export const str = (value: PyValue): string => (typeof value === 'string' ? value : repr(value))

/** `repr()`. */
export function repr(value: PyValue): string {
  if (typeof value === 'string') return textRepr(value)
  if (typeof value === 'number') return floatText(value)
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (value === null) return 'None'
  if (Array.isArray(value)) return `[${value.map(repr).join(', ')}]`
  if (isDict(value)) {
    return `{${[...value].map(([key, item]) => `${textRepr(key)}: ${repr(item)}`).join(', ')}}`
  }
  return String(value)
}

const NAMED: Readonly<Record<string, string>> = {
  '\\': String.raw`\\`,
  '\n': String.raw`\n`,
  '\r': String.raw`\r`,
  '\t': String.raw`\t`,
}

/** `repr` of a text: what cannot be printed is escaped, and its quotes are the ones that it lacks. */
export function textRepr(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  const body = text.replaceAll(
    /[\\\n\r\t]|(?! )[\p{C}\p{Z}]/gu,
    (char) => NAMED[char] ?? escaped(char),
  )
  return quote + (quote === "'" ? body.replaceAll("'", String.raw`\'`) : body) + quote
}

function escaped(char: string): string {
  const code = char.codePointAt(0) ?? 0
  const hex = code.toString(16)
  if (code < 0x100) return `\\x${hex.padStart(2, '0')}`
  return code < 0x10000 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`
}
