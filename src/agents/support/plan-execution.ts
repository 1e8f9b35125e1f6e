import type { PlanStep } from './plan.ts'

export const STEP_STATUSES = [
  'pending',
  'in_progress',
  'completed',
  'failed',
  'blocked',
  'waiting_user',
  'canceled',
] as const

/**
 * Where a step of a plan stands. `blocked`: a person has to allow it first; `canceled`: the customer
 * turned to something else.
 */
export type StepStatus = (typeof STEP_STATUSES)[number]

export interface StepExecution {
  readonly step: PlanStep
  readonly status: StepStatus
  /** ISO 8601, UTC. */
  readonly startedAt?: string
  readonly endedAt?: string
  readonly error?: string
}

/** A plan, and how far it was carried out. It is kept with the history, and so survives a restart. */
export interface PlanExecution {
  readonly planId: string
  readonly intentId: string
  readonly steps: readonly StepExecution[]
  /** The step that is next, or waited for; as many as there are steps when all is done. */
  readonly currentIndex: number
}
