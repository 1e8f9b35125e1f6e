import type {
  ElicitRequest,
  ElicitRequestFormParams,
  ElicitResult,
} from '@modelcontextprotocol/sdk/types.js'
import { isJson, isJsonObject } from 'echelon/internal/value'
import type { Json, JsonObject } from 'echelon/runtime'
import type { ToolContext } from 'echelon/chat'
import { checkOf } from './input-schema.ts'
import { bounded } from './result.ts'

/** A call in progress that the server may ask questions for. */
export interface ElicitingCall {
  readonly context: Pick<ToolContext, 'key' | 'ask'>
  /** Questions asked so far. */
  questions: number
}

const MAX_QUESTIONS = 10
/** Attempts to answer one question in the requested form. */
const MAX_TRIES = 3
const MAX_CHARACTERS = 2000
const MAX_SCHEMA_CHARACTERS = 16_000

const CANCEL: ElicitResult = { action: 'cancel' }

/**
 * Puts a server's question to the user. The reply is an object that matches the schema, `decline`
 * (or `false`) to refuse, or `cancel`. An invalid reply is asked for again.
 *
 * The protocol does not say which call a question belongs to. If all calls in progress are of one
 * run, the last one asks. If they are of several runs, the question is canceled, since it might
 * reach the wrong person.
 */
export async function elicit(
  server: string,
  params: ElicitRequest['params'],
  calls: readonly ElicitingCall[],
): Promise<ElicitResult> {
  const call = callToAsk(calls)
  const schema = isForm(params) ? schemaOf(params) : undefined
  if (call?.context.ask === undefined || schema === undefined) return CANCEL
  const check = checkOf(schema)
  const question = bounded(`${server} asks: ${params.message}`, MAX_CHARACTERS)
  let problem: string | undefined
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    if (++call.questions > MAX_QUESTIONS) return CANCEL
    const asked = problem === undefined ? question : `${question}\n(${bounded(problem, 500)})`
    const reply = await call.context.ask(asked, schema)
    if (reply === 'decline' || reply === false) return { action: 'decline' }
    if (reply === 'cancel' || reply === null) return CANCEL
    const content = contentOf(reply)
    problem = content === undefined ? 'reply with an object of plain values' : check(reply)
    if (content !== undefined && problem === undefined) return { action: 'accept', content }
  }
  return CANCEL
}

const isForm = (params: ElicitRequest['params']): params is ElicitRequestFormParams =>
  params.mode !== 'url'

function schemaOf({ requestedSchema }: ElicitRequestFormParams): JsonObject | undefined {
  const schema: unknown = requestedSchema
  if (!isJson(schema) || !isJsonObject(schema)) return undefined
  return JSON.stringify(schema).length > MAX_SCHEMA_CHARACTERS ? undefined : schema
}

function callToAsk(calls: readonly ElicitingCall[]): ElicitingCall | undefined {
  const runs = new Set(calls.map(({ context }) => runOf(context.key)))
  return runs.size === 1 ? calls.at(-1) : undefined
}

/** A key is `run:step:call`, and the run's own id may contain colons. */
const runOf = (key: string): string => key.split(':').slice(0, -2).join(':')

type Content = NonNullable<ElicitResult['content']>

/** Accepts plain values and lists of strings, as the protocol does in forms. */
function contentOf(reply: Json): Content | undefined {
  if (!isJsonObject(reply)) return undefined
  const content: Content = {}
  for (const [field, value] of Object.entries(reply)) {
    if (Array.isArray(value)) {
      const words = value.filter((word) => typeof word === 'string')
      if (words.length < value.length) return undefined
      content[field] = words
    } else if (isPlain(value)) {
      content[field] = value
    } else {
      return undefined
    }
  }
  return content
}

const isPlain = (value: Json): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
