export {
  type AiSdkTool,
  type AiSdkToolFacts,
  type AiSdkToolOptions,
  fromAiSdkTools,
} from './adapters/ai-sdk-tools.ts'
export { type AiAgentToolOptions, aiAgentTool, type AiSdkAgent } from './adapters/ai-agent-tool.ts'
export type { ForeignAgentOptions } from './adapters/foreign-agent.ts'
export {
  type LangChainRunnable,
  langChainTool,
  type LangChainToolOptions,
} from './adapters/lang-chain-tool.ts'
export { type AgentModelOptions, asLanguageModel } from './adapters/agent-model.ts'
export type {
  ConversingAgent,
  ConversingEnd,
  ConversingOptions,
  ConversingRun,
} from './adapters/conversing.ts'
export { type AiTool, type AiToolOptions, asAiTool } from './adapters/agent-tool-of-theirs.ts'
