import type { Reflect } from './executor.ts'
import type { ReadDraft, ReadUser } from './evaluation/finding.ts'
import type { EvaluationLimits } from './evaluation/kept-evaluations.ts'

/** Model roles, one for each layer that can use a model. */
export const ASSIST_ROLES = ['planner', 'executor', 'evaluator'] as const
export type AssistRole = (typeof ASSIST_ROLES)[number]

/** The parts of the assistant: plain data and pure functions. */
export interface AssistSettings {
  /** The roles that have a model; the others work by rule. */
  readonly roles: readonly AssistRole[]
  readonly readUser: ReadUser
  readonly readDraft: ReadDraft
  /** Answers if no model does. */
  readonly reflect: Reflect
  readonly evaluations: EvaluationLimits
  /** Tokens of one answer, plan or judgement. */
  readonly maxTokens: number
  /** UTF-8 bytes of earlier turns that the executor's model receives. */
  readonly maxHistoryBytes: number
  /** Of one model call, in milliseconds. */
  readonly callTimeoutMs: number
}

const DAY_MS = 86_400_000

/** Default settings. */
export const ASSIST_DEFAULTS: Pick<
  AssistSettings,
  'evaluations' | 'maxTokens' | 'maxHistoryBytes' | 'callTimeoutMs'
> = {
  evaluations: { most: 20, maxAgeMs: 14 * DAY_MS },
  maxTokens: 1_500,
  maxHistoryBytes: 24_000,
  callTimeoutMs: 60_000,
}
