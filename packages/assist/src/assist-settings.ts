import type { Reflect } from './executor.ts'
import type { ReadDraft, ReadUser } from './evaluation/finding.ts'
import type { EvaluationLimits } from './evaluation/kept-evaluations.ts'

/** Model roles, one for each layer that can use a model. */
export const ASSIST_ROLES = ['planner', 'executor', 'evaluator'] as const
export type AssistRole = (typeof ASSIST_ROLES)[number]

/** Memories that the executor may read: documents, and facts about the user. */
export const LOOKUPS = ['knowledge', 'facts'] as const
export type Lookup = (typeof LOOKUPS)[number]

/** The parts of the assistant: plain data and pure functions. */
export interface AssistSettings {
  /** The roles that have a model; the others work by rule. */
  readonly roles: readonly AssistRole[]
  readonly readUser: ReadUser
  readonly readDraft: ReadDraft
  /** Tools that the executor's model may call; they only read. */
  readonly tools: readonly string[]
  /** The lookups that the executor makes before it answers. */
  readonly lookups: readonly Lookup[]
  /** Answers if no model does. */
  readonly reflect: Reflect
  readonly evaluations: EvaluationLimits
  /** Tokens of one answer, plan or judgment. */
  readonly maxTokens: number
  /** UTF-8 bytes of earlier turns that the models of planner and executor receive. */
  readonly maxHistoryBytes: number
  /** Of one model call, in milliseconds. */
  readonly callTimeoutMs: number
}

const DAY_MS = 86_400_000

/** Default settings. */
export const ASSIST_DEFAULTS: Pick<
  AssistSettings,
  'tools' | 'lookups' | 'evaluations' | 'maxTokens' | 'maxHistoryBytes' | 'callTimeoutMs'
> = {
  tools: [],
  lookups: [],
  evaluations: { most: 20, maxAgeMs: 14 * DAY_MS },
  maxTokens: 1_500,
  maxHistoryBytes: 24_000,
  callTimeoutMs: 60_000,
}
