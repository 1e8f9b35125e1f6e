import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AgentResponse } from '../../../../packages/support/src/agent-response.ts'
import { StoreConversationMemory } from '../../../../packages/support/src/defaults/store-conversation-memory.ts'
import type { ToolExecutor } from '../../../../packages/support/src/primitives/tool-executor.ts'
import type { Store } from '../../../../packages/echelon/src/core/store/store.ts'
import { AgentRouter, type Knowledge } from '@echelon/support'
import { type Domain, intentsOf, offering } from './domain.ts'
import { RecordedProvider } from './recorded-provider.ts'
import { type Exchange, isCall } from './recorded-run.ts'
import type { Replay } from './replay-run.ts'
import type { TauTool } from './tau-tool.ts'

const SESSION = 'replay'

/** Far above any record; stops a runaway. */
const LIMITS = { modelCalls: 300, toolCalls: 300, seconds: 300 }

/** One conversation, replayed message by message through our router. */
export class ReplaySession {
  readonly #domain: Domain
  readonly #executor: (tools: readonly TauTool[]) => ToolExecutor
  readonly #store: Store
  /** The policy of the domain: an answer may state its figures. */
  readonly #knowledge: Knowledge

  /** @param store where turns and messages are kept, in memory or in a file */
  constructor(
    { domain, folder }: Pick<Replay, 'domain' | 'folder'>,
    executor: (tools: readonly TauTool[]) => ToolExecutor,
    store: Store,
  ) {
    this.#domain = domain
    this.#executor = executor
    this.#store = store
    this.#knowledge = policyIn(folder)
  }

  /**
   * The customer says again what was recorded, and the recorded model answers.
   * @param place of the exchange in its run, which names the message for good
   */
  say(exchange: Exchange, place: number): Promise<AgentResponse> {
    const names = exchange.turns.filter(isCall).map(({ call }) => call.name)
    const offered = offering(this.#domain, names)
    const router = new AgentRouter({
      llmProvider: new RecordedProvider(this.#domain.name, exchange),
      executor: this.#executor(offered.tools),
      intents: intentsOf(offered),
      knowledge: this.#knowledge,
      memory: new StoreConversationMemory(this.#store.sessions),
      store: this.#store,
      limits: LIMITS,
    })
    return router.resolve({ id: `message-${place}`, text: exchange.user || '…' }, SESSION)
  }
}

function policyIn(folder: string): Knowledge {
  const file = join(folder, 'policy.md')
  const texts = existsSync(file) ? [readFileSync(file, 'utf8')] : []
  return Object.assign(() => null, { texts })
}
