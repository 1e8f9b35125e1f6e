import { InMemoryConversationMemory } from './in-memory-conversation-memory.ts'
import type { DataSource } from './primitives/data-source.ts'
import { loadIntents } from './defaults/intents-file.ts'
import { JSONDataSource } from './defaults/json-data-source.ts'
import { LocalExecutor } from './defaults/local-executor.ts'
import { loadPolicies } from './defaults/policies-file.ts'
import { StoreConversationMemory } from './defaults/store-conversation-memory.ts'
import type { IntentsRegistry } from './intents-registry.ts'
import type { PolicyEngine } from './primitives/policy-engine.ts'
import { checkTools } from './options-check.ts'
import { NullPolicyEngine } from './policy/null-policy-engine.ts'
import { OrderFacts } from './policy/order-facts.ts'
import { RulePolicyEngine } from './policy/rule-policy-engine.ts'
import type { RouterOptions, TurnStore } from './router-options.ts'
import type { RouterParts } from './router-world.ts'
import { SupportRouter } from './router.ts'
import { trainReader } from './understand/embedded-reader.ts'
import type { ArtifactStore } from 'echelon/internal/tool'
import { EchelonError } from 'echelon/internal/value'
import type { Store } from 'echelon/internal/store'
import { systemClock, systemTimeZone } from 'echelon/internal/host'
import { sha256 } from 'echelon/internal/host'
import { systemIds } from 'echelon/internal/host'
import { summarising } from 'echelon/internal/middleware'
import { type NamedModels, vendorModel, type VendorOptions } from './defaults/vendor-model.ts'
import { ModelProvider } from './model-provider.ts'

export type { AgentResponse } from './agent-response.ts'
export type { ClassificationResult } from './classification.ts'
export type { ConversationMemory } from './primitives/conversation-memory.ts'
export type {
  Customer,
  DataSource,
  HandOver,
  Order,
  OrderChange,
} from './primitives/data-source.ts'
export { DEMO_DAY, demoOrders } from './defaults/demo-data.ts'
export { loadIntents, parseIntents } from './defaults/intents-file.ts'
export { type JSONDataPaths, JSONDataSource, type Ticket } from './defaults/json-data-source.ts'
export { LocalExecutor, type LocalExecutorOptions } from './defaults/local-executor.ts'
export type { NamedModels, VendorOptions } from './defaults/vendor-model.ts'
export { ModelProvider, type ModelToLoad } from './model-provider.ts'
export { orderTools } from './defaults/order-tools.ts'
export { loadPolicies, parsePolicies } from './defaults/policies-file.ts'
export { PrintSink, type PrintStream } from './defaults/print-sink.ts'
export type { Records } from './defaults/record-file.ts'
export { SHOWN_FIELDS } from './defaults/shown-order.ts'
export { SQLiteDataSource } from './defaults/sqlite-data-source.ts'
export { SQLiteSink, type SQLiteSinkOptions } from './defaults/sqlite-sink.ts'
export {
  StoreConversationMemory,
  type StoreConversationMemoryOptions,
} from './defaults/store-conversation-memory.ts'
export type { Dialogue, OpenIntent, QueuedIntent } from './turn/dialogue.ts'
export { InMemoryConversationMemory } from './in-memory-conversation-memory.ts'
export type { Intent, IntentConstraints, IntentWording, ParamSpec } from './intent.ts'
export { type IntentsConfig, IntentsRegistry } from './intents-registry.ts'
export type { GivenInteraction, IntentContext, Interaction } from './interaction.ts'
export type {
  GenerateOptions,
  LLMProvider,
  LLMResponse,
  OfferedTool,
  PromptMessage,
} from './primitives/llm-provider.ts'
export type { LocalTool, LocalToolContext, ToolAnswer } from './local-tool.ts'
export type { Message } from './message.ts'
export {
  type MockAnswer,
  type MockAnswerOrMaker,
  type MockCall,
  MockLLMProvider,
  type MockOptions,
} from './mock-llm-provider.ts'
export { MockSink } from './mock-sink.ts'
export { changedOrder, orderIn } from './order-change.ts'
export { OwnOrders } from './own-orders.ts'
export type { PlanExecution, StepExecution, StepStatus } from './turn/plan-execution.ts'
export type { AskUser, Plan, PlanStep, Respond, ToolCall } from './plan.ts'
export type { PolicyDecision, PolicyEngine } from './primitives/policy-engine.ts'
export type { FactsGatherer, JudgedCall } from './policy/facts-gatherer.ts'
export { judge } from './policy/judge.ts'
export { NullPolicyEngine } from './policy/null-policy-engine.ts'
export { OrderFacts, type OrderFactsOptions } from './policy/order-facts.ts'
export { RulePolicyEngine } from './policy/rule-policy-engine.ts'
export type { Condition, PolicyEffect, PolicyMode, PolicyRule, PolicyRules } from './policy/rule.ts'
export { modelOfProvider } from './plugged/provider-model.ts'
export type {
  RouterOptions,
  SupportLimits,
  TurnStore,
  UnderstandingOptions,
  WordingOptions,
} from './router-options.ts'
export type { ResolveOptions } from './router.ts'
export type { Review } from './turn/support-input.ts'
export type { SupportRun } from './support-run.ts'
export {
  STAGES,
  type Stage,
  type TelemetryEvent,
  type TelemetrySink,
} from './primitives/telemetry-sink.ts'
export type {
  ExecutionContext,
  ToolExecutor,
  ToolFacts,
  ToolResult,
} from './primitives/tool-executor.ts'
export { trainReader } from './understand/embedded-reader.ts'
export type { Reader, ReadingContext } from './understand/reader.ts'
export type { Understanding, Wish } from './understand/understanding.ts'
export {
  type ClassificationPrompt,
  type ClassificationQuestion,
  classificationPrompt,
  readClassification,
} from './wording/classification-prompt.ts'
export { unsupportedFigures } from './wording/figures.ts'
export { fill } from './wording/fill.ts'

/** Keys and addresses from the configuration; nothing is loaded before the first call. */
const configured: NamedModels = {
  resolve: async (name, settings) =>
    (await import('echelon/internal/chat')).briefModels.resolve(name, settings),
}

/**
 * A model of OpenAI, or of a compatible server (`baseUrl`); default `gpt-5-nano`. Omitted settings come from the
 * configuration (`config.yaml`, `.env`, `OPENAI_API_KEY`). Without a key the first call fails (EchelonError
 * MISSING_KEY).
 */
export class OpenAIProvider extends ModelProvider {
  constructor({ model = 'gpt-5-nano', ...settings }: VendorOptions = {}) {
    super(vendorModel('openai', { ...settings, model }, configured))
  }
}

/**
 * A model of Anthropic; default `claude-haiku-4-5`. Omitted settings come from the configuration (`config.yaml`,
 * `.env`, `ANTHROPIC_API_KEY`). Without a key the first call fails (EchelonError MISSING_KEY).
 */
export class AnthropicProvider extends ModelProvider {
  constructor({ model = 'claude-haiku-4-5', ...settings }: VendorOptions = {}) {
    super(vendorModel('anthropic', { ...settings, model }, configured))
  }
}

/**
 * Answers customers' messages: classifies, plans, asks the policy engine, calls the tool, and words the answer,
 * over several turns. Each part can be replaced. Without options it answers from the sample orders, offline, and
 * its `NullPolicyEngine` allows everything. For real customers use `createSupportAgent`, which enforces who may do
 * what.
 *
 * `const response = await new AgentRouter().resolve({ text: "Where's order O-12345?" }, 'session-1')`
 */
export class AgentRouter extends SupportRouter {
  constructor(options: RouterOptions = {}) {
    super(options, PARTS)
  }
}

/** The options of a support agent; see `RouterOptions` for those not described here. */
export interface SupportOptions extends Omit<RouterOptions, 'policy' | 'intents' | 'store'> {
  /** An engine, or a file of rules; default: the `packages/support/config/policies.yaml` that comes with Echelon. */
  readonly policy?: PolicyEngine | string
  /** A registry, or a file; default: the `packages/support/config/intents.yaml` that comes with Echelon. */
  readonly intents?: IntentsRegistry | string
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
  const { policy, intents, store, clock = systemClock, ...rest } = options
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
        : new RulePolicyEngine(await loadPolicies(policy), new OrderFacts({ dataSource, clock })),
  })
}

/** Tools of this agent answer with data: none of them makes files. */
const noArtifacts: ArtifactStore = {
  write: () =>
    Promise.reject(new EchelonError('INVALID_CONFIG', 'tools of a support agent make no files')),
}

const PARTS: RouterParts = {
  clock: systemClock,
  ids: systemIds,
  artifacts: noArtifacts,
  timeZone: systemTimeZone,
  hash: sha256,
  memory: () => new InMemoryConversationMemory(),
  dataSource: () => new JSONDataSource(),
  policy: () => new NullPolicyEngine(),
  executor: (dataSource: DataSource) => new LocalExecutor(dataSource),
  intents: () => loadIntents(),
  reader: ({ config }) => trainReader(config.intents, config.outOfScope),
  shorten: (maxTokens) => summarising({ maxTokens }),
}
