/**
 * A value as Python has it after `json.loads`. A bigint is an int and a number is a float, since
 * Python prints 250 and 250.0 apart; a dict is a Map, since an object of JavaScript would put keys
 * that look like numbers, such as ids of items, first.
 */
export type PyValue = string | boolean | null | bigint | number | PyValue[] | Dict
export type Dict = Map<string, PyValue>

/** An exception that Python would raise; `message` is its `str()`. */
export class PyError extends Error {}

export const isDict = (value: PyValue | undefined): value is Dict => value instanceof Map

export const isNumber = (value: PyValue): value is bigint | number =>
  typeof value === 'bigint' || typeof value === 'number'

/** Python's name for the type of a value. */
export function typeName(value: PyValue): string {
  if (value === null) return 'NoneType'
  if (Array.isArray(value)) return 'list'
  if (isDict(value)) return 'dict'
  const names: Readonly<Record<string, string>> = {
    string: 'str',
    boolean: 'bool',
    bigint: 'int',
    number: 'float',
  }
  return names[typeof value] ?? typeof value
}

/** A copy that shares nothing with the value. */
export function deepCopy<T extends PyValue>(value: T): T
export function deepCopy(value: PyValue): PyValue {
  if (Array.isArray(value)) return value.map((item) => deepCopy(item))
  if (isDict(value)) return new Map([...value].map(([key, item]) => [key, deepCopy(item)]))
  return value
}
