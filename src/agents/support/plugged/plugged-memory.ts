import { type Json } from '../../../core/json.ts'
import type { MemoryStore } from '../../../core/ports.ts'
import type { ConversationMemory } from '../primitives/conversation-memory.ts'
import type { DataSource } from '../primitives/data-source.ts'
import { answerId } from '../turn/conclusion.ts'
import { messagesIn, recent } from '../turn/kept-history.ts'
import { restsOn } from './approval-rests.ts'
import { currentStep } from '../turn/plan-execution.ts'
import { undecided } from '../turn/policy-decision.ts'
import type { PolicyEngine } from '../primitives/policy-engine.ts'
import type { SupportState } from '../turn/support-state.ts'

/** The primitives that a turn reads, and where it stands when it asks. */
export interface Plugged {
  readonly memory: ConversationMemory
  readonly dataSource: Pick<DataSource, 'getCustomer' | 'getOrder'>
  readonly hash: (text: string) => string
  readonly policy: PolicyEngine
  readonly sessionId: string
  readonly standing: () => SupportState
}

/** Memory, data source and policy engine as the memories that a run reads and writes. */
export function pluggedMemory(plugged: Plugged): MemoryStore {
  const { memory, dataSource, sessionId } = plugged
  return {
    async read(name, query) {
      switch (name) {
        case 'conversation': {
          const all = await memory.getHistory(sessionId)
          const messages = recent(all, answerId(plugged.standing().input))
          return { value: messages.map((message) => ({ ...message })), version: all.length }
        }
        case 'customer': {
          const customer = typeof query === 'string' ? await dataSource.getCustomer(query) : null
          return { value: customer, version: 0 }
        }
        default:
          return { value: await validated(plugged), version: 0 }
      }
    },
    async write(_name, value, { ifVersion }) {
      const [message] = messagesIn([value])
      const before = await memory.getHistory(sessionId)
      const id = message?.metadata['id']
      // Under the same name it is the same message, as after a crash between writing and recording.
      const isKept = before.some(({ metadata }) => metadata['id'] === id)
      if (message === undefined || isKept) return before.length
      if (ifVersion !== undefined && ifVersion !== before.length) return 'conflict'
      await memory.append(sessionId, message)
      return before.length + 1
    },
  }
}

/** What the engine says of the plan that the turn has come to. What it throws is a no. */
async function validated(plugged: Plugged): Promise<Json> {
  const { policy, standing } = plugged
  const { task, input, history } = standing()
  if (task === null || currentStep(task.execution) === undefined) {
    return { ...undecided('there is no plan') }
  }
  const { intentId, reasoning, execution } = task
  const left = execution.steps.slice(execution.currentIndex).map(({ step }) => step)
  const decision = await policy.validate(
    { intentId, steps: left, reasoning },
    input.interaction,
    history,
  )
  const rests = await restsOn(plugged, left)
  return { ...decision, rests }
}
