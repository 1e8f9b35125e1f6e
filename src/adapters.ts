export {
  type AiSdkTool,
  type AiSdkToolFacts,
  type AiSdkToolOptions,
  fromAiSdkTools,
} from './adapters/ai-sdk-tools.ts'
