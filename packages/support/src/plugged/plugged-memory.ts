import type { MemoryStore } from 'echelon/runtime'
import type { ConversationMemory } from '../primitives/conversation-memory.ts'
import type { DataSource } from '../primitives/data-source.ts'
import { answerId } from '../turn/conclusion.ts'
import { messagesIn, recent } from '../turn/kept-history.ts'
import type { SupportState } from '../turn/support-state.ts'

/** The primitives that a turn reads and writes, and its current state. */
export interface Plugged {
  readonly memory: ConversationMemory
  readonly dataSource: Pick<DataSource, 'getCustomer'>
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
          const customer = typeof query === 'string' ? await dataSource.getCustomer(query) : null
          return { value: customer, version: 0 }
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
