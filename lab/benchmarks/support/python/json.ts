import { floatText } from './text.ts'
import { isDict, type PyValue } from './value.ts'

/**
 * `json.loads`: the order of keys stays, and so does whether a number is an int or a float.
 * @throws SyntaxError as `JSON.parse` does
 */
export function parsePython(text: string): PyValue {
  // A mark before each key keeps those that look like numbers in their place.
  const marked = text.replaceAll(/"((?:[^"\\]|\\.)*")(\s*:)?/g, (token, rest, colon) =>
    colon === undefined ? token : `"$${rest}${colon}`,
  )
  const value: PyValue = JSON.parse(marked, revive)
  return value
}

function revive(_key: string, value: unknown, context?: { readonly source?: string }): PyValue {
  if (typeof value === 'number') {
    const source = context?.source ?? String(value)
    return /^-?\d+$/.test(source) ? BigInt(source) : value
  }
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value
  if (typeof value === 'bigint' || value instanceof Map) return value
  if (Array.isArray(value)) return value
  return new Map(Object.entries(value ?? {}).map(([key, item]) => [key.slice(1), item]))
}

/** How `json.dumps` is asked to print; the defaults are Python's. */
export interface DumpStyle {
  readonly item?: string
  readonly key?: string
  readonly ascii?: boolean
  readonly sortKeys?: boolean
}

/** `json.dumps`. */
export function dumps(value: PyValue, style: DumpStyle = {}): string {
  if (typeof value === 'string') return stringText(value, style.ascii ?? true)
  if (typeof value === 'number') return floatText(value).replace('inf', 'Infinity')
  if (Array.isArray(value)) {
    return `[${value.map((item) => dumps(item, style)).join(style.item ?? ', ')}]`
  }
  if (!isDict(value)) return String(value)
  const pairs = style.sortKeys === true ? sortedPairs(value) : [...value]
  const printed = pairs.map(
    ([key, item]) =>
      stringText(key, style.ascii ?? true) + (style.key ?? ': ') + dumps(item, style),
  )
  return `{${printed.join(style.item ?? ', ')}}`
}

/** The pairs of a dict as Python sorts them. */
export function sortedPairs(dict: ReadonlyMap<string, PyValue>): (readonly [string, PyValue])[] {
  return [...dict].toSorted(([a], [b]) => compareText(a, b))
}

/** By code point, as Python sorts text; JavaScript goes by the halves of a surrogate pair. */
export function compareText(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length)
  for (let index = 0; index < shorter; index += 1) {
    const difference = rank(a.charCodeAt(index)) - rank(b.charCodeAt(index))
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

/** A half of a pair stands for a code point above all that are not halves. */
const rank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit)

function stringText(text: string, ascii: boolean): string {
  const quoted = JSON.stringify(text)
  if (!ascii) return quoted
  return quoted.replaceAll(
    /[^ -~]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
