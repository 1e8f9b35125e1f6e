import { isRecord } from 'echelon/internal/value'
import type { JsonObject } from 'echelon/runtime'
import type { Problem } from 'echelon/runtime'
import type { Message } from 'echelon/runtime'
import type { Evaluation, Evaluations } from './evaluation/evaluation.ts'
import type { Judgement } from './evaluation/evaluator.ts'
import type { Intent } from './intent/intent.ts'
import type { Plan, Plans } from './plan/plan.ts'
import type { SituationKind } from './situation.ts'

/** What a turn begins with. */
export interface AssistInput extends JsonObject {
  /** What the user wrote. */
  readonly text: string
}

export const LAYERS = ['intent', 'planner', 'executor', 'evaluator'] as const
export type AssistLayer = (typeof LAYERS)[number]

/** Which layer decided what, and on which evidence. */
export interface Decision {
  readonly layer: AssistLayer
  readonly decided: string
  readonly because: string
  /** Words of this turn that show it. */
  readonly evidence: readonly string[]
  readonly by: 'rules' | 'model' | 'user'
}

/** How a turn ends. */
export type TurnOutcome =
  | 'answered'
  /** Withheld, and the user is asked about the intent. */
  | 'asked'
  | 'stopped'
  | 'frustration'
  | 'achieved'
  /** There is no answer, and a sentence says why. */
  | 'failed'
  | 'canceled'

/** A memory as it was read. One that cannot be used is never written. */
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
  'executing',
  'evaluating',
  'revising',
  'remembering-evaluations',
  'merging-evaluations',
  'saying',
  'done',
] as const
export type Phase = (typeof PHASES)[number]

/** What the phases share. */
export interface Turn {
  readonly input: AssistInput
  /** What the user said while the turn was under way. */
  readonly heard: readonly string[]
  /** What was said before. */
  readonly conversation: readonly Message[]
  /** The last reading of the clock, in milliseconds since the epoch. */
  readonly at: number
  readonly intent: Intent
  readonly kind: SituationKind
  readonly plans: Kept<Plans>
  readonly evaluations: Kept<Evaluations>
  /** The plan that is followed. */
  readonly plan: Plan
  /** A plan that is to be kept, and why. */
  readonly toKeep: { readonly plan: Plan; readonly reason: string } | null
  /** Shown to nobody before it is evaluated. */
  readonly draft: string | null
  readonly executions: number
  /** One for each execution that was evaluated. */
  readonly judgements: readonly Judgement[]
  /** Of this turn, to be kept. */
  readonly evaluated: readonly Evaluation[]
  /** Whether somebody else wrote evaluations meanwhile, and theirs were read. */
  readonly isMerged: boolean
  /** What the user is told. */
  readonly answer: string | null
  readonly isSaid: boolean
  readonly outcome: TurnOutcome
  /** Why the model that answers could not be asked, or withheld its answer; absent where it did neither. */
  readonly problem?: Problem
  readonly why: readonly Decision[]
}

export interface AssistState {
  readonly phase: Phase
  readonly turn: Turn
}

/** A state that was stored: what the runtime wrote itself is looked at by its outline. */
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

/** All that the user wrote in this turn. */
export const saidIn = ({ input, heard }: Pick<Turn, 'input' | 'heard'>): string =>
  [input.text, ...heard].join('\n')
