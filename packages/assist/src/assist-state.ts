import { isRecord } from 'echelon/internal/value'
import type { JsonObject, Problem, Message } from 'echelon/runtime'
import type { ToolCall } from 'echelon/internal/tool'
import type { Evaluation, Evaluations } from './evaluation/evaluation.ts'
import type { Judgment } from './evaluation/evaluator.ts'
import type { Intent } from './intent/intent.ts'
import type { RefusedLine } from './plan/within-intent.ts'
import type { Plan, Plans } from './plan/plan.ts'
import type { SituationKind } from './situation.ts'

/** The input of a turn. */
export interface AssistInput extends JsonObject {
  /** The user's message. */
  readonly text: string
}

export const LAYERS = ['intent', 'planner', 'executor', 'evaluator'] as const
export type AssistLayer = (typeof LAYERS)[number]

/** A layer's decision and its evidence. */
export interface Decision {
  readonly layer: AssistLayer
  readonly decided: string
  readonly because: string
  /** Words of this turn that are the evidence. */
  readonly evidence: readonly string[]
  readonly by: 'rules' | 'model' | 'user'
}

/** How a turn ends. */
export type TurnOutcome =
  | 'answered'
  /** No model answers, and passages of the user's documents were shown as they are. */
  | 'quoted'
  /** Small talk, answered without a plan. */
  | 'small_talk'
  /** The answer was withheld, and the user is asked about the intent. */
  | 'asked'
  | 'stopped'
  | 'frustration'
  | 'achieved'
  /** The turn has no answer; a sentence gives the reason. */
  | 'failed'
  | 'canceled'

/** A memory as it was read. An unusable one is never written. */
export interface Kept<Value> {
  readonly value: Value
  readonly version: number
  readonly isUsable: boolean
}

const PHASES = [
  'recalling-intent',
  'recalling-plans',
  'recalling-evaluations',
  'planning',
  'remembering-plans',
  'recalling-knowledge',
  'recalling-facts',
  'executing',
  'using-tools',
  'evaluating',
  'revising',
  'remembering-evaluations',
  'merging-evaluations',
  'saying',
  'done',
] as const
export type Phase = (typeof PHASES)[number]

/** State shared by all phases. */
export interface Turn {
  readonly input: AssistInput
  /** The user's messages during the turn. */
  readonly heard: readonly string[]
  /** The earlier conversation. */
  readonly conversation: readonly Message[]
  /** The last reading of the clock, in milliseconds since the epoch. */
  readonly at: number
  readonly intent: Intent
  readonly kind: SituationKind
  readonly plans: Kept<Plans>
  readonly evaluations: Kept<Evaluations>
  /** The current plan. */
  readonly plan: Plan
  /** A plan to store, with its reason. */
  readonly toKeep: { readonly plan: Plan; readonly reason: string } | null
  /** Not shown before it is evaluated. */
  readonly draft: string | null
  readonly executions: number
  /** Lines of plans that contradict the intent; the executor never sees them. */
  readonly refusedLines: readonly RefusedLine[]
  /** The results for this turn, as the executor's model reads them; `null` before the search. */
  readonly knowledge: readonly string[] | null
  readonly facts: readonly string[] | null
  /** Calls of this turn's tools, and their results. */
  readonly toolMessages: readonly Message[]
  readonly pending: readonly ToolCall[]
  /** Rounds of tool calls so far. */
  readonly rounds: number
  /** Number of these messages when the current draft was requested. */
  readonly draftedAfter: number
  /** One per evaluated execution. */
  readonly judgements: readonly Judgment[]
  /** Evaluations of this turn, to be stored. */
  readonly evaluated: readonly Evaluation[]
  /** Whether another process wrote evaluations meanwhile, and they were read. */
  readonly isMerged: boolean
  /** The text for the user. */
  readonly answer: string | null
  readonly isSaid: boolean
  readonly outcome: TurnOutcome
  /** Why the answering model could not be asked, or withheld its answer; absent otherwise. */
  readonly problem?: Problem
  readonly why: readonly Decision[]
}

export interface AssistState {
  readonly phase: Phase
  readonly turn: Turn
}

/** Values added to a turn that version 1 stored. */
export const SINCE_VERSION_1: Pick<
  Turn,
  'refusedLines' | 'knowledge' | 'facts' | 'toolMessages' | 'pending' | 'rounds' | 'draftedAfter'
> = {
  refusedLines: [],
  knowledge: null,
  facts: null,
  toolMessages: [],
  pending: [],
  rounds: 0,
  draftedAfter: 0,
}

/** Whether a value is a stored state. Only its outline is checked, since the runtime wrote it itself. */
export function isAssistState(value: unknown): value is AssistState {
  if (!isRecord(value) || !isRecord(value['turn'])) return false
  const { input, conversation, intent, plan, plans, evaluations } = value['turn']
  const { heard, judgements, evaluated, why } = value['turn']
  return (
    PHASES.some((one) => one === value['phase']) &&
    isRecord(input) &&
    typeof input['text'] === 'string' &&
    [intent, plan, plans, evaluations].every(isRecord) &&
    [conversation, heard, judgements, evaluated, why].every(Array.isArray)
  )
}

/** Everything that the user wrote in this turn. */
export const saidIn = ({ input, heard }: Pick<Turn, 'input' | 'heard'>): string =>
  [input.text, ...heard].join('\n')
