import type { MemoryStore } from 'echelon/runtime'
import type { ConversationMemory } from '../primitives/conversation-memory.ts'
import { SHOWN_FIELDS, shownOrder } from '../defaults/shown-order.ts'
import type { DataSource, Order } from '../primitives/data-source.ts'
import { textField } from '../text-field.ts'
import { answerId } from '../turn/conclusion.ts'
import { messagesIn, recent } from '../turn/kept-history.ts'
import type { SupportState } from '../turn/support-state.ts'

/** The primitives that a turn reads and writes, and its current state. */
export interface Plugged {
  readonly memory: ConversationMemory
  readonly dataSource: Pick<DataSource, 'getCustomer' | 'listOrders'>
  readonly sessionId: string
  readonly standing: () => SupportState
}

/** Adapts conversation memory and data source to the memories of a run. */
export function pluggedMemory(plugged: Plugged): MemoryStore {
  const { memory, dataSource, sessionId } = plugged
  return {
    async read(name, query) {
      switch (name) {
        case 'conversation': {
          const all = await memory.getHistory(sessionId)
          const messages = recent(all, answerId(plugged.standing().input))
          return { value: messages, version: all.length }
        }
        default: {
          if (typeof query !== 'string') return { value: null, version: 0 }
          const record = await dataSource.getCustomer(query)
          if (dataSource.listOrders === undefined) return { value: record, version: 0 }
          const orders = await dataSource.listOrders(query)
          return { value: { record, orders: shownOrders(orders) }, version: 0 }
        }
      }
    },
    async write(_name, value, { ifVersion }) {
      const [message] = messagesIn([value])
      const before = await memory.getHistory(sessionId)
      const id = message?.metadata['id']
      // The same name is the same message, as after a crash between writing and recording.
      const isKept = before.some(({ metadata }) => metadata['id'] === id)
      if (message === undefined || isKept) return before.length
      if (ifVersion !== undefined && ifVersion !== before.length) return 'conflict'
      await memory.append(sessionId, message)
      return before.length + 1
    },
  }
}

/** The orders that a conversation can refer to; older ones are named by their identifier. */
const MOST_ORDERS = 30

/** The newest orders, as far as their customer may see them. */
const shownOrders = (orders: readonly Order[]): readonly Order[] =>
  orders
    .toSorted((a, b) => textField(b, 'ordered_at').localeCompare(textField(a, 'ordered_at')))
    .slice(0, MOST_ORDERS)
    .map((order) => shownOrder(order, SHOWN_FIELDS))
