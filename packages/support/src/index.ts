export { AgentRouter } from './compose/agent-router.ts'
export { createSupportAgent, type SupportOptions } from './compose/support-agent.ts'
export { AnthropicProvider, OpenAIProvider } from './compose/vendor-providers.ts'
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
export {
  type Dialogue,
  NO_DIALOGUE as NO_CONVERSATION,
  type OpenIntent,
  type QueuedIntent,
} from './turn/dialogue.ts'
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
export type { PlanExecution, StepExecution, StepStatus } from './turn/planning/plan-execution.ts'
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
export type { Command, CommandType, Reading, SmallTalk, StartTask } from './understand/command.ts'
export {
  type ClassificationPrompt,
  type ClassificationQuestion,
  classificationPrompt,
  type NearExample,
} from './wording/classification-prompt.ts'
export { readClassification } from './wording/read-classification.ts'
export { loadKnowledge } from './defaults/knowledge-folder.ts'
export type { Knowledge, Passage } from './knowledge/knowledge.ts'
export { demoShop } from './evaluation/open-demo-shop.ts'
export { parseConversations } from './evaluation/read-conversations.ts'
export {
  type ConversationRuns,
  type ConversationVerdict,
  runConversations,
  type TriedShop,
  type TryOptions,
} from './evaluation/run-conversations.ts'
export type { Conversation, ConversationSet } from './evaluation/conversation-set.ts'
export { unsupportedFigures } from 'echelon/internal/figures'
export { fill } from './wording/fill.ts'
