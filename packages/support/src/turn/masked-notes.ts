import type { Moved, Json, JsonObject } from 'echelon/runtime'
import { isJsonArray, isJsonObject, isRecord } from 'echelon/internal/value'
import type { Intent } from '../intent.ts'
import type { Message } from '../message.ts'
import { MASK } from './stages.ts'
import type { SupportState } from './support-state.ts'

/** Shorter values occur inside other words. */
const LEAST_CHARACTERS = 3

/**
 * Masks the values of sensitive parameters in a step's notes: they also occur in a model's reasoning, in rule
 * texts, and in errors.
 */
export function withMaskedValues(
  moved: Moved<SupportState>,
  before: SupportState,
  redacted: readonly string[],
): Moved<SupportState> {
  const { notes = [], state } = moved
  if (redacted.length === 0 || notes.length === 0) return moved
  const values = new Set([before, state].flatMap((one) => valuesOf(one, redacted)))
  if (values.size === 0) return moved
  const any = anyOf(values)
  return {
    state,
    notes: notes.map(({ stage, data }) => {
      const payload = masked(data['payload'] ?? null, any)
      return { stage, data: { ...data, payload } }
    }),
  }
}

/**
 * A conversation as a step sees it that needs no sensitive values: where the values that earlier messages gave stood,
 * there is a mask. A step for an intent that takes or tells such a value needs it.
 */
export function withoutPrivate(
  state: SupportState,
  intent: Intent,
  redacted: readonly string[],
): { readonly history: readonly Message[]; readonly text: string } {
  const { history, input } = state
  const { text } = input.interaction
  const own = [...intent.requiredParams, ...intent.optionalParams]
  const told = [intent.wording.post, ...Object.values(intent.wording.postByStatus)].join(' ')
  const others = redacted.filter((name) => !own.includes(name) && !told.includes(`{${name}}`))
  const values = new Set(valuesOf(state, others))
  if (values.size === 0) return { history, text }
  const any = anyOf(values)
  const hidden = (said: string): string => said.replaceAll(any, MASK)
  const kept = history.map((message) => ({ ...message, text: hidden(message.text) }))
  return { history: kept, text: hidden(text) }
}

/** Longest first, since one may be part of another. */
const anyOf = (values: ReadonlySet<string>): RegExp => {
  const longest = [...values].toSorted((one, other) => other.length - one.length)
  return new RegExp(longest.map(literally).join('|'), 'giu')
}

/** Finds them anywhere: in open tasks, calls, and readings. */
function valuesOf(value: unknown, redacted: readonly string[]): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((one: unknown) => valuesOf(one, redacted))
  if (!isRecord(value)) return []
  return Object.entries(value).flatMap(([name, one]) => {
    if (!redacted.includes(name)) return valuesOf(one, redacted)
    return textsOf(one).filter((text) => text.length >= LEAST_CHARACTERS)
  })
}

function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)]
  if (Array.isArray(value)) return value.flatMap(textsOf)
  return isRecord(value) ? Object.values(value).flatMap(textsOf) : []
}

const literally = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

const maskedObject = (data: JsonObject, any: RegExp): JsonObject =>
  Object.fromEntries(Object.entries(data).map(([name, value]) => [name, masked(value, any)]))

function masked(value: Json, any: RegExp): Json {
  if (typeof value === 'string') return value.replaceAll(any, MASK)
  if (isJsonArray(value)) return value.map((one) => masked(one, any))
  return isJsonObject(value) ? maskedObject(value, any) : value
}
