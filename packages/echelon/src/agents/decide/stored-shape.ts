import { isRecord } from '../../core/value/json.ts'

/** Checks the form of a part of a stored value. */
export type Check = (value: unknown) => boolean

export const isText: Check = (value) => typeof value === 'string'
export const isNumber: Check = (value) => typeof value === 'number'
export const isCount: Check = (value) => Number.isInteger(value) && Number(value) >= 0
export const isFlag: Check = (value) => typeof value === 'boolean'
export const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value)
export const orAbsent =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value)
export const oneOf =
  (...values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value)
export const each =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every((one) => check(one))

export type Fields = Readonly<Record<string, Check>>

export const having =
  (fields: Fields): Check =>
  (value) =>
    isRecord(value) && Object.entries(fields).every(([name, check]) => check(value[name]))

/** Checks one of several shapes, distinguished by a field. */
export const byKind =
  (field: string, kinds: Readonly<Record<string, Fields>>): Check =>
  (value) => {
    const kind = isRecord(value) ? value[field] : undefined
    const fields = typeof kind === 'string' && Object.hasOwn(kinds, kind) ? kinds[kind] : undefined
    return fields !== undefined && having(fields)(value)
  }
