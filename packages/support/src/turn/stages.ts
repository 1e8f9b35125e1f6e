import { redactText } from 'echelon/internal/redaction'
import type { Note, Json, JsonObject } from 'echelon/runtime'
import type { ClassificationResult } from '../classification.ts'
import { isAskUser, isToolCall, type PlanStep } from '../plan.ts'
import type { PolicyDecision } from '../primitives/policy-engine.ts'
import type { DoneCall, SupportState, ActiveIntent } from './support-state.ts'
import type { Stage, TelemetryEvent } from '../primitives/telemetry-sink.ts'
import { type Command, type Reading, tasksOf } from '../understand/command.ts'

/** Builds a note of this agent: the stage's payload, and its severity. */
export function stage(
  name: Stage,
  payload: JsonObject,
  level: TelemetryEvent['level'] = 'info',
): Note {
  return { stage: name, data: { level, payload } }
}

/** Replaces a value that sinks must not see. */
export const MASK = '***'

/** Parameters with sensitive values masked. */
function masked(params: JsonObject, redacted: readonly string[]): JsonObject {
  const hidden = Object.keys(params).filter((name) => redacted.includes(name))
  return {
    params: Object.fromEntries(
      Object.entries(params).map(([name, value]) => [name, hidden.includes(name) ? MASK : value]),
    ),
    params_redacted: hidden.length > 0,
    redacted_params: hidden,
  }
}

export const received = ({ input }: SupportState): Note =>
  stage('received', {
    channel: channelOf(input.interaction.context),
    customer_id: input.interaction.customerId,
    length: input.interaction.text.length,
    ...(input.review && { review: input.review.approved ? 'approved' : 'declined' }),
  })

export const channelOf = ({ channel }: JsonObject): string =>
  typeof channel === 'string' ? channel : 'chat'

export function classified(
  { intent, extractedParams, missingParams, confidence }: ClassificationResult,
  reading: Reading,
  rung: string,
  redacted: readonly string[],
): Note {
  return stage('intent_classified', {
    intent_id: intent?.id ?? null,
    confidence,
    act: actOf(reading),
    commands: reading.commands.map(({ type }) => type),
    missing_params: missingParams,
    further_intents: furtherIn(reading),
    rung,
    reasoning: reading.reasoning,
    ...masked(extractedParams, redacted),
  })
}

/** The message's relation to the open question, in one word. */
function actOf({ commands }: Reading): string {
  const types = new Set(commands.map(({ type }) => type))
  const one = (ACTS.find(([type]) => types.has(type)) ?? [])[1]
  return one ?? 'other'
}

const ACTS: readonly (readonly [Command['type'], string])[] = [
  ['confirm', 'yes'],
  ['set-slots', 'answer'],
  ['correct-slots', 'correct'],
  ['start-task', 'wish'],
  ['ask-person', 'wish'],
  ['deny', 'no'],
  ['cancel-task', 'drop'],
  ['unclear', 'unclear'],
]

const furtherIn = (reading: Reading): readonly string[] => {
  const isFirst = reading.commands[0]?.type === 'start-task'
  return tasksOf(reading)
    .slice(isFirst ? 1 : 0)
    .map(({ intentId }) => intentId)
}

/** The plan's position, for each stage about a plan. */
function placeOf({ intentId, execution: { steps, currentIndex } }: ActiveIntent): JsonObject {
  const current = steps[currentIndex]
  return {
    intent_id: intentId,
    step_index: currentIndex,
    step_type: current === undefined ? null : typeOf(current.step),
    status: current?.status ?? null,
  }
}

export const planCreated = (task: ActiveIntent): Note =>
  stage('plan_created', {
    plan_id: task.execution.planId,
    ...placeOf(task),
    steps: task.execution.steps.map(({ step }) => typeOf(step)),
    reasoning: task.reasoning,
  })

export const planType = (step: PlanStep | undefined): Note =>
  stage('plan_type', { type: step === undefined ? 'respond' : PLAN_TYPES[typeOf(step)] })

const PLAN_TYPES = { ask_user: 'ask_user', tool_call: 'tool_call', respond: 'tool_call' } as const

const typeOf = (step: PlanStep): keyof typeof PLAN_TYPES => {
  if (isToolCall(step)) return 'tool_call'
  return isAskUser(step) ? 'ask_user' : 'respond'
}

export function policyChecked(task: ActiveIntent, decision: PolicyDecision): Note {
  const { approvedBy } = task
  const { allowed, violations, requiresEscalation, rules = [], shadow } = decision
  return stage(
    'policy_check',
    {
      ...placeOf(task),
      allowed,
      violations,
      requires_escalation: requiresEscalation,
      rules,
      ...(shadow !== undefined && { shadow }),
      ...(approvedBy !== null && { approved_by: approvedBy }),
    },
    allowed ? 'info' : 'warning',
  )
}

export function toolExecuted(
  task: ActiveIntent,
  { call, result }: DoneCall,
  redacted: readonly string[],
): Note {
  return stage(
    'tool_execute',
    {
      ...placeOf(task),
      tool_name: call.toolName,
      success: result.success,
      time_ms: result.executionTimeMs,
      plan_communicated: task.announced !== null,
      status: result.success ? 'completed' : 'failed',
      error_code: result.success ? null : (result.code ?? 'tool_error'),
      ...(result.error !== null && { error: redactText(result.error) }),
      ...masked(call.params, redacted),
    },
    result.success ? 'info' : 'warning',
  )
}

export function responded(state: SupportState, text: string): Note {
  return stage(
    'response_generated',
    {
      length: text.length,
      needs_input: state.outcome === 'asked',
      outcome: state.outcome,
      worded_by: state.wordedBy,
      durations_ms: {
        turn: state.at - state.startedAt,
        tools: state.calls.reduce((sum, { result }) => sum + result.executionTimeMs, 0),
      },
      ...problemOf(state),
    },
    state.outcome === 'failed' ? 'error' : 'info',
  )
}

const problemOf = ({ problem }: SupportState): { readonly error?: Json } =>
  problem === null ? {} : { error: problem }

export const memoryUpdated = (count: number): Note => stage('memory_updated', { count })
