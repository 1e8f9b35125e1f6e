export { asAIAgent } from './compose/as-ai-agent.ts'
export {
  AIAgent,
  type AIAgentOptions,
  type AgentRunOptions,
  type RunParameters,
  type SessionAgent,
} from './aiagent/ai-agent.ts'
export {
  type AIContent,
  approvalResponse,
  type ChatMessage,
  type ChatRole,
  type DataContent,
  type ErrorContent,
  type FunctionCallContent,
  type FunctionResultContent,
  type RunInput,
  type TextContent,
  type TextReasoningContent,
  type ToolApprovalRequestContent,
  type ToolApprovalResponseContent,
  type UriContent,
  type UsageContent,
  type UsageDetails,
  type UserInputRequestContent,
  type UserInputResponseContent,
} from './aiagent/content.ts'
export {
  AgentResponse,
  // The names that they had until January 2026.
  AgentResponse as AgentRunResponse,
  type AgentResponseUpdate,
  type AgentResponseUpdate as AgentRunResponseUpdate,
  type ContinuationToken,
} from './aiagent/response.ts'
export {
  AgentSession,
  AgentSession as AgentThread,
  type Conversation,
  type ServiceType,
} from './aiagent/session.ts'
export { AgentSessionStateBag } from './aiagent/state-bag.ts'
