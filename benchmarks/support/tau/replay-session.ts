import type { AgentResponse } from '../../../src/agents/support/agent-response.ts'
import { StoreConversationMemory } from '../../../src/agents/support/defaults/store-conversation-memory.ts'
import { SupportRouter } from '../../../src/agents/support/router.ts'
import type { RouterParts } from '../../../src/agents/support/router-world.ts'
import type { ToolExecutor } from '../../../src/agents/support/tool-executor.ts'
import type { Store } from '../../../src/core/store.ts'
import { systemClock } from '../../../src/host/clock.ts'
import { sha256 } from '../../../src/host/hash.ts'
import { systemIds } from '../../../src/host/ids.ts'
import { type Domain, intentsOf, offering } from './domain.ts'
import { RecordedProvider } from './recorded-provider.ts'
import { type Exchange, isCall } from './recorded-run.ts'
import type { TauTool } from './tau-tool.ts'

export const SESSION = 'replay'

/** No record comes near these; a run away would end. */
const LIMITS = { modelCalls: 300, toolCalls: 300, seconds: 300 }

/** One conversation that is had again, message by message, through a router of ours. */
export class ReplaySession {
  readonly #domain: Domain
  readonly #executor: (tools: readonly TauTool[]) => ToolExecutor
  readonly #store: Store

  /** @param store where turns and messages are kept, in memory or in a file */
  constructor(domain: Domain, executor: (tools: readonly TauTool[]) => ToolExecutor, store: Store) {
    this.#domain = domain
    this.#executor = executor
    this.#store = store
  }

  /**
   * The customer says again what was recorded, and the recorded model answers.
   * @param place of the exchange in its run, which names the message for good
   */
  say(exchange: Exchange, place: number): Promise<AgentResponse> {
    const names = exchange.turns.filter(isCall).map(({ call }) => call.name)
    const offered = offering(this.#domain, names)
    const router = new SupportRouter(
      {
        llmProvider: new RecordedProvider(this.#domain.name, exchange),
        executor: this.#executor(offered.tools),
        intents: intentsOf(offered),
        memory: new StoreConversationMemory(this.#store.sessions),
        store: this.#store,
        limits: LIMITS,
      },
      PARTS,
    )
    return router.resolve({ id: `message-${place}`, text: exchange.user || '…' }, SESSION)
  }
}

const unneeded = (what: string) => (): never => {
  throw new Error(`a replay brings its own ${what}`)
}

const PARTS: RouterParts = {
  clock: systemClock,
  ids: systemIds,
  artifacts: { write: unneeded('artifacts') },
  timeZone: () => 'UTC',
  hash: sha256,
  memory: unneeded('memory'),
  dataSource: () => ({ getOrder: async () => null, getCustomer: async () => null }),
  policy: () => ({
    validate: () => ({ allowed: true, violations: [], requiresEscalation: false }),
  }),
  executor: unneeded('executor'),
  intents: unneeded('intents'),
  reader: unneeded('reader'),
}
