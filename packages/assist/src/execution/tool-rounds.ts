import { toolResults } from 'echelon/internal/message'
import type { Message } from 'echelon/runtime'
import type { ToolCall, ToolOutcome } from 'echelon/internal/tool'
import type { Generated } from 'echelon/internal/agent'
import type { AssistSettings } from '../assist-settings.ts'
import type { Turn } from '../assist-state.ts'

/** Rounds of tool calls in one turn; then the model answers with what there is. */
const MOST_ROUNDS = 6

/** Calls of one round. */
const MOST_CALLS = 8

/** Characters of one result that the model reads. */
const LONGEST_RESULT = 8_000

/** Whether the executor's model is offered the tools once more. */
export const canCallTools = ({ rounds }: Turn, { tools }: Pick<AssistSettings, 'tools'>): boolean =>
  tools.length > 0 && rounds < MOST_ROUNDS

/** A turn whose executor asked for tools; the calls beyond the limit are left out. */
export function withCalls(turn: Turn, { text, calls, content }: Generated): Turn {
  const pending = calls.slice(0, MOST_CALLS)
  const isWhole = pending.length === calls.length
  const asked: Message = {
    role: 'assistant',
    content:
      content !== undefined && isWhole
        ? content
        : [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...pending.map(callPart)],
  }
  return {
    ...turn,
    pending,
    toolMessages: [...turn.toolMessages, asked],
    rounds: turn.rounds + 1,
  }
}

/** A turn whose tools were called: the model reads the results, errors included. */
export const withOutcomes = (turn: Turn, outcomes: readonly ToolOutcome[]): Turn => ({
  ...turn,
  pending: [],
  toolMessages: [...turn.toolMessages, toolResults(turn.pending, outcomes.map(cut))],
})

const callPart = ({ id, tool, input }: ToolCall) => ({
  type: 'tool-call' as const,
  toolCallId: id,
  toolName: tool,
  input,
})

function cut(outcome: ToolOutcome): ToolOutcome {
  if (outcome.type !== 'ok') return outcome
  const text = typeof outcome.value === 'string' ? outcome.value : JSON.stringify(outcome.value)
  if (text.length <= LONGEST_RESULT) return outcome
  return { type: 'ok', value: `${text.slice(0, LONGEST_RESULT).toWellFormed()} … (cut)` }
}
