import type { Generated } from 'echelon/internal/agent'
import type { Message as PromptMessage } from 'echelon/runtime'
import { trimmedOutput, type TrimmedTo } from 'echelon/internal/message'
import { isJsonObject } from 'echelon/internal/value'
import { CONFIRMATION } from '../dialogue.ts'
import { groundedParams } from '../grounding.ts'
import type { Intent } from '../../intent.ts'
import type { Plan, ToolCall } from '../../plan.ts'
import { isAbsent, missingParams, paramsOf, planFor, questionPlan } from './planner.ts'
import type { DoneCall, SupportState, ActiveIntent } from '../support-state.ts'
import { fill } from '../../wording/fill.ts'
import { planPrompt } from '../../wording/prompts.ts'

/** The tools offered to a model for an intent. */
export const toolsOffered = (intent: Intent): readonly string[] => [
  ...new Set([intent.tool, ...intent.tools]),
]

/** The prompt of the planning model: the request, and the work done so far. */
export const planningMessages = (
  state: SupportState,
  task: ActiveIntent,
  intent: Intent,
): readonly PromptMessage[] => [
  ...planPrompt({
    intent,
    params: task.params,
    history: state.history,
    text: state.input.interaction.text,
  }),
  ...task.done.flatMap((one, index) => doneMessages(one, index, task.done.length)),
]

/** The part of a result that a planning model is sent; a customer's orders take far less. */
const RESULT: TrimmedTo = {
  head: 16_000,
  tail: 4000,
  slack: 0,
  note: (gone) => `${gone} characters are left out here; ask the tool for less`,
}

/** Results older than this many calls are sent in short: their calls, and what they gave, stay known. */
const NEWEST_RESULTS = 8
const OLDER: TrimmedTo = { ...RESULT, head: 1_200, tail: 300 }

function doneMessages(
  { call, result }: DoneCall,
  index: number,
  count: number,
): readonly PromptMessage[] {
  const { toolName } = call
  const trim = index < count - NEWEST_RESULTS ? OLDER : RESULT
  const toolCallId = `call-${index + 1}`
  return [
    {
      role: 'assistant',
      content: [{ type: 'tool-call', toolCallId, toolName, input: call.params }],
    },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId,
          toolName,
          output: trimmedOutput({ type: 'json', value: result }, trim),
        },
      ],
    },
  ]
}

/** A model's plan for a task: a call, a question, or an answer. */
export type ModelPlan =
  | { readonly type: 'plan'; readonly plan: Plan; readonly params: ActiveIntent['params'] }
  | { readonly type: 'answer'; readonly text: string }

/**
 * Accepts the model's plan if it keeps to the intent's tools and to what was said. For an intent of one call, any
 * other plan is ignored: all that the call needs is known. For an intent of several tools, described parameters
 * that were not stated are asked for; the tools and the rules judge any other parameters.
 */
export function plannedByModel(
  state: SupportState,
  task: ActiveIntent,
  intent: Intent,
  { text, calls }: Generated,
): ModelPlan {
  const [asked] = calls
  const isOpenEnded = intent.tools.length > 0
  const isOffered = asked !== undefined && toolsOffered(intent).includes(asked.tool)
  if (!isOffered) {
    if (isOpenEnded && text.trim() !== '') return { type: 'answer', text }
    return { type: 'plan', plan: byRule(task, intent), params: task.params }
  }
  const given = isJsonObject(asked.input) ? asked.input : {}
  const held = groundedParams(intent, given, state)
  if (isOpenEnded) {
    const made = paramsOf(intent).find((name) => !isAbsent(given[name]) && isAbsent(held[name]))
    if (made !== undefined) {
      return { type: 'plan', plan: questionPlan(intent, made, task.params), params: task.params }
    }
    const call: ToolCall = { toolName: asked.tool, params: { ...given, ...held } }
    return { type: 'plan', plan: oneCall(call, task, intent, text), params: task.params }
  }
  const params = { ...task.params, ...held }
  const plan = byRule({ ...task, params }, intent)
  const isComplete = missingParams(intent, params).length === 0
  const reasoning = isComplete && text.trim() !== '' ? text.trim() : plan.reasoning
  return { type: 'plan', plan: { ...plan, reasoning }, params }
}

const byRule = ({ params, isConfirmed }: ActiveIntent, intent: Intent): Plan =>
  planFor({ intent, params, isConfirmed })

/** A confirmed intent calls its own tool; the other tools are for looking things up. */
function oneCall(call: ToolCall, { params }: ActiveIntent, intent: Intent, text: string): Plan {
  const prompt = fill(intent.wording.confirm, { ...params, ...call.params })
  const isAsked = intent.confirm && call.toolName === intent.tool
  return {
    intentId: intent.id,
    steps: [...(isAsked ? [{ param: CONFIRMATION, prompt }] : []), call],
    reasoning: text.trim() === '' ? `${intent.id}: the model calls ${call.toolName}` : text.trim(),
  }
}
