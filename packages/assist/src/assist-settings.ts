import type { Reflect } from './executor.ts'
import type { ReadDraft, ReadUser } from './evaluation/finding.ts'
import type { EvaluationLimits } from './evaluation/kept-evaluations.ts'

/** Roles that models play, one for each layer that may have one. */
export const ASSIST_ROLES = ['planner', 'executor', 'evaluator'] as const
export type AssistRole = (typeof ASSIST_ROLES)[number]

/** What the assistant is made of: plain data and pure functions. */
export interface AssistSettings {
  /** Which roles a model plays; the rest is done by rule. */
  readonly roles: readonly AssistRole[]
  readonly readUser: ReadUser
  readonly readDraft: ReadDraft
  /** Answers where no model does. */
  readonly reflect: Reflect
  readonly evaluations: EvaluationLimits
  /** Tokens of one answer, plan or judgement. */
  readonly maxTokens: number
  /** UTF-8 bytes of earlier turns that the executor's model is sent. */
  readonly maxHistoryBytes: number
  /** Of one model call, in milliseconds. */
  readonly callTimeoutMs: number
}

const DAY_MS = 86_400_000

/** What holds where nobody says otherwise. */
export const ASSIST_DEFAULTS: Pick<
  AssistSettings,
  'evaluations' | 'maxTokens' | 'maxHistoryBytes' | 'callTimeoutMs'
> = {
  evaluations: { most: 20, maxAgeMs: 14 * DAY_MS },
  maxTokens: 1_500,
  maxHistoryBytes: 24_000,
  callTimeoutMs: 60_000,
}
