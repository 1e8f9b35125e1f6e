import {
  type Entry,
  isJson,
  type Json,
  type JsonObject,
  type StateContainer,
} from 'echelon/runtime'
import { z } from 'zod'

/**
 * Schema of an exported journal entry, as strict as a dry run needs. Of observations and tool outcomes
 * only the type is checked, since the dry run hands them to the agent.
 */

type Seen = Extract<Entry, { type: 'closed' }>['seen']
type Outcome = Extract<Entry, { type: 'settled' }>['outcome']

const OBSERVED: ReadonlySet<unknown> = new Set<Seen['type']>([
  'generated',
  'tools-called',
  'refused',
  'failed',
  'permitted',
  'answered',
  'unanswered',
  'said',
  'woke',
  'recalled',
  'remembered',
  'together',
  'heard',
  'canceled',
])

const OUTCOMES: ReadonlySet<unknown> = new Set<Outcome['type']>([
  'ok',
  'error',
  'denied',
  'refused',
  'unknown',
])

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && isJson(value)

const json = z.custom<Json>((value) => isJson(value), 'expected JSON of at most 64 levels')
const object = z.custom<JsonObject>(isObject, 'expected an object')
const typed = (types: ReadonlySet<unknown>) => (value: unknown) =>
  isObject(value) && types.has(value['type'])
const seen = z.custom<Seen>(typed(OBSERVED), 'expected an observation of a known type')
const outcome = z.custom<Outcome>(typed(OUTCOMES), 'expected an outcome of a known type')

const whole = z.int().min(0)
const amounts = z.record(z.string(), z.number())
const path = z.string()

/** Stored states of a run or conversation. */
export const containerSchema: z.ZodType<StateContainer> = z.object({
  states: object,
  schemaSignature: z.string().nullable(),
  schemaVersion: z.literal(1, 'expected 1: a newer Echelon wrote it, so use that version'),
  stateVersions: z.record(z.string(), z.int().min(1)).nullable(),
})

const turn = z.object({
  id: z.string(),
  length: whole,
  digest: z.number(),
  kept: whole.exactOptional(),
})

const started = z.object({
  type: z.literal('started'),
  path,
  runId: z.string().min(1),
  agent: z.string().min(1),
  version: whole,
  input: json,
  at: z.number(),
  seed: z.number(),
  timeZone: z.string(),
  models: z.record(z.string(), z.string()),
  limits: amounts,
  session: turn.exactOptional(),
  caller: z.string().exactOptional(),
  made: json.exactOptional(),
  forkedFrom: z
    .object({
      run: z.string(),
      at: whole,
      forkedAt: z.number().exactOptional(),
      act: z.array(z.string()).exactOptional(),
      memories: z.array(z.string()).exactOptional(),
      session: turn.exactOptional(),
    })
    .exactOptional(),
  traceparent: z.string().exactOptional(),
  states: containerSchema.exactOptional(),
})

const closed = z.object({
  type: z.literal('closed'),
  path,
  seq: whole,
  digest: z.number(),
  seen,
  at: z.number(),
  spent: amounts,
  states: object.exactOptional(),
  prompt: z.object({ digest: z.number(), head: z.number(), tail: z.number() }).exactOptional(),
})

const settled = z.object({
  type: z.literal('settled'),
  path,
  seq: whole,
  call: whole,
  outcome,
  states: object.exactOptional(),
})

const requested = z.object({
  type: z.literal('requested'),
  path,
  seq: whole,
  call: whole.exactOptional(),
  request: z.string(),
  about: json,
  hash: z.string().exactOptional(),
  at: z.number(),
  until: z.number().exactOptional(),
})

const dropped = z.object({
  type: z.literal('dropped'),
  count: whole,
  snapshot: z.object({
    agent: z.string().min(1),
    version: whole,
    seq: whole,
    after: whole,
    state: z.unknown(),
    spent: amounts,
    models: z.record(z.string(), z.string()),
    states: containerSchema.exactOptional(),
    at: z.number(),
  }),
})

/** One journal entry. Errors name the field. */
export const entrySchema: z.ZodType<Entry> = z.discriminatedUnion('type', [
  started,
  closed,
  settled,
  requested,
  dropped,
  z.object({ type: z.literal('opened'), path, seq: whole, hold: amounts }),
  z.object({ type: z.literal('intended'), path, seq: whole, call: whole, key: z.string() }),
  z.object({
    type: z.literal('replied'),
    request: z.string(),
    reply: json,
    at: z.number(),
    by: z.string().exactOptional(),
  }),
  z.object({
    type: z.literal('cancel-asked'),
    by: z.enum(['user', 'shutdown']),
    at: z.number(),
  }),
  z.object({
    type: z.literal('bound'),
    path,
    role: z.string(),
    model: z.string(),
    at: z.number(),
  }),
  z.object({
    type: z.literal('resumed'),
    path: path.exactOptional(),
    charged: amounts,
    at: z.number(),
    after: whole.exactOptional(),
    interrupted: z.literal(true).exactOptional(),
    states: containerSchema.exactOptional(),
  }),
  z.object({
    type: z.literal('ended'),
    path,
    status: z.enum(['finished', 'canceled', 'failed']),
    reason: z.string(),
    at: z.number(),
    states: object.exactOptional(),
    text: z.string().exactOptional(),
  }),
])

/** A saved chat session. Its messages are not read here. */
interface SessionFile {
  readonly kind: 'echelon-session'
  readonly version: 1
  readonly id: string
  /** Name of the agent, with its version in newer files. */
  readonly agent: string | { readonly name: string; readonly version: number }
  readonly messages: readonly unknown[]
  readonly states: StateContainer
}

export const sessionSchema: z.ZodType<SessionFile> = z.object({
  kind: z.literal('echelon-session'),
  version: z.literal(1, 'expected 1: a newer Echelon wrote it, so use that version'),
  id: z.string().min(1),
  agent: z.union([z.string().min(1), z.object({ name: z.string().min(1), version: whole })]),
  messages: z.array(z.unknown()),
  states: containerSchema,
})
