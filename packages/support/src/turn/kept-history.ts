import { isJsonObject, isRecord } from 'echelon/internal/value'
import type { Json } from 'echelon/runtime'
import { type Dialogue, NO_DIALOGUE, type OpenIntent, type QueuedIntent } from './dialogue.ts'
import type { Message } from '../message.ts'
import { type PlanExecution, STEP_STATUSES, type StepExecution } from './planning/plan-execution.ts'
import type { PlanStep } from '../plan.ts'
import { MOST_MESSAGES } from '../wording/quoted.ts'
import { type DoneCall, OUTCOMES, type SupportState } from './support-state.ts'

/** The messages of a stored conversation; invalid entries are dropped. */
export const messagesIn = (value: Json): readonly Message[] =>
  Array.isArray(value) ? value.filter(isMessage) : []

/**
 * The messages that a turn uses: as many of the last as a model is sent, so that a turn in a long conversation
 * costs no more than in a short one; plus the earlier answer to a repeated message, however old.
 */
export function recent(history: readonly Message[], answerId: string): readonly Message[] {
  const older = history.slice(0, -MOST_MESSAGES)
  const answer = older.filter(({ metadata }) => metadata['id'] === answerId)
  return [...answer, ...history.slice(-MOST_MESSAGES)]
}

function isMessage(value: unknown): value is Message {
  if (!isRecord(value)) return false
  const { role, text, timestamp, metadata } = value
  const isPerson = role === 'user' || role === 'agent'
  return isPerson && isText(text) && isText(timestamp) && isRecord(metadata)
}

/** The open state of the conversation, from the agent's last message. */
export function dialogueIn(history: readonly Message[]): Dialogue {
  const kept = history.findLast(({ role }) => role === 'agent')?.metadata['dialogue']
  return isDialogue(kept) ? { ...NO_DIALOGUE, ...kept } : NO_DIALOGUE
}

/** The data that `answerMessage` stored with an answer, with defaults for missing parts. */
export function answerIn({ metadata }: Message): KeptAnswer {
  const { outcome, dialogue, executions, calls } = metadata
  return {
    outcome: OUTCOMES.find((one) => one === outcome) ?? 'answered',
    dialogue: isDialogue(dialogue) ? { ...NO_DIALOGUE, ...dialogue } : NO_DIALOGUE,
    executions: isListOf(executions, isExecution) ? executions : [],
    calls: isListOf(calls, isDoneCall) ? calls : [],
  }
}

type KeptAnswer = Pick<SupportState, 'outcome' | 'dialogue' | 'executions' | 'calls'>

function isDoneCall(value: unknown): value is DoneCall {
  if (!isRecord(value) || !isRecord(value['call']) || !isRecord(value['result'])) return false
  const { call, result } = value
  const isData = result['data'] === null || isRecord(result['data'])
  return isStep(call) && 'toolName' in call && typeof result['success'] === 'boolean' && isData
}

function isDialogue(value: unknown): value is Dialogue {
  if (!isRecord(value)) return false
  // Conversations of version 2 have no stack, and nothing to undo.
  const { stack = [], done = null, choices = [], about = null } = value
  const { open, queued, last, blocked, handedOver, misses } = value
  return (
    (open === null || isOpen(open)) &&
    (last === null || isQueued(last)) &&
    isListOf(queued, isQueued) &&
    isListOf(blocked, isOpen) &&
    isListOf(stack, isOpen) &&
    isListOf(choices, isQueued) &&
    (done === null || (isQueued(done) && 'previous' in done)) &&
    (about === null || isRecord(about)) &&
    (handedOver === null || isText(handedOver)) &&
    typeof misses === 'number'
  )
}

const isQueued = (value: unknown): value is QueuedIntent =>
  isRecord(value) && isText(value['intentId']) && isRecord(value['params'])

function isOpen(value: unknown): value is OpenIntent {
  if (!isRecord(value) || !isQueued(value)) return false
  const { param, failedAsks, execution }: Readonly<Record<string, unknown>> = { ...value }
  return isText(param) && typeof failedAsks === 'number' && isExecution(execution)
}

function isExecution(value: unknown): value is PlanExecution {
  if (!isRecord(value)) return false
  const { planId, intentId, steps, currentIndex } = value
  return (
    isText(planId) &&
    isText(intentId) &&
    typeof currentIndex === 'number' &&
    isListOf(steps, isStepExecution)
  )
}

const isStepExecution = (value: unknown): value is StepExecution =>
  isRecord(value) &&
  STEP_STATUSES.some((status) => status === value['status']) &&
  isStep(value['step'])

function isStep(value: unknown): value is PlanStep {
  if (!isRecord(value)) return false
  if ('toolName' in value) return isText(value['toolName']) && isRecord(value['params'])
  if ('param' in value) return isText(value['param']) && isText(value['prompt'])
  const isMoment = ['pre', 'post', 'error'].some((when) => when === value['when'])
  return isMoment && isText(value['message'])
}

const isText = (value: unknown): value is string => typeof value === 'string'

const isListOf = <One>(value: unknown, is: (one: unknown) => one is One): value is One[] =>
  Array.isArray(value) && value.every(is)

/** A customer's record and orders, as the memory reads them together. */
export function recordIn(value: Json): Pick<SupportState, 'customer' | 'orders'> {
  if (!isJsonObject(value)) return { customer: null, orders: null }
  const { record, orders } = value
  // A turn of version 2 has only the record.
  if (record === undefined || orders === undefined) return { customer: value, orders: null }
  return { customer: isJsonObject(record) ? record : null, orders }
}
