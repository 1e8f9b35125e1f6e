import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isRecord } from '../../../packages/echelon/src/core/value/json.ts'
import { type DataRow, pick } from '../tools/data-file.ts'
import type { Turn } from './sgd-dialogue.ts'

/** Requirements of an intent, by `service intent`. */
export type SgdSchema = ReadonlyMap<string, SgdIntent>

export interface SgdIntent {
  readonly required: readonly string[]
  readonly optional: readonly string[]
  /** Whether it changes something, so that the customer is asked to confirm. */
  readonly isTransactional: boolean
}

export const intentKey = (service: string, intent: string): string => `${service} ${intent}`

const FILES = ['sgd_schema.json', 'sgd_schemas.json', 'sgd_schema.jsonl', 'schema.json']

/** Finds the schema in a file beside the dialogues, or in their rows; `undefined` without one. */
export async function findSchema(
  folder: string,
  rows: readonly DataRow[],
): Promise<SgdSchema | undefined> {
  for (const name of FILES) {
    const text = await readFile(join(folder, name), 'utf8').catch(() => undefined)
    const found = text === undefined ? new Map<string, SgdIntent>() : intentsOf(parsed(text))
    if (found.size > 0) return found
  }
  const inRows = intentsOf(rows.map((row) => pick(row, ['schema', 'schemas', 'services'])).flat())
  return inRows.size === 0 ? undefined : inRows
}

function parsed(text: string): readonly unknown[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const json: unknown = JSON.parse(/^\s*[[{]\s*\n/.test(text) ? text : `[${lines.join()}]`)
  return Array.isArray(json) ? json.flat() : [json]
}

function intentsOf(services: readonly unknown[]): Map<string, SgdIntent> {
  const pairs = services.filter(isRecord).flatMap((service) => {
    const name = textOf(pick(service, ['service_name', 'service', 'name']))
    const intents = pick(service, ['intents'])
    return (Array.isArray(intents) ? intents : []).filter(isRecord).map((intent) => {
      const optional = pick(intent, ['optional_slots', 'optional'])
      const found: SgdIntent = {
        required: textsOf(pick(intent, ['required_slots', 'required'])),
        optional: isRecord(optional) ? Object.keys(optional) : textsOf(optional),
        isTransactional: pick(intent, ['is_transactional', 'transactional']) === true,
      }
      return [intentKey(name, textOf(pick(intent, ['name', 'intent']))), found] as const
    })
  })
  return new Map(pairs)
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []

/**
 * Derives the required parameters of the intents from the systems' calls: those that every call of an intent has,
 * without those that the system filled in by itself before a confirmation.
 */
export function inferSchema(dialogues: readonly (readonly Turn[])[]): SgdSchema {
  const seen = new Map<string, Seen>()
  for (const turns of dialogues) {
    for (const [index, turn] of turns.entries())
      if (!turn.byUser) look(turn, turns[index - 1], seen)
  }
  return new Map(
    [...seen].map(([key, { calls, filledIn, asked, confirmed }]) => {
      // For an intent that is never called, only the requested slots are known.
      const all = [...new Set(calls.length === 0 ? asked : calls.flat())]
      const required = all.filter(
        (slot) => !filledIn.has(slot) && calls.every((call) => call.includes(slot)),
      )
      const optional = all.filter((slot) => !required.includes(slot))
      return [key, { required, optional, isTransactional: confirmed }]
    }),
  )
}

interface Seen {
  readonly calls: (readonly string[])[]
  readonly filledIn: Set<string>
  readonly asked: Set<string>
  confirmed: boolean
}

function look(system: Turn, user: Turn | undefined, seen: Map<string, Seen>): void {
  for (const frame of system.frames) {
    const state = user?.frames.find(({ service }) => service === frame.service)?.state
    const intent = frame.call?.method ?? state?.intent
    if (intent === undefined || intent === 'NONE') continue
    const key = intentKey(frame.service, intent)
    const known = seen.get(key) ?? {
      calls: [],
      filledIn: new Set(),
      asked: new Set(),
      confirmed: false,
    }
    seen.set(key, known)
    if (frame.call !== undefined) known.calls.push(frame.call.parameters)
    for (const { act, slot } of frame.actions) {
      if (act === 'REQUEST') known.asked.add(slot)
      if (act !== 'CONFIRM') continue
      known.confirmed = true
      if (state !== undefined && !state.slots.has(slot)) known.filledIn.add(slot)
    }
  }
}
