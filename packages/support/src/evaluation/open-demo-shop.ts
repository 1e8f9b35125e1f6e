import { systemClock } from 'echelon/internal/platform'
import type { JsonObject } from 'echelon/runtime'
import { createSupportAgent, type SupportOptions } from '../compose/support-agent.ts'
import { demoOrders } from '../defaults/demo-data.ts'
import { loadIntents } from '../defaults/intents-file.ts'
import { JSONDataSource } from '../defaults/json-data-source.ts'
import { loadKnowledge } from '../defaults/knowledge-folder.ts'
import { LocalExecutor } from '../defaults/local-executor.ts'
import { loadPolicies } from '../defaults/policies-file.ts'
import { passagesOfRules } from '../knowledge/rules-in-words.ts'
import { MockSink } from '../mock-sink.ts'
import type { ToolExecutor } from '../primitives/tool-executor.ts'
import type { Conversation } from './conversation-set.ts'
import type { MadeCall, TriedShop } from './run-conversations.ts'

type ShopOptions = Pick<SupportOptions, 'llmProvider' | 'understanding' | 'intents' | 'policy'>

/**
 * Opens a shop for one conversation: data that no other conversation changes, at noon of the set's day. Files are read
 * once for all of them.
 */
export function demoShop(options: ShopOptions = {}) {
  let files: ReturnType<typeof filesOf> | undefined
  return async (_: Conversation, today: string | null): Promise<TriedShop> => {
    files ??= filesOf(options)
    const dataSource = new JSONDataSource(demoOrders())
    const at = today === null ? systemClock.now() : Date.parse(`${today}T12:00:00Z`)
    const clock = { ...systemClock, now: () => at }
    const calls: MadeCall[] = []
    const tools = new LocalExecutor(dataSource, { enforceIdentity: true, now: clock.now })
    const executor = recorded(tools, calls)
    const sink = new MockSink()
    const agent = await createSupportAgent({
      ...options,
      ...(await files),
      dataSource,
      executor,
      clock,
      telemetry: sink,
    })
    const order = (id: string): Promise<JsonObject | null> => dataSource.getOrder(id)
    return { agent, calls, events: sink.events, order }
  }
}

async function filesOf({ intents, policy }: ShopOptions) {
  const rules = typeof policy === 'object' ? [] : passagesOfRules(await loadPolicies(policy))
  return {
    intents: typeof intents === 'object' ? intents : await loadIntents(intents),
    knowledge: await loadKnowledge(undefined, rules),
  }
}

/** It only ends what `hand_over` began: a conversation names what is done for the customer. */
const ENDS_HAND_OVER = 'close_hand_over'

function recorded(tools: LocalExecutor, calls: MadeCall[]): ToolExecutor {
  const acting = new Set(
    tools.describe().flatMap(({ name, acts }) => (acts && name !== ENDS_HAND_OVER ? [name] : [])),
  )
  return {
    describe: () => tools.describe(),
    outcome: (call, context) => tools.outcome(call, context),
    async execute(call, context) {
      const result = await tools.execute(call, context)
      calls.push({ ...call, acts: acting.has(call.toolName), success: result.success })
      return result
    },
  }
}
