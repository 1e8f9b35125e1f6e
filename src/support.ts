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
export { loadPolicies, parsePolicies } from './agents/support/defaults/policies-file.ts'
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
export type { Message } from './agents/support/message.ts'
export type { PlanExecution, StepExecution, StepStatus } from './agents/support/plan-execution.ts'
export type { AskUser, Plan, PlanStep, Respond, ToolCall } from './agents/support/plan.ts'
export type { PolicyDecision, PolicyEngine } from './agents/support/policy-engine.ts'
export type { FactsGatherer, JudgedCall } from './agents/support/policy/facts-gatherer.ts'
export { NullPolicyEngine } from './agents/support/policy/null-policy-engine.ts'
export { OrderFacts, type OrderFactsOptions } from './agents/support/policy/order-facts.ts'
export { RulePolicyEngine } from './agents/support/policy/rule-policy-engine.ts'
export type {
  Condition,
  PolicyEffect,
  PolicyMode,
  PolicyRule,
  PolicyRules,
} from './agents/support/policy/rule.ts'
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
