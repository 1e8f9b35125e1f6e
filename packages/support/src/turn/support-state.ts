import { isRecord } from 'echelon/internal/value'
import type { Customer } from '../primitives/data-source.ts'
import type { Dialogue, QueuedIntent } from './dialogue.ts'
import type { Message } from '../message.ts'
import type { PlanExecution } from './plan-execution.ts'
import type { ToolCall } from '../plan.ts'
import type { SupportInput } from './support-input.ts'
import type { ToolResult } from '../primitives/tool-executor.ts'
import type { Understanding } from '../understand/understanding.ts'

/** A call of this task, and what came of it. */
export type DoneCall = {
  readonly call: ToolCall
  readonly result: ToolResult
}

/** The intent that is being worked on. */
export interface Task extends QueuedIntent {
  readonly execution: PlanExecution
  readonly reasoning: string
  readonly failedAsks: number
  readonly isConfirmed: boolean
  /** Who allowed what a person had to allow. */
  readonly approvedBy: string | null
  readonly done: readonly DoneCall[]
  /** A digest of what was allowed rests on, by the customer or a person; nothing where nobody was asked. */
  readonly rests?: string
  /** Whether `pre` was said. */
  readonly announced: string | null
}

/** How a turn ends. */
export const OUTCOMES = [
  'answered',
  'asked',
  'denied',
  'blocked',
  'dropped',
  'handed_over',
  'not_understood',
  'failed',
] as const

export type Outcome = (typeof OUTCOMES)[number]

const PHASES = [
  'recalling',
  'identifying',
  'noting',
  'understanding',
  'planning',
  'asking',
  'checking',
  'announcing',
  'acting',
  'wording',
  'keeping',
  'done',
] as const

export type Phase = (typeof PHASES)[number]

/** Where a turn stands. Plain data. */
export interface SupportState {
  readonly phase: Phase
  readonly input: SupportInput
  /** Milliseconds since the epoch: when the turn began, and the last reading of the clock. */
  readonly startedAt: number
  readonly at: number
  /** As it was before this turn. */
  readonly history: readonly Message[]
  readonly version: number
  readonly customer: Customer | null
  /** Ids of the intents that this customer may have here. */
  readonly eligible: readonly string[]
  /** Which rung reads the message. */
  readonly rung: number
  readonly understanding: Understanding | null
  /** What is still to be done in this turn. */
  readonly queue: readonly QueuedIntent[]
  readonly task: Task | null
  /** Plans that this turn ended or left waiting, in order. */
  readonly executions: readonly PlanExecution[]
  /** How many plans this turn has made: each has a name of its own. */
  readonly plans: number
  /** What is answered so far. */
  readonly texts: readonly string[]
  readonly result: ToolResult | null
  /** All calls of this turn. */
  readonly calls: readonly DoneCall[]
  /** What the conversation is in the middle of, as this turn leaves it. */
  readonly dialogue: Dialogue
  readonly outcome: Outcome
  readonly wordedBy: 'template' | 'model'
  /** What went wrong, in the words of what failed, for telemetry. */
  readonly problem: string | null
}

/** A state that was stored: what the runtime wrote itself is looked at by its outline. */
export function isSupportState(value: unknown): value is SupportState {
  if (!isRecord(value)) return false
  const { phase, input, history, queue, executions, dialogue, texts, calls } = value
  return (
    PHASES.some((one) => one === phase) &&
    isRecord(input) &&
    isRecord(input['interaction']) &&
    isRecord(dialogue) &&
    [history, queue, executions, texts, calls].every(Array.isArray)
  )
}
