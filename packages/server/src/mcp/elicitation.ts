import type { ElicitRequestFormParams, ElicitResult } from '@modelcontextprotocol/sdk/types.js'
import { isJsonArray } from 'echelon/internal/value'
import { isJson, isJsonObject, type Json, type JsonObject } from 'echelon/runtime'
import type { TurnPart } from '../runs/turn-part.ts'

/** A request of a run to a person. */
export type Asked = Extract<TurnPart, { readonly type: 'approval' | 'question' }>

/** Converts a request into a form for the client's user, and reads the answer. */
export interface Form {
  readonly params: ElicitRequestFormParams
  /** @returns `undefined` if the user wants to stop the run */
  readonly reply: (result: ElicitResult) => Json | undefined
}

type FormSchema = ElicitRequestFormParams['requestedSchema']
type FieldSchema = FormSchema['properties'][string]

/** Approvals give a choice. A question whose schema does not fit a flat form is answered in words, or as JSON. */
export function formFor(asked: Asked): Form {
  if (asked.type === 'approval') return approvalForm(asked)
  const { question: message, schema } = asked
  const flat = schema === null ? undefined : flatForm(schema)
  if (flat !== undefined) {
    return {
      params: { mode: 'form', message, requestedSchema: flat },
      reply: (result) =>
        answerIn(result, ({ content }) => (isJson(content) ? content : null), null),
    }
  }
  const field = schema === null ? undefined : fieldOf(schema)
  const isWords = schema === null || field !== undefined
  const answer: FieldSchema = field ?? {
    type: 'string',
    ...(!isWords && {
      description: `JSON of this schema: ${JSON.stringify(schema).slice(0, 2000)}`,
    }),
  }
  return {
    params: {
      mode: 'form',
      message,
      requestedSchema: { type: 'object', properties: { answer }, required: ['answer'] },
    },
    reply: (result) =>
      answerIn(
        result,
        ({ content }) => {
          const given = content?.['answer'] ?? null
          return isWords || typeof given !== 'string' ? given : parsed(given)
        },
        field?.type === 'boolean' ? false : null,
      ),
  }
}

function approvalForm({ about }: Extract<Asked, { readonly type: 'approval' }>): Form {
  const input = JSON.stringify(about.input).slice(0, 4000)
  return {
    params: {
      mode: 'form',
      message: `${about.tool} wants to run: ${about.why}\n${input}`,
      requestedSchema: {
        type: 'object',
        properties: {
          decision: {
            type: 'string',
            title: 'Decision',
            description: 'once and deny hold for this call, always and never for all later ones',
            enum: [...about.choices],
          },
        },
        required: ['decision'],
      },
    },
    // The hash makes the answer one to this call only.
    reply: (result) =>
      answerIn(
        result,
        ({ content }) => ({ choice: content?.['decision'] ?? 'deny', hash: about.hash }),
        'deny',
      ),
  }
}

const answerIn = (
  result: ElicitResult,
  accepted: (result: ElicitResult) => Json,
  declined: Json,
): Json | undefined => {
  switch (result.action) {
    case 'accept':
      return accepted(result)
    case 'decline':
      return declined
    case 'cancel':
      return undefined
  }
}

function parsed(text: string): Json {
  try {
    const value: unknown = JSON.parse(text)
    return isJson(value) ? value : text
  } catch {
    return text
  }
}

/** An object of plain fields, as the protocol allows in forms. */
function flatForm({ type, properties, required }: JsonObject): FormSchema | undefined {
  if (type !== 'object' || properties === undefined || !isJsonObject(properties)) return undefined
  const fields: Record<string, FieldSchema> = {}
  for (const [name, schema] of Object.entries(properties)) {
    const field = isJsonObject(schema) ? fieldOf(schema) : undefined
    if (field === undefined) return undefined
    fields[name] = field
  }
  const names = isJsonArray(required) ? required.filter((name) => typeof name === 'string') : []
  return { type: 'object', properties: fields, ...(names.length > 0 && { required: names }) }
}

function fieldOf(schema: JsonObject): FieldSchema | undefined {
  const { type, title, description, enum: choices } = schema
  const words = {
    ...(typeof title === 'string' && { title }),
    ...(typeof description === 'string' && { description }),
  }
  if (isJsonArray(choices)) {
    const names = choices.filter((choice) => typeof choice === 'string')
    return names.length === choices.length && names.length > 0
      ? { type: 'string', enum: names, ...words }
      : undefined
  }
  if (type === 'string') return { type, ...words }
  if (type === 'number' || type === 'integer') return { type, ...words }
  return type === 'boolean' ? { type, ...words } : undefined
}
