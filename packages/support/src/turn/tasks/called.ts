import type { Moved, Note } from 'echelon/runtime'
import type { ToolCall } from '../../plan.ts'
import type { ToolResult } from '../../primitives/tool-executor.ts'
import * as sentences from '../../wording/sentences.ts'
import { goTo, isPlannedByModel, newPlan } from '../begin-task.ts'
import { noting, utc } from '../conclusion.ts'
import { canHandOver, HAND_OVER } from '../hand-over.ts'
import { canceled, completed, entered, failed } from '../planning/plan-execution.ts'
import { toolExecuted } from '../stages.ts'
import type { SupportSettings } from '../support-settings.ts'
import type { ActiveIntent, SupportState } from '../support-state.ts'
import { needsPerson } from '../tool-result.ts'
import { endTask, notFound } from './ended.ts'
import { waitForPerson } from './wait-for-person.ts'
import { worded } from './worded.ts'

type Turned = Moved<SupportState>

/** The announcement before the call was said. */
export const announced = (state: SupportState, task: ActiveIntent, text: string): Turned => ({
  state: {
    ...state,
    phase: 'acting',
    task: {
      ...task,
      announced: text,
      execution: entered(completed(task.execution, utc(state.at)), 'in_progress', utc(state.at)),
    },
  },
})

/** Handles a tool's result. */
export function called(
  settings: SupportSettings,
  state: SupportState,
  task: ActiveIntent,
  { call, result }: { readonly call: ToolCall; readonly result: ToolResult },
): Turned {
  const made = { call, result }
  const notes: readonly Note[] = [toolExecuted(task, made, settings.registry.config.redactedParams)]
  const at = utc(state.at)
  const escalated = needsPerson(result)
  if (escalated !== null) {
    return noting(notes, waitForPerson(settings, state, task, { ...escalated, again: false }))
  }
  const done = [...task.done, made]
  const after: SupportState = { ...state, result, calls: [...state.calls, made] }
  if (result.code === 'unknown') {
    return noting(notes, lookedAtByPerson(settings, after, { ...task, done }, call))
  }
  const intent = settings.registry.find(task.intentId)
  const isOpenEnded = intent !== undefined && isPlannedByModel(settings, intent)
  if (isOpenEnded) {
    const execution = result.success
      ? completed(task.execution, at)
      : failed(task.execution, result.error ?? 'the tool failed', at)
    return noting(notes, nextPlan(after, { ...task, done, execution }))
  }
  if (!result.success) {
    const error = result.error ?? 'the tool failed'
    const text = result.code === 'not_found' ? notFound(task.params) : failureText(result)
    return noting(notes, endTask(settings, after, { task, text, outcome: 'failed', error }))
  }
  const carriedOn: ActiveIntent = { ...task, done, execution: completed(task.execution, at) }
  if (settings.words !== null) return noting(notes, goTo(after, 'wording', carriedOn))
  return noting(notes, worded(settings, after, carriedOn, null))
}

/** The outcome is unknown: nothing more is done, and a person looks into it if one is available. */
function lookedAtByPerson(
  settings: SupportSettings,
  state: SupportState,
  task: ActiveIntent,
  { toolName }: ToolCall,
): Turned {
  const isHandedOn = task.intentId !== HAND_OVER && canHandOver(settings, state)
  const reason = `it is not known whether ${toolName} was done for plan ${task.execution.planId}`
  const queue = isHandedOn
    ? [{ do: 'begin' as const, intentId: HAND_OVER, params: { reason } }]
    : state.queue
  return endTask(
    settings,
    { ...state, queue },
    {
      task,
      text: sentences.OUTCOME_UNKNOWN,
      outcome: 'failed',
      error: 'it is not known whether it was done',
    },
  )
}

/** A tool's own message is for customers; the runtime's is not. */
const failureText = ({ error, code }: ToolResult): string =>
  error === null || UNTOLD.has(code ?? '')
    ? sentences.TOOL_FAILED
    : sentences.policyViolation([error])

const UNTOLD: ReadonlySet<string> = new Set([
  'tool_error',
  'transient',
  'refused',
  'failed',
  'aborted',
  'invalid_params',
  'unknown_tool',
  'key_reused',
  'TOOL_ERROR',
  'NET_TIMEOUT',
  'INVALID_ARGS',
  'UNKNOWN_TOOL',
])

/** An open-ended intent is planned again after each call, with a new name. */
function nextPlan(state: SupportState, task: ActiveIntent): Turned {
  const { plans, execution } = newPlan(state, task.intentId)
  // The answer of this one call is skipped: the model continues.
  const over = canceled(task.execution, utc(state.at))
  const { rests: _, ...fresh } = task
  return goTo({ ...state, plans, executions: [...state.executions, over] }, 'planning', {
    ...fresh,
    execution,
    announced: null,
    // The approval covered only that call.
    isConfirmed: false,
    approvedBy: null,
  })
}
