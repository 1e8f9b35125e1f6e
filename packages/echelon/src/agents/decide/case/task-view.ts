import type { Amounts } from '../../../core/agent/budget.ts'
import type { Json } from '../../../core/value/json.ts'
import {
  artifactsOf,
  type CaseArtifact,
  checkedOf,
  type Counters,
  countersOf,
} from './case-result.ts'
import { gathered } from './gathered.ts'
import type { Redactor } from '../../../core/redaction/redaction.ts'
import type { LogEntry } from './log.ts'
import type { Policy } from '../settings/modes.ts'
import { type ShownAction, shownActions } from '../plan/plan.ts'
import type { DecideState, FinishReason } from '../state.ts'
import type { Checked } from '../verification/verdict.ts'
import { toolResponse, type ToolErrorObject } from '../plan/tool-response.ts'

export const TASK_STATES = ['submitted', 'working', 'completed', 'failed', 'canceled'] as const
export type TaskState = (typeof TASK_STATES)[number]

/**
 * A task in progress or finished, with every field of the specification's agent state. The viewer is not always
 * the caller, so everything but the answer is redacted.
 */
export interface TaskView extends Counters {
  readonly id: string
  readonly contextId: string
  readonly user_input: string
  readonly expected_tools: readonly string[]
  readonly gold_answer: string | null
  readonly plan: readonly ShownAction[]
  readonly evidence: readonly {
    readonly tool: string
    readonly args: Json
    readonly result: Json | ToolErrorObject
  }[]
  readonly artifacts: Readonly<Record<string, CaseArtifact>>
  readonly tier: 'small' | 'big'
  readonly best_metric: number
  readonly stalled_rounds: number
  readonly verified: boolean
  /** As in the result; `not_checked` until an answer was checked. */
  readonly checked: Checked
  /** As in the result. */
  readonly confidence: number | null
  readonly finish_reason: FinishReason | null
  readonly answer: string | null
  readonly logs: readonly LogEntry[]
  readonly state: TaskState
  /** ISO 8601, time of the last event. */
  readonly timestamp: string
}

interface Viewed {
  readonly taskId: string
  readonly contextId: string
  readonly state: DecideState
  readonly policy: Policy
  readonly spent: Amounts
  readonly logs: readonly LogEntry[]
  readonly redact: Redactor
  readonly timestamp: string
}

/** Builds the view of a task from state, ledger and log, which stay the only copies. */
export function taskView(viewed: Viewed): TaskView {
  const { state, policy, spent, logs, redact } = viewed
  const loop = gathered(state)
  const { evidence } = loop
  const reason = state.phase === 'done' ? state.reason : null
  return {
    id: viewed.taskId,
    contextId: viewed.contextId,
    user_input: redact(loop.task.input),
    expected_tools: loop.task.expectedTools,
    gold_answer: redact(loop.task.goldAnswer),
    plan: redact(shownActions('actions' in state ? state.actions : (loop.failure?.actions ?? []))),
    evidence: evidence.map((one) =>
      redact({
        tool: one.call.tool,
        args: one.call.input,
        result: toolResponse(one, loop.task),
      }),
    ),
    artifacts: artifactsOf(evidence),
    tier: loop.rung === 0 ? 'small' : 'big',
    ...countersOf(policy.rungs, spent, loop),
    best_metric: loop.best,
    stalled_rounds: loop.stalled,
    verified: reason === 'success',
    checked: checkedOf({ verified: reason === 'success', loop }),
    confidence: loop.confidence ?? null,
    finish_reason: reason,
    answer: loop.answer,
    logs,
    state: taskState(reason, spent),
    timestamp: viewed.timestamp,
  }
}

function taskState(reason: FinishReason | null, spent: Amounts): TaskState {
  switch (reason) {
    case 'success':
    case 'supported':
      return 'completed'
    case 'canceled':
      return 'canceled'
    case 'budget':
    case 'big_fail':
    case 'unchecked':
    case 'blocked':
      return 'failed'
    case null:
      return (spent['steps'] ?? 0) === 0 ? 'submitted' : 'working'
  }
}
