import { isRecord } from 'echelon/internal/value'
import type { Customer } from '../primitives/data-source.ts'
import type { Dialogue, QueuedIntent } from './dialogue.ts'
import type { Message } from '../message.ts'
import type { PlanExecution } from './planning/plan-execution.ts'
import type { ToolCall } from '../plan.ts'
import type { SupportInput } from './support-input.ts'
import type { ToolResult } from '../primitives/tool-executor.ts'
import type { Reading } from '../understand/command.ts'
import type { Weighing, Work } from '../dialogue/work.ts'
import type { Json } from 'echelon/runtime'

/** A call of this task, with its result. */
export type DoneCall = {
  readonly call: ToolCall
  readonly result: ToolResult
}

/** The intent in progress. */
export interface ActiveIntent extends QueuedIntent {
  readonly execution: PlanExecution
  readonly reasoning: string
  readonly failedAsks: number
  readonly isConfirmed: boolean
  /** The person who approved the plan, if approval was needed. */
  readonly approvedBy: string | null
  readonly done: readonly DoneCall[]
  /** A digest of what the customer or a person approved; absent if no approval was requested. */
  readonly rests?: string
  /** The text of `pre`, if it was said. */
  readonly announced: string | null
  /** Set if the rules are only asked about it: what it is weighed with, and for. */
  readonly weighing?: Weighing
}

/** The ways in which a turn ends. */
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

/** The state of a turn. Plain data. */
export interface SupportState {
  readonly phase: Phase
  readonly input: SupportInput
  /** Milliseconds since the epoch: the start of the turn, and the last reading of the clock. */
  readonly startedAt: number
  readonly at: number
  /** Before this turn. */
  readonly history: readonly Message[]
  readonly version: number
  readonly customer: Customer | null
  /** The customer's own orders; `null` if the data source does not list them. */
  readonly orders: Json
  /** Ids of the intents available to this customer here. */
  readonly eligible: readonly string[]
  /** The rung that reads the message. */
  readonly rung: number
  /** The message with identifiers in the shop's form, and what it is read as. */
  readonly text: string
  readonly reading: Reading | null
  /** A model's reading was not usable, and it was told so once. */
  readonly reprompt: string | null
  /** The rest of this turn's work. */
  readonly queue: readonly Work[]
  readonly task: ActiveIntent | null
  /** Plans that this turn ended or left waiting, in order. */
  readonly executions: readonly PlanExecution[]
  /** Number of plans in this turn, used to name each. */
  readonly plans: number
  /** The answers so far. */
  readonly texts: readonly string[]
  readonly result: ToolResult | null
  /** All calls of this turn. */
  readonly calls: readonly DoneCall[]
  /** The open state of the conversation after this turn. */
  readonly dialogue: Dialogue
  readonly outcome: Outcome
  readonly wordedBy: 'template' | 'model'
  /** The error, in its own words, for telemetry. */
  readonly problem: string | null
}

/** Whether a value is a stored state. Only its outline is checked, since the runtime wrote it itself. */
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
