import { Message, TaskPushNotificationConfig } from '@a2a-js/sdk'
import { isJson, type Ids, type Json, type MemoryStore } from 'echelon/runtime'
import { z } from 'zod'
import type { TurnEnd } from '../agents/served-agent.ts'

/*
 * A task is its runs: its id is that of the first one, and its state, history and artifacts are read from
 * their events. Stored beside them is only what no run holds: which runs belong together, the user's
 * messages as they were sent, who is to be notified, and how each run ended, since not every agent can
 * tell that again.
 */

/** How a run ended, without the details of its agent. */
type KeptEnd = Omit<TurnEnd, 'details'>

/** A reply to a request, with the message that asked: the newest events of a killed server are lost. */
export interface KeptReply {
  readonly at: number
  readonly asked: Json
  readonly message: Json
}

/** One run of a task. */
export interface TaskTurn {
  readonly run: string
  readonly at: number
  /** The user's message, as JSON of the protocol; `null` if the run began by another protocol. */
  readonly message: Json
  readonly replies: readonly KeptReply[]
  readonly end: KeptEnd | null
}

interface KeptTarget {
  readonly config: Json
  readonly version: string
}

export interface TaskRecord {
  readonly v: 1
  readonly agent: string
  readonly context: string
  /** At least one. */
  readonly turns: readonly TaskTurn[]
  readonly push: readonly KeptTarget[]
  /** When it was canceled between two turns. */
  readonly canceledAt: number | null
}

const amount = z.number().nullable()
const json = z.custom<Json>((value) => isJson(value))
const tokens = { input: z.number(), output: z.number() }

const END: z.ZodType<KeptEnd> = z.object({
  status: z.enum(['finished', 'canceled', 'failed']),
  text: z.string(),
  output: z.exactOptional(json),
  reason: z.string(),
  detail: z.string().nullable(),
  usage: z.object(tokens),
  cost: amount,
  rungs: z.array(z.object({ model: z.string(), calls: z.number(), ...tokens, cost: amount })),
  checked: z.enum(['proved', 'supported', 'unsupported', 'refuted', 'unchecked']),
  confidence: amount,
  escalated: z.boolean(),
  needsInput: z.boolean(),
})

const TURN: z.ZodType<TaskTurn> = z.object({
  run: z.string(),
  at: z.number(),
  message: json,
  replies: z.array(z.object({ at: z.number(), asked: json, message: json })),
  end: END.nullable(),
})

const RECORD: z.ZodType<TaskRecord> = z.object({
  v: z.literal(1),
  agent: z.string(),
  context: z.string(),
  turns: z.array(TURN).min(1),
  push: z.array(z.object({ config: json, version: z.string() })),
  canceledAt: amount,
})

/** Stored under the id of a later run of a task. */
const LATER: z.ZodType<{ readonly of: string }> = z.object({ v: z.literal(1), of: z.string() })

/** Subscribers of a task, each with the protocol version of the subscription. */
export interface PushTarget {
  readonly config: TaskPushNotificationConfig
  readonly version: string
}

const MOST_TRIES = 20

/** The records of tasks, in the store's memories. */
export class TaskRecords {
  readonly #memories: MemoryStore
  readonly #ids: Ids

  constructor({ memories, ids }: { readonly memories: MemoryStore; readonly ids: Ids }) {
    this.#memories = memories
    this.#ids = ids
  }

  /** The record of a task; `{ of }` for a later run of one; `undefined` for a run without a record. */
  async read(id: string): Promise<TaskRecord | { readonly of: string } | undefined> {
    const { value } = await this.#memories.read(nameOf(id), null)
    const later = LATER.safeParse(value)
    if (later.success) return { of: later.data.of }
    const record = RECORD.safeParse(value)
    return record.success ? record.data : undefined
  }

  async create(id: string, record: TaskRecord): Promise<void> {
    await this.#memories.write(nameOf(id), asJson(record), { key: this.#ids.next() })
  }

  async addTurn(task: string, turn: TaskTurn): Promise<void> {
    const later = { v: 1, of: task }
    await this.#memories.write(nameOf(turn.run), later, { key: this.#ids.next() })
    await this.change(task, (record) => ({ ...record, turns: [...record.turns, turn] }))
  }

  /** Changes the turn of a run. */
  async changeTurn(task: string, run: string, change: (turn: TaskTurn) => TaskTurn): Promise<void> {
    await this.change(task, (record) => ({
      ...record,
      turns: record.turns.map((turn) => (turn.run === run ? change(turn) : turn)),
    }))
  }

  /** Changes a record; another writer's change in between is kept. */
  async change(task: string, change: (record: TaskRecord) => TaskRecord): Promise<void> {
    for (let tried = 0; tried < MOST_TRIES; tried++) {
      const { value, version } = await this.#memories.read(nameOf(task), null)
      const record = RECORD.safeParse(value)
      if (!record.success) return
      const key = this.#ids.next()
      const next = asJson(change(record.data))
      const written = await this.#memories.write(nameOf(task), next, { key, ifVersion: version })
      if (written !== 'conflict') return
    }
    throw new Error(`too many processes change the record of the task ${task} at once`)
  }
}

const nameOf = (id: string): string => `a2a/tasks/${id}`

function asJson(value: unknown): Json {
  const copy: unknown = JSON.parse(JSON.stringify(value))
  return isJson(copy) ? copy : null
}

/** How a run ended, for the record. */
export function keptEnd({ details: _details, ...end }: TurnEnd): TaskTurn['end'] {
  const kept = END.safeParse(asJson(end))
  return kept.success ? kept.data : null
}

export const turnEndOf = (end: KeptEnd): TurnEnd => ({ ...end, details: {} })

/** A message for the record. Its files are only named, since the run has them. */
export function messageJson(message: Message): Json {
  const parts = message.parts.map((part) => {
    if (part.content?.$case !== 'raw') return part
    const { filename, mediaType } = part
    const value = { file: filename, mediaType, bytes: part.content.value.length }
    return { ...part, content: { $case: 'data' as const, value } }
  })
  return asJson(Message.toJSON({ ...message, parts }))
}

export const messageOf = (json: Json): Message => Message.fromJSON(json)

export const pushJson = ({ config, version }: PushTarget): KeptTarget => ({
  config: asJson(TaskPushNotificationConfig.toJSON(config)),
  version,
})

export const pushOf = ({ config, version }: KeptTarget): PushTarget => ({
  config: TaskPushNotificationConfig.fromJSON(config),
  version,
})
