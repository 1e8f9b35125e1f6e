import { type AGUIEvent, EventType, type Interrupt, type TokenUsage } from '@ag-ui/core'
import type { Json, JsonObject } from 'echelon/runtime'
import type { ToolOutcome } from 'echelon/internal/tool'
import type { TurnEnd } from '../agents/served-agent.ts'
import type { TurnPart } from '../runs/turn-part.ts'

type PartOf<Type extends TurnPart['type']> = Extract<TurnPart, { readonly type: Type }>

/** The owner of an event; nothing for the agent itself. */
export interface Owner {
  readonly subagentRunId?: string
}

export function* toolCallEvents(
  { tool, input }: PartOf<'tool-call'>,
  { toolCallId, owner }: { readonly toolCallId: string; readonly owner: Owner },
): Generator<AGUIEvent, void> {
  yield { type: EventType.TOOL_CALL_START, toolCallId, toolCallName: tool, ...owner }
  yield { type: EventType.TOOL_CALL_ARGS, toolCallId, delta: JSON.stringify(input), ...owner }
  yield { type: EventType.TOOL_CALL_END, toolCallId, ...owner }
}

export const toolResultEvent = (
  outcome: ToolOutcome,
  { toolCallId, owner }: { readonly toolCallId: string; readonly owner: Owner },
): AGUIEvent => ({
  type: EventType.TOOL_CALL_RESULT,
  messageId: `${toolCallId}:result`,
  toolCallId,
  role: 'tool',
  content: resultText(outcome),
  metadata: { outcome: outcome.type },
  ...owner,
})

function resultText(outcome: ToolOutcome): string {
  switch (outcome.type) {
    case 'ok':
      return typeof outcome.value === 'string' ? outcome.value : JSON.stringify(outcome.value)
    case 'error':
      return `${outcome.code}: ${outcome.message}`
    case 'denied':
      return `denied: ${outcome.reason}`
    case 'refused':
      return `refused: ${outcome.reason ?? `the limit of ${outcome.limit} is used up`}`
    case 'unknown':
      return `unknown: ${outcome.message}`
  }
}

export function* reasoningEvents(messageId: string, text: string): Generator<AGUIEvent, void> {
  yield { type: EventType.REASONING_START, messageId }
  yield { type: EventType.REASONING_MESSAGE_START, messageId, role: 'reasoning' }
  yield { type: EventType.REASONING_MESSAGE_CONTENT, messageId, delta: text }
  yield { type: EventType.REASONING_MESSAGE_END, messageId }
  yield { type: EventType.REASONING_END, messageId }
}

export const customEvent = (name: string, value: Json): AGUIEvent => ({
  type: EventType.CUSTOM,
  name,
  value,
})

/** A tool call that waits for a person, as an interrupt. */
export const approvalInterrupt = (
  { request, about }: PartOf<'approval'>,
  { toolCallId, owner }: { readonly toolCallId: string; readonly owner: Owner },
): Interrupt => ({
  id: request,
  reason: 'approval',
  message: `${about.tool}: ${about.why}`,
  toolCallId,
  responseSchema: { enum: [...about.choices] },
  metadata: { tool: about.tool, input: about.input, choices: [...about.choices], hash: about.hash },
  ...owner,
})

export const questionInterrupt = ({
  request,
  question,
  schema,
}: PartOf<'question'>): Interrupt => ({
  id: request,
  reason: 'question',
  message: question,
  ...(schema !== null && { responseSchema: schema }),
})

/** Tokens by model; empty if the agent does not tell. */
export const usageOf = ({ rungs }: TurnEnd): TokenUsage[] =>
  rungs.map(({ model, input, output }) => {
    const [, provider, id] = /^([^/]+)\/(.+)$/s.exec(model) ?? []
    return {
      ...(provider !== undefined && { provider }),
      model: id ?? model,
      inputTokens: input,
      outputTokens: output,
      totalTokens: input + output,
    }
  })

/** Metadata of the end of a turn. */
export const resultOf = (end: TurnEnd, run: string): JsonObject => ({
  run,
  text: end.text,
  ...(end.output !== undefined && { output: end.output }),
  reason: end.reason,
  detail: end.detail,
  checked: end.checked,
  confidence: end.confidence,
  escalated: end.escalated,
  cost: end.cost,
  needsInput: end.needsInput,
})
