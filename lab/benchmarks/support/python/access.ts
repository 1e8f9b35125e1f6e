import { repr } from './text.ts'
import { type Dict, isDict, isNumber, PyError, type PyValue, typeName } from './value.ts'

/** Equal as Python's `==` has it: 5 is 5.0, and the order of keys does not matter. */
export function equals(a: PyValue, b: PyValue): boolean {
  if (isNumber(a) && isNumber(b)) return Number(a) === Number(b)
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => equals(item, b[index] ?? null))
  }
  if (isDict(a) && isDict(b)) {
    return (
      a.size === b.size && [...a].every(([key, item]) => b.has(key) && equals(item, at(b, key)))
    )
  }
  return a === b
}

/**
 * `value[key]`.
 * @throws PyError what a KeyError or a TypeError says
 */
export function at(value: PyValue, key: PyValue): PyValue {
  if (isDict(value)) {
    const found = typeof key === 'string' ? value.get(key) : undefined
    if (found === undefined) throw new PyError(repr(key))
    return found
  }
  if (Array.isArray(value) || typeof value === 'string') {
    const kind = Array.isArray(value) ? 'list indices' : 'string indices'
    const slices = Array.isArray(value) ? ' or slices' : ''
    throw new PyError(`${kind} must be integers${slices}, not ${quoted(value, key)}`)
  }
  throw new PyError(`'${typeName(value)}' object is not subscriptable`)
}

const quoted = (value: PyValue, key: PyValue): string =>
  Array.isArray(value) ? typeName(key) : `'${typeName(key)}'`

/** `key in value`, for a dict, or a list or text. */
export function contains(value: PyValue, key: PyValue): boolean {
  if (isDict(value)) return typeof key === 'string' && value.has(key)
  if (Array.isArray(value)) return value.some((item) => equals(item, key))
  if (typeof value === 'string' && typeof key === 'string') return value.includes(key)
  throw new PyError(`argument of type '${typeName(value)}' is not iterable`)
}

/** The items that `for … in` goes through, of a list. */
export function listOf(value: PyValue): PyValue[] {
  if (Array.isArray(value)) return value
  if (isDict(value)) return [...value.keys()]
  if (typeof value === 'string') return Array.from(value)
  throw new PyError(`'${typeName(value)}' object is not iterable`)
}

/** The same list or dict, to be changed in place. */
export function dictOf(value: PyValue): Dict {
  if (isDict(value)) return value
  throw new PyError(`'${typeName(value)}' object does not support item assignment`)
}

/** `len(value)`. */
export function lengthOf(value: PyValue): bigint {
  if (Array.isArray(value)) return BigInt(value.length)
  if (isDict(value)) return BigInt(value.size)
  if (typeof value === 'string') return BigInt(Array.from(value).length)
  throw new PyError(`object of type '${typeName(value)}' has no len()`)
}
