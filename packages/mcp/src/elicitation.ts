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

/** A call under way, as far as questions go. */
export interface Asking {
  readonly context: Pick<ToolContext, 'key' | 'ask'>
  /** Questions that its server has asked so far. */
  questions: number
}

const MOST_QUESTIONS = 10
/** How often somebody may answer in a way that does not fit. */
const MOST_TRIES = 3
const MOST_CHARACTERS = 2000
const MOST_SCHEMA_CHARACTERS = 16_000

const CANCEL: ElicitResult = { action: 'cancel' }

/**
 * Asks the user what a server wants to know. Whoever answers gives an object that fits the schema,
 * `decline` (or `false`) to refuse, or `cancel`; what is neither is asked for again.
 *
 * The protocol does not say which call a question belongs to. Of several calls under way it is the
 * last one if all are of one run; of several runs nobody is asked, since it might be the wrong person.
 */
export async function elicit(
  server: string,
  params: ElicitRequest['params'],
  calls: readonly Asking[],
): Promise<ElicitResult> {
  const call = oneOf(calls)
  const schema = isForm(params) ? schemaOf(params) : undefined
  if (call?.context.ask === undefined || schema === undefined) return CANCEL
  const check = checkOf(schema)
  const question = bounded(`${server} asks: ${params.message}`, MOST_CHARACTERS)
  let problem: string | undefined
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    if (++call.questions > MOST_QUESTIONS) return CANCEL
    const asked = problem === undefined ? question : `${question}\n(${bounded(problem, 500)})`
    const reply = await call.context.ask(asked, schema)
    if (reply === 'decline' || reply === false) return { action: 'decline' }
    if (reply === 'cancel' || reply === null) return CANCEL
    const content = contentOf(reply)
    problem = content === undefined ? 'give an object of plain values' : check(reply)
    if (content !== undefined && problem === undefined) return { action: 'accept', content }
  }
  return CANCEL
}

const isForm = (params: ElicitRequest['params']): params is ElicitRequestFormParams =>
  params.mode !== 'url'

function schemaOf({ requestedSchema }: ElicitRequestFormParams): JsonObject | undefined {
  const schema: unknown = requestedSchema
  if (!isJson(schema) || !isJsonObject(schema)) return undefined
  return JSON.stringify(schema).length > MOST_SCHEMA_CHARACTERS ? undefined : schema
}

function oneOf(calls: readonly Asking[]): Asking | undefined {
  const runs = new Set(calls.map(({ context }) => runOf(context.key)))
  return runs.size === 1 ? calls.at(-1) : undefined
}

/** A key is run, step and call; the run's own id may hold a colon. */
const runOf = (key: string): string => key.split(':').slice(0, -2).join(':')

type Content = NonNullable<ElicitResult['content']>

/** A form's fields are plain values and lists of words. */
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
