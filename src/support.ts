import {
  ModelProvider,
  type NamedModels,
  vendorModel,
  type VendorOptions,
} from './agents/support/defaults/model-provider.ts'

export type { AgentResponse } from './agents/support/agent-response.ts'
export type { ClassificationResult } from './agents/support/classification.ts'
export type { ConversationMemory } from './agents/support/conversation-memory.ts'
export type {
  Customer,
  DataSource,
  HandOver,
  Order,
  OrderChange,
} from './agents/support/data-source.ts'
export {
  ModelProvider,
  type ModelToLoad,
  type NamedModels,
  type VendorOptions,
} from './agents/support/defaults/model-provider.ts'
export type { Dialogue, OpenIntent, QueuedIntent } from './agents/support/dialogue.ts'
export type {
  Intent,
  IntentConstraints,
  IntentWording,
  ParamSpec,
} from './agents/support/intent.ts'
export { type IntentsConfig, IntentsRegistry } from './agents/support/intents-registry.ts'
export type { GivenInteraction, IntentContext, Interaction } from './agents/support/interaction.ts'
export type {
  GenerateOptions,
  LLMProvider,
  LLMResponse,
  OfferedTool,
  PromptMessage,
} from './agents/support/llm-provider.ts'
export {
  type MockAnswer,
  type MockAnswerOrMaker,
  type MockCall,
  MockLLMProvider,
  type MockOptions,
} from './agents/support/mock-llm-provider.ts'
export type { Message } from './agents/support/message.ts'
export type { PlanExecution, StepExecution, StepStatus } from './agents/support/plan-execution.ts'
export { modelOfProvider } from './agents/support/provider-model.ts'
export type { AskUser, Plan, PlanStep, Respond, ToolCall } from './agents/support/plan.ts'
export type { PolicyDecision, PolicyEngine } from './agents/support/policy-engine.ts'
export type {
  RouterOptions,
  SupportLimits,
  UnderstandingOptions,
  WordingOptions,
} from './agents/support/router-options.ts'
export type { Stage, TelemetryEvent, TelemetrySink } from './agents/support/telemetry-sink.ts'
export type {
  ExecutionContext,
  ToolExecutor,
  ToolFacts,
  ToolResult,
} from './agents/support/tool-executor.ts'
export type { Reader, ReadingContext } from './agents/support/understand/reader.ts'
export type { Understanding, Wish } from './agents/support/understand/understanding.ts'
export {
  type ClassificationPrompt,
  classificationPrompt,
  type ClassificationQuestion,
  readClassification,
} from './agents/support/wording/classification-prompt.ts'
export { unsupportedFigures } from './agents/support/wording/figures.ts'
export { fill } from './agents/support/wording/fill.ts'

/** Keys and addresses from the configuration; nothing is loaded before the first call. */
const configured: NamedModels = {
  resolve: async (name, settings) =>
    (await import('./chat.ts')).configuredModels.resolve(name, settings),
}

/**
 * A model of OpenAI's, or of a server that speaks like it (`baseUrl`); default `gpt-5-nano`. What is
 * not given comes from the configuration (`config.yaml`, `.env`, `OPENAI_API_KEY`). Without a key the
 * first call says so (EchelonError MISSING_KEY).
 */
export class OpenAIProvider extends ModelProvider {
  constructor({ model = 'gpt-5-nano', ...settings }: VendorOptions = {}) {
    super(vendorModel('openai', { ...settings, model }, configured))
  }
}

/**
 * A model of Anthropic's; default `claude-haiku-4-5`. What is not given comes from the configuration
 * (`config.yaml`, `.env`, `ANTHROPIC_API_KEY`). Without a key the first call says so (EchelonError
 * MISSING_KEY).
 */
export class AnthropicProvider extends ModelProvider {
  constructor({ model = 'claude-haiku-4-5', ...settings }: VendorOptions = {}) {
    super(vendorModel('anthropic', { ...settings, model }, configured))
  }
}
