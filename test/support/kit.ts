import { seededIds } from '../../packages/echelon/src/core/value/random.ts'
import type { JsonObject } from '../../packages/echelon/src/core/value/json.ts'
import { sha256 } from '../../packages/echelon/src/platform/hash.ts'
import { summarising } from '../../packages/echelon/src/middleware/history/summarising.ts'
import { SetClock } from '../../packages/echelon/src/testing/set-clock.ts'
import type { ConversationMemory } from '../../packages/support/src/primitives/conversation-memory.ts'
import type { DataSource } from '../../packages/support/src/primitives/data-source.ts'
import type { Intent } from '../../packages/support/src/intent.ts'
import { IntentsRegistry } from '../../packages/support/src/intents-registry.ts'
import type { Message } from '../../packages/support/src/message.ts'
import type {
  PolicyDecision,
  PolicyEngine,
} from '../../packages/support/src/primitives/policy-engine.ts'
import type { RouterOptions } from '../../packages/support/src/router-options.ts'
import type { RouterParts } from '../../packages/support/src/router-world.ts'
import { SupportRouter } from '../../packages/support/src/router.ts'
import type { TelemetryEvent } from '../../packages/support/src/primitives/telemetry-sink.ts'
import type {
  ExecutionContext,
  ToolExecutor,
  ToolResult,
} from '../../packages/support/src/primitives/tool-executor.ts'
import type { Reader } from '../../packages/support/src/understand/reader.ts'
import { NO_KNOWLEDGE } from '../../packages/support/src/knowledge/knowledge.ts'
import {
  type Command,
  NOT_UNDERSTOOD,
  type Reading,
  type StartTask,
} from '../../packages/support/src/understand/command.ts'

const ORDER_ID = {
  label: 'order ID',
  pattern: 'O-\\d{5}',
  form: 'upper',
  ask: "What's your order ID?",
  values: {},
  wholeAnswer: false,
} as const

const ANYONE = { channels: [], rollout: 100, minTier: null }

/** Intents as small as the tests need them. */
export const TEST_INTENTS: readonly Intent[] = [
  intent('order_status', 'check_order_status', 'Your order {order_id} is {status}'),
  { ...intent('refund', 'issue_refund', 'Refunded {order_id}'), confirm: true },
  {
    ...intent('hand_over', 'hand_over', 'Ticket {ticket}'),
    requiredParams: [],
    optionalParams: ['reason'],
  },
]

function intent(id: string, tool: string, post: string): Intent {
  return {
    id,
    description: id.replaceAll('_', ' '),
    requiredParams: ['order_id'],
    optionalParams: [],
    tool,
    tools: [],
    constraints: ANYONE,
    params: { order_id: ORDER_ID },
    examples: [],
    confirm: false,
    wording: {
      pre: 'One moment: {order_id}.',
      post,
      postByStatus: {},
      confirm: 'Sure about {order_id}?',
    },
  }
}

/** Reads what the test says: `status O-1; refund O-2`, `yes`, `drop`, `correct O-3`, or an id. */
export const wordByWord: Reader = (text, { dialogue }) => {
  const about = dialogue.open?.intentId ?? dialogue.last?.intentId ?? 'order_status'
  const { params } = wish(about, text)
  if (text === 'no') return saying({ type: 'deny' })
  if (text === 'drop') return saying({ type: 'cancel-task' })
  if (text === 'undo' || text === 'repeat' || text === 'wait') return saying({ type: text })
  if (text === 'thanks') return saying({ type: 'small-talk', kind: 'thanks' })
  if (text === 'back') return saying({ type: 'go-back' })
  if (text.startsWith('yes')) {
    return saying({ type: 'confirm' }, ...wishesIn(text.slice('yes;'.length)))
  }
  if (text.startsWith('correct')) {
    return saying({ type: 'correct-slots', intentId: about, params })
  }
  if (/^O-\d+$/.test(text) || /^\d+$/.test(text)) return saying({ type: 'set-slots', params })
  const wishes = wishesIn(text)
  return wishes.length === 0 ? NOT_UNDERSTOOD : saying(...wishes)
}

const wishesIn = (text: string): readonly StartTask[] =>
  text.split(';').flatMap((part) => {
    const [word = ''] = part.trim().split(' ')
    const id = { status: 'order_status', refund: 'refund', person: 'hand_over' }[word]
    return id === undefined ? [] : [wish(id, part)]
  })

const saying = (...commands: readonly Command[]): Reading => ({
  commands,
  confidence: 1,
  reasoning: 'in the test',
})

function wish(intentId: string, text: string): StartTask {
  const id = /O-\d+/.exec(text)?.[0]
  const params = id === undefined ? {} : { order_id: id }
  return { type: 'start-task', intentId, params, confidence: 1 }
}

/** A minimal memory of three methods. */
export class PlainMemory implements ConversationMemory {
  readonly sessions: Map<string, readonly Message[]> = new Map()
  async getHistory(sessionId: string): Promise<readonly Message[]> {
    return this.sessions.get(sessionId) ?? []
  }
  async append(sessionId: string, message: Message): Promise<void> {
    this.sessions.set(sessionId, [...(await this.getHistory(sessionId)), message])
  }
  async clear(sessionId: string): Promise<void> {
    this.sessions.delete(sessionId)
  }
}

interface PlainCall {
  readonly tool: string
  readonly params: JsonObject
  readonly context: ExecutionContext
}

/** Orders as the test defines them; records each call. */
export class PlainExecutor implements ToolExecutor {
  readonly calls: PlainCall[] = []
  readonly #results: Readonly<Record<string, ToolResult>>
  constructor(results: Readonly<Record<string, ToolResult>> = {}) {
    this.#results = results
  }
  describe(): ReturnType<ToolExecutor['describe']> {
    return ['check_order_status', 'issue_refund', 'hand_over'].map((name) => ({
      name,
      description: name,
      parameters: { type: 'object', properties: { order_id: { type: 'string' } } },
      acts: name !== 'check_order_status',
    }))
  }
  async execute(
    { toolName, params }: Parameters<ToolExecutor['execute']>[0],
    context: ExecutionContext,
  ): Promise<ToolResult> {
    this.calls.push({ tool: toolName, params, context })
    return this.#results[toolName] ?? done({ status: 'shipped', ticket: 'H-1', ...params })
  }
}

export const done = (data: JsonObject): ToolResult => ({
  success: true,
  data,
  error: null,
  executionTimeMs: 1,
})

export const undone = (error: string, code?: string): ToolResult => ({
  success: false,
  data: null,
  error,
  executionTimeMs: 1,
  ...(code !== undefined && { code }),
})

/** Rules as the test defines them, with a count of calls. */
export class PlainPolicy implements PolicyEngine {
  asked: number = 0
  readonly #decide: (asked: number) => PolicyDecision
  constructor(decide: (asked: number) => PolicyDecision = () => YES) {
    this.#decide = decide
  }
  validate(): PolicyDecision {
    this.asked += 1
    return this.#decide(this.asked)
  }
}

export const YES: PolicyDecision = { allowed: true, violations: [], requiresEscalation: false }

const NOBODY: DataSource = { getOrder: async () => null, getCustomer: async () => null }

/** A router of plain parts, with its telemetry. */
export function plainRouter(options: RouterOptions = {}): {
  readonly router: SupportRouter
  readonly events: TelemetryEvent[]
} {
  const events: TelemetryEvent[] = []
  const parts: RouterParts = {
    clock: new SetClock(0),
    ids: seededIds(7),
    artifacts: { write: async () => ({ name: '', path: '', mediaType: '', bytes: 0, sha256: '' }) },
    timeZone: () => 'UTC',
    hash: sha256,
    memory: () => new PlainMemory(),
    dataSource: () => NOBODY,
    policy: () => new PlainPolicy(),
    executor: () => new PlainExecutor(),
    intents: async () =>
      new IntentsRegistry({ intents: TEST_INTENTS, tiers: [], redactedParams: [] }),
    reader: () => wordByWord,
    knowledge: async () => NO_KNOWLEDGE,
    shorten: (maxTokens) => summarising({ maxTokens }),
  }
  const telemetry = { record: (event: TelemetryEvent) => void events.push(event) }
  return { router: new SupportRouter({ telemetry, ...options }, parts), events }
}
