import type { ConversationMemory } from '../../../support/src/primitives/conversation-memory.ts'
import type { DataSource, Order } from '../../../support/src/primitives/data-source.ts'
import { InMemoryConversationMemory } from '../../../support/src/in-memory-conversation-memory.ts'
import type { Message } from '../../../support/src/message.ts'
import { changedOrder, orderIn } from '../../../support/src/order-change.ts'
import type { ToolExecutor, ToolResult } from '../../../support/src/primitives/tool-executor.ts'
import type {
  TelemetryEvent,
  TelemetrySink,
} from '../../../support/src/primitives/telemetry-sink.ts'
import { conversationMemoryContract } from '../../../support/src/testing/conversation-memory-contract.ts'
import {
  type DataToHold,
  dataSourceContract,
} from '../../../support/src/testing/data-source-contract.ts'
import { holdsAndFails } from './holds-and-fails.ts'
import { telemetrySinkContract } from '../../../support/src/testing/telemetry-sink-contract.ts'
import {
  type ToolExecutorTrial,
  toolExecutorContract,
} from '../../../support/src/testing/tool-executor-contract.ts'

// --- conversations

type BrokenMemory = (good: InMemoryConversationMemory) => Partial<ConversationMemory>

const others = new WeakMap<ConversationMemory, () => ConversationMemory>()

function memoryOver(good: InMemoryConversationMemory, broken: BrokenMemory): ConversationMemory {
  const memory: ConversationMemory = {
    getHistory: (session) => good.getHistory(session),
    append: (session, message) => good.append(session, message),
    clear: (session) => good.clear(session),
    ...broken(good),
  }
  others.set(memory, () => memoryOver(good, broken))
  return memory
}

const memory =
  (broken: BrokenMemory = () => ({})) =>
  () =>
    memoryOver(new InMemoryConversationMemory(), broken)

/** Reads before writing, without a lock. */
const forgetful: BrokenMemory = (good) => ({
  append: async (session, message) => {
    const before = await good.getHistory(session)
    if (before.some(({ metadata }) => metadata['id'] && metadata['id'] === message.metadata['id']))
      return
    await new Promise((resolve) => setImmediate(resolve))
    await good.clear(session)
    for (const each of [...before, message]) await good.append(session, each)
  },
})

/** Each process has a separate memory. */
const alone: BrokenMemory = () => {
  const own = new InMemoryConversationMemory()
  return {
    getHistory: (session) => own.getHistory(session),
    append: (session, message) => own.append(session, message),
    clear: (session) => own.clear(session),
  }
}

holdsAndFails<() => ConversationMemory>(
  'a memory of conversations',
  (open) =>
    conversationMemoryContract(open, { another: (one) => others.get(one)?.() ?? memory()() }),
  memory(),
  {
    'a conversation that nobody has begun is empty': memory((good) => ({
      getHistory: async (session) => {
        const history = await good.getHistory(session)
        if (history.length === 0) throw new Error(`there is no session ${session}`)
        return history
      },
    })),
    'messages come back as they were, oldest first': memory((good) => ({
      getHistory: async (session) => (await good.getHistory(session)).toReversed(),
    })),
    'the same text twice is two messages': memory((good) => ({
      append: async (session, message) => {
        const history = await good.getHistory(session)
        if (!history.some(({ text }) => text === message.text)) await good.append(session, message)
      },
    })),
    'a message with an id is kept once, however often it is delivered': memory((good) => ({
      append: (session, message) =>
        good.append(session, { ...message, metadata: { ...message.metadata, id: Math.random() } }),
    })),
    'sessions of any name are told apart, and cleared one by one': memory((good) => ({
      append: (session, message) => good.append(session.toLowerCase(), message),
      getHistory: (session) => good.getHistory(session.toLowerCase()),
    })),
    'what a reader or a writer does is not seen by the next': memory(() => {
      const kept: Message[] = []
      return { append: async (_, message) => void kept.push(message), getHistory: async () => kept }
    }),
    'of messages that are appended at once none is lost': memory(forgetful),
    'what one process appends and clears others see at once': memory(alone),
    'of two processes at once no message is lost or comes twice': memory(forgetful),
  },
)

// --- data

class MapSource implements DataSource {
  readonly orders: Map<string, Order>
  readonly customers: Map<string, Order>
  readonly answers = new Map<string, Order>()
  readonly tickets = new Map<string, string>()
  constructor(data: DataToHold) {
    this.orders = new Map(Object.entries(data.orders))
    this.customers = new Map(Object.entries(data.customers))
  }
  getOrder: DataSource['getOrder'] = async (id) => structuredClone(orderIn(this.orders.get(id)))
  getCustomer: DataSource['getCustomer'] = async (id) =>
    structuredClone(this.customers.get(id) ?? null)
  changeOrder: NonNullable<DataSource['changeOrder']> = async (change, key) => {
    const before = this.answers.get(key)
    if (before !== undefined) return structuredClone(before)
    const order = changedOrder(orderIn(this.orders.get(change.orderId)), structuredClone(change))
    this.orders.set(change.orderId, order)
    this.answers.set(key, order)
    return structuredClone(order)
  }
  handOver: NonNullable<DataSource['handOver']> = async (_, key) => {
    const ticket = this.tickets.get(key) ?? `T-${this.tickets.size}`
    this.tickets.set(key, ticket)
    return ticket
  }
}

type OpenSource = (data: DataToHold) => DataSource

const source =
  (broken: (good: MapSource) => Partial<DataSource> = () => ({})): OpenSource =>
  (data) => {
    const good = new MapSource(data)
    return Object.assign(good, broken(good))
  }

/** Applies changes without checking the key. */
const keyless = (good: MapSource): Partial<DataSource> => {
  const { changeOrder } = good
  return {
    changeOrder: (change, key) => {
      good.answers.delete(key)
      return changeOrder(change, key)
    },
  }
}

holdsAndFails<OpenSource>(
  'a data source',
  (open) => dataSourceContract(open, { another: (one) => one }),
  source(),
  {
    'orders and customers come back as they are': source((good) => ({
      getOrder: async (id) => {
        const { carrier: _, ...rest } = good.orders.get(id) ?? {}
        return good.orders.has(id) ? rest : null
      },
    })),
    'what there is not is null': source((good) => {
      const plain = Object.fromEntries(good.orders)
      return { getOrder: async (id) => plain[id] ?? null }
    }),
    'an order whose record says not_found is not there either': source((good) => ({
      getOrder: async (id) => structuredClone(good.orders.get(id) ?? null),
    })),
    'what a reader does to an order is not seen by the next': source((good) => ({
      getOrder: async (id) => orderIn(good.orders.get(id)),
    })),
    'a change holds from then on, and all else stays': source((good) => {
      const { changeOrder } = good
      return {
        changeOrder: async (change, key) => {
          const order = await changeOrder(change, key)
          good.orders.set(change.orderId, { ...change.set })
          return order
        },
      }
    }),
    'a change under a key is done once, and answered the same again': source(keyless),
    'of changes at once under one key one is made': source(keyless),
    'a change of an order that is otherwise is refused, and changes nothing': source((good) => {
      const { changeOrder } = good
      return {
        changeOrder: ({ orderId, set }, key) => changeOrder({ orderId, set }, key),
      }
    }),
    'of changes at once over the same state one is made': source((good) => {
      const { changeOrder } = good
      return {
        changeOrder: async (change, key) => {
          changedOrder(await good.getOrder(change.orderId), change)
          await new Promise((resolve) => setImmediate(resolve))
          return await changeOrder({ orderId: change.orderId, set: change.set }, key)
        },
      }
    }),
    'an order that is not there cannot be changed': source((good) => {
      const { changeOrder } = good
      return {
        changeOrder: async (change, key) =>
          good.orders.has(change.orderId) ? await changeOrder(change, key) : {},
      }
    }),
    'a conversation is handed over once under a key': source((good) => ({
      handOver: async () => {
        good.tickets.set(`${good.tickets.size}`, '')
        return `T-${good.tickets.size}`
      },
    })),
    'what was changed another process has as well, with its keys': source((good) => {
      const { changeOrder } = good
      return {
        changeOrder: async (change, key) => {
          const answer = await changeOrder(change, key)
          good.answers.delete(key)
          return answer
        },
      }
    }),
  },
)

// --- sinks

const sink =
  (broken: (kept: string[]) => Partial<TelemetrySink> = () => ({})) =>
  () => {
    const kept: string[] = []
    const good: TelemetrySink = { record: (event) => void kept.push(JSON.stringify(event)) }
    return {
      sink: { ...good, ...broken(kept) },
      kept: () => kept,
      obstruct: () => void kept.push('broken'),
    }
  }

holdsAndFails('a telemetry sink', telemetrySinkContract, sink(), {
  'it has every stage, in the order in which it heard of them': sink((kept) => ({
    record: ({ stage }) => void kept.push(stage),
  })),
  'it has an event as it was told, whatever becomes of it': () => {
    const events: TelemetryEvent[] = []
    return {
      sink: { record: (event: TelemetryEvent) => void events.push(event) },
      kept: () => events.map((event) => JSON.stringify(event)),
    }
  },
  'it never throws, not even when nothing can be kept': sink((kept) => ({
    record: () => {
      if (kept.length > 0) throw new Error('the disk is full')
    },
  })),
})

// --- tools

const failure = (error: string): ToolResult => ({
  success: false,
  data: null,
  error,
  executionTimeMs: 0,
})

const tools =
  (broken: (good: ToolExecutor, count: () => void) => Partial<ToolExecutor> = () => ({})) =>
  (): ToolExecutorTrial => {
    let carriedOut = 0
    const done = new Map<string, ToolResult>()
    const good: ToolExecutor = {
      describe: () => [{ name: 'count', description: 'counts', parameters: { type: 'object' } }],
      execute: async ({ toolName }, { idempotencyKey: key }) => {
        if (toolName !== 'count') return failure(`${toolName} failed`)
        const n = ++carriedOut
        const result = done.get(key) ?? {
          success: true,
          data: { n },
          error: null,
          executionTimeMs: 0,
        }
        if (done.has(key)) carriedOut--
        done.set(key, result)
        return structuredClone(result)
      },
    }
    return {
      executor: { ...good, ...broken(good, () => void carriedOut++) },
      call: { toolName: 'count', params: {} },
      carriedOut: () => carriedOut,
      failing: { toolName: 'fail', params: {} },
    }
  }

holdsAndFails('a tool executor', toolExecutorContract, tools(), {
  'each tool is described by its name, in words and by a schema': tools(() => ({
    describe: () => [{ name: 'count', description: 'counts', parameters: {} }],
  })),
  'what succeeds has data and no error': tools((good) => ({
    execute: async (...asked) => ({ ...(await good.execute(...asked)), error: '' }),
  })),
  'a tool that fails is a result, and no exception': tools((good) => ({
    execute: async (call, context) => {
      if (call.toolName === 'fail') throw new Error('it failed')
      return await good.execute(call, context)
    },
  })),
  'a missing tool is refused': tools((good) => {
    const known: Readonly<Record<string, string>> = { count: 'count', fail: 'fail' }
    return {
      execute: async (call, context) =>
        known[call.toolName] === undefined ? failure('') : await good.execute(call, context),
    }
  }),
  'under one key a call is carried out once, and answered the same': tools((good, count) => ({
    execute: async (call, context) => {
      count()
      return await good.execute(call, context)
    },
  })),
  'under another key the same call is carried out again': tools((good) => ({
    execute: async (call, context) =>
      await good.execute(call, { ...context, idempotencyKey: call.toolName }),
  })),
  'what a caller does to a result is not seen by the next': tools((good) => {
    let first: ToolResult | undefined
    return {
      execute: async (call, context) => (first ??= await good.execute(call, context)),
    }
  }),
})
