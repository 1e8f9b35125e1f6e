import { systemClock } from 'echelon/internal/platform'
import type { Store } from 'echelon/internal/store'
import { loadIntents } from '../defaults/intents-file.ts'
import { JSONDataSource } from '../defaults/json-data-source.ts'
import { LocalExecutor } from '../defaults/local-executor.ts'
import { loadKnowledge } from '../defaults/knowledge-folder.ts'
import { loadPolicies } from '../defaults/policies-file.ts'
import type { Knowledge } from '../knowledge/knowledge.ts'
import { passagesOfRules } from '../knowledge/rules-in-words.ts'
import { StoreConversationMemory } from '../defaults/store-conversation-memory.ts'
import type { IntentsRegistry } from '../intents-registry.ts'
import { checkTools } from '../options-check.ts'
import { OrderFacts } from '../policy/order-facts.ts'
import { RulePolicyEngine } from '../policy/rule-policy-engine.ts'
import type { PolicyEngine } from '../primitives/policy-engine.ts'
import type { RouterOptions, TurnStore } from '../router-options.ts'
import { AgentRouter } from './agent-router.ts'

/** The options of a support agent; see `RouterOptions` for those not described here. */
export interface SupportOptions extends Omit<
  RouterOptions,
  'policy' | 'intents' | 'store' | 'knowledge'
> {
  /** An engine, or a file of rules; default: the `packages/support/config/policies.yaml` that comes with Echelon. */
  readonly policy?: PolicyEngine | string
  /** A registry, or a file; default: the `packages/support/config/intents.yaml` that comes with Echelon. */
  readonly intents?: IntentsRegistry | string
  /**
   * Answers questions about rules and the shop: a folder of Markdown documents, or a function; default: the
   * `packages/support/knowledge` that comes with Echelon. What the rules say of themselves is added.
   */
  readonly knowledge?: Knowledge | string
  /**
   * Stores conversations, turns and results by key beyond the process, for all processes that share it, such as
   * `openStore` of `@echelon/store`. The option `memory` takes precedence for conversations.
   */
  readonly store?: { readonly runs: TurnStore } & Pick<Store, 'sessions' | 'results'>
}

/**
 * Creates a support agent that enforces rules: a customer, as identified by the caller, sees and changes only
 * their own orders. Reads its files at once, so that errors in them are reported now.
 * @throws EchelonError INVALID_CONFIG with the line of an unusable file, or for an intent whose tool the executor
 * does not have
 */
export async function createSupportAgent(options: SupportOptions = {}): Promise<AgentRouter> {
  const { policy, intents, store, knowledge, clock = systemClock, ...rest } = options
  const dataSource = options.dataSource ?? new JSONDataSource()
  const now = (): number => clock.now()
  const executor =
    options.executor ??
    new LocalExecutor(dataSource, {
      enforceIdentity: true,
      now,
      ...(store && { results: store.results }),
    })
  const memory = options.memory ?? (store && new StoreConversationMemory(store.sessions, { now }))
  const registry = typeof intents === 'object' ? intents : await loadIntents(intents)
  checkTools(
    registry,
    executor.describe().map(({ name }) => name),
  )
  const rules = typeof policy === 'object' ? null : await loadPolicies(policy)
  return new AgentRouter({
    ...rest,
    clock,
    dataSource,
    executor,
    ...(memory && { memory }),
    ...(store && { store }),
    intents: registry,
    policy:
      typeof policy === 'object'
        ? policy
        : new RulePolicyEngine(rules ?? [], new OrderFacts({ dataSource, clock })),
    knowledge:
      typeof knowledge === 'function'
        ? knowledge
        : await loadKnowledge(knowledge, rules === null ? [] : passagesOfRules(rules)),
  })
}
