import { AIAgent, type AIAgentOptions, type SessionAgent } from './aiagent/ai-agent.ts'
import { systemClock } from 'echelon/internal/host'
import { isSigned, signatureOf } from 'echelon/internal/host'

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

/**
 * An agent under the names and semantics of Microsoft Agent Framework: `run`, `runStreaming`,
 * `createSession`, `serializeSession`, `deserializeSession`. It works in this process, and no server
 * is needed.
 * @throws EchelonError INVALID_CONFIG for an empty secret
 */
export function asAIAgent(agent: SessionAgent, options: AIAgentOptions = {}): AIAgent {
  return new AIAgent(agent, options, {
    now: () => systemClock.now(),
    seal: (secret) => ({
      sign: (text) => signatureOf(secret, text),
      isSigned: (text, signature) => isSigned(secret, text, signature),
    }),
  })
}
