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
export { DEMO_DAY } from './agents/support/defaults/demo-data.ts'
export {
  JSONDataSource,
  type JSONDataPaths,
  type Ticket,
} from './agents/support/defaults/json-data-source.ts'
export {
  LocalExecutor,
  type LocalExecutorOptions,
} from './agents/support/defaults/local-executor.ts'
export { orderTools } from './agents/support/defaults/order-tools.ts'
export { PrintSink, type PrintStream } from './agents/support/defaults/print-sink.ts'
export type { Records } from './agents/support/defaults/record-file.ts'
export { SHOWN_FIELDS } from './agents/support/defaults/shown-order.ts'
export { SQLiteDataSource } from './agents/support/defaults/sqlite-data-source.ts'
export { SQLiteSink, type SQLiteSinkOptions } from './agents/support/defaults/sqlite-sink.ts'
export {
  StoreConversationMemory,
  type StoreConversationMemoryOptions,
} from './agents/support/defaults/store-conversation-memory.ts'
export type { Dialogue, OpenIntent, QueuedIntent } from './agents/support/dialogue.ts'
export { InMemoryConversationMemory } from './agents/support/in-memory-conversation-memory.ts'
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
export type { LocalTool, LocalToolContext, ToolAnswer } from './agents/support/local-tool.ts'
export type { Message } from './agents/support/message.ts'
export { MockSink } from './agents/support/mock-sink.ts'
export { changedOrder, orderIn } from './agents/support/order-change.ts'
export { OwnOrders } from './agents/support/own-orders.ts'
export type { PlanExecution, StepExecution, StepStatus } from './agents/support/plan-execution.ts'
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
