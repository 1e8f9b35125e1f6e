export {
  conversationMemoryContract,
  type LastingConversations,
} from './testing/conversation-memory-contract.ts'
export {
  dataSourceContract,
  type DataSourceTrial,
  type DataToHold,
} from './testing/data-source-contract.ts'
export { llmProviderContract, type LLMProviderTrial } from './testing/llm-provider-contract.ts'
export {
  telemetrySinkContract,
  type TelemetrySinkTrial,
} from './testing/telemetry-sink-contract.ts'
export { toolExecutorContract, type ToolExecutorTrial } from './testing/tool-executor-contract.ts'
