import { isSigned, signatureOf, systemClock } from 'echelon/internal/platform'
import { AIAgent, type AIAgentOptions, type SessionAgent } from '../aiagent/ai-agent.ts'

/**
 * Presents an agent with the names and semantics of Microsoft Agent Framework: `run`, `runStreaming`,
 * `createSession`, `serializeSession`, `deserializeSession`. It runs in this process, without a server.
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
