export {
  type AiSdkTool,
  type AiSdkToolFacts,
  type AiSdkToolOptions,
  fromAiSdkTools,
} from './ai-sdk-tools.ts'
export { type AiAgentToolOptions, aiAgentTool, type AiSdkAgent } from './ai-agent-tool.ts'
export type { ForeignAgentOptions } from './foreign-agent.ts'
export {
  type LangChainRunnable,
  langChainTool,
  type LangChainToolOptions,
} from './lang-chain-tool.ts'
export { type AgentModelOptions, asLanguageModel } from './agent-model.ts'
export type {
  ConversingAgent,
  ConversingEnd,
  ConversingOptions,
  ConversingRun,
} from './conversing.ts'
export { type AiTool, type AiToolOptions, asAiTool } from './as-ai-tool.ts'
