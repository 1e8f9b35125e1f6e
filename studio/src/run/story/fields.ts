import type { Json, JsonObject } from 'echelon/client'

/* Reads fields of JSON whose shape belongs to an agent or a middleware, and may be any. */

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export function textOf(data: JsonObject, name: string): string | undefined {
  const value = data[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function numberOf(data: JsonObject, name: string): number | undefined {
  const value = data[name]
  return typeof value === 'number' ? value : undefined
}

export function objectOf(data: JsonObject, name: string): JsonObject {
  const value = data[name]
  return isObject(value) ? value : {}
}

/** With a capital letter and a period, as a sentence. */
export function sentence(text: string): string {
  const said = text.trim()
  if (said === '') return said
  const ended = /[.!?…]$/.test(said) ? said : `${said}.`
  return ended.charAt(0).toUpperCase() + ended.slice(1)
}
