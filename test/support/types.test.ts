import assert from 'node:assert/strict'
import test from 'node:test'
import type {
  AgentResponse,
  AskUser,
  ClassificationResult,
  Intent,
  IntentContext,
  Interaction,
  LLMResponse,
  Message,
  Plan,
  PlanExecution,
  PolicyDecision,
  Respond,
  StepStatus,
  TelemetryEvent,
  ToolCall,
  ToolResult,
} from '@echelon/support'

// Each type of the design's "Key Types" with every field that it names: a missing field, or one of another type,
// does not compile.

const message: Message = {
  role: 'user',
  text: 'hi',
  timestamp: '2025-10-18T12:00:00Z',
  metadata: {},
}
const interaction: Interaction = { id: 'i-1', text: 'hi', customerId: null, context: {} }
const intent: Intent = {
  id: 'order_status',
  description: 'Where an order is',
  requiredParams: ['order_id'],
  tool: 'check_order_status',
  constraints: { channels: ['chat'], rollout: 100, minTier: null },
  // Additions of this system.
  params: {},
  optionalParams: [],
  examples: [],
  wording: { pre: '', post: '', postByStatus: {}, confirm: '' },
  tools: [],
  confirm: false,
}
const intentContext: IntentContext = { channel: 'chat', customerId: 'C-001', customerTier: null }
const toolCall: ToolCall = { toolName: 'check_order_status', params: { order_id: 'O-12345' } }
const llmResponse: LLMResponse = {
  content: null,
  toolCalls: [toolCall],
  model: 'gpt-5-nano',
  tokensUsed: 12,
  latencyMs: 300,
}
const classification: ClassificationResult = {
  intent,
  extractedParams: { order_id: 'O-12345' },
  missingParams: [],
  confidence: 0.9,
}
const askUser: AskUser = { param: 'order_id', prompt: "What's your order ID?" }
const responds: readonly Respond[] = [
  { when: 'pre', message: 'I’ll check.' },
  { when: 'post', message: 'It is shipped.' },
  { when: 'error', message: 'It is not there.' },
]
const plan: Plan = {
  intentId: 'order_status',
  steps: [askUser, toolCall, ...responds],
  reasoning: 'the order is asked for',
}
const decision: PolicyDecision = { allowed: true, violations: [], requiresEscalation: false }
const toolResult: ToolResult = { success: true, data: {}, error: null, executionTimeMs: 2 }
const statuses: Readonly<Record<StepStatus, true>> = {
  pending: true,
  in_progress: true,
  completed: true,
  failed: true,
  blocked: true,
  waiting_user: true,
  canceled: true,
}
const execution: PlanExecution = {
  planId: 'p-1',
  intentId: 'order_status',
  steps: [
    {
      step: toolCall,
      status: 'failed',
      startedAt: '2025-10-18T12:00:00Z',
      endedAt: '2025-10-18T12:00:01Z',
      error: 'Order O-12345 not found',
    },
  ],
  currentIndex: 1,
}
const response: AgentResponse = {
  text: 'It is shipped.',
  toolResult,
  needsUserInput: false,
  missingParam: null,
  execution,
  runId: 'r-1',
}
const event: TelemetryEvent = {
  timestamp: '2025-10-18T12:00:00Z',
  session_id: 's',
  interaction_id: 'i-1',
  stage: 'received',
  level: 'info',
  payload: {},
}

test('[S-20] every type of the design exists with every field', () => {
  const all = { message, interaction, intent, intentContext, llmResponse, classification }
  assert.ok(Object.values({ ...all, plan, decision, response, event }).every(Boolean))
  assert.equal(Object.keys(statuses).length, 7)
})
