import { isAskUser, isToolCall, type PlanStep } from '../../plan.ts'

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
 * The status of a plan's step. `blocked`: a person must allow it first; `canceled`: the customer moved on to
 * something else.
 */
export type StepStatus = (typeof STEP_STATUSES)[number]

export type StepExecution = {
  readonly step: PlanStep
  readonly status: StepStatus
  /** ISO 8601, UTC. */
  readonly startedAt?: string
  readonly endedAt?: string
  readonly error?: string
}

/** A plan and its progress. It is stored with the history, and so survives a restart. */
export type PlanExecution = {
  readonly planId: string
  readonly intentId: string
  readonly steps: readonly StepExecution[]
  /** The next or waiting step; equals the number of steps when all are done. */
  readonly currentIndex: number
}

/** A plan without any completed step. */
export const begun = (
  planId: string,
  intentId: string,
  steps: readonly PlanStep[],
): PlanExecution => ({
  planId,
  intentId,
  steps: steps.map((step) => ({ step, status: 'pending' })),
  currentIndex: 0,
})

/** The next or waiting step; undefined once all are done. */
export const currentStep = ({ steps, currentIndex }: PlanExecution): PlanStep | undefined =>
  steps[currentIndex]?.step

/** Marks the current step as running or waiting. */
export const entered = (
  execution: PlanExecution,
  status: 'in_progress' | 'waiting_user' | 'blocked',
  at: string,
): PlanExecution => withCurrent(execution, (one) => ({ startedAt: at, ...one, status }))

/** Completes the current step and moves to the next. */
export const completed = (execution: PlanExecution, at: string): PlanExecution => ({
  ...withCurrent(execution, (one) => ({ startedAt: at, ...one, status: 'completed', endedAt: at })),
  currentIndex: execution.currentIndex + 1,
})

/** Fails the current step: the message said instead is done, and the rest is canceled. */
export function failed(execution: PlanExecution, error: string, at: string): PlanExecution {
  const { steps, currentIndex } = withCurrent(execution, (one) => ({
    startedAt: at,
    ...one,
    status: 'failed',
    endedAt: at,
    error,
  }))
  const told: StepExecution = {
    step: { when: 'error', message: error },
    status: 'completed',
    startedAt: at,
    endedAt: at,
  }
  const rest = steps.slice(currentIndex + 1).map((one) => canceledStep(one, at))
  const all = [...steps.slice(0, currentIndex + 1), told, ...rest]
  return { ...execution, steps: all, currentIndex: all.length }
}

/** Words the current question otherwise. */
export const reworded = (execution: PlanExecution, prompt: string): PlanExecution =>
  withCurrent(execution, (one) =>
    isAskUser(one.step) ? { ...one, step: { ...one.step, prompt } } : one,
  )

/** Cancels the remaining steps for the customer. */
export const canceled = (execution: PlanExecution, at: string): PlanExecution => ({
  ...execution,
  steps: execution.steps.map((one) => canceledStep(one, at)),
  currentIndex: execution.steps.length,
})

/** Adds steps after the completed ones. */
export const extended = (execution: PlanExecution, steps: readonly PlanStep[]): PlanExecution => ({
  ...execution,
  steps: [
    ...execution.steps.slice(0, execution.currentIndex),
    ...steps.map((step): StepExecution => ({ step, status: 'pending' })),
  ],
})

const canceledStep = (one: StepExecution, at: string): StepExecution =>
  one.status === 'completed' || one.status === 'failed'
    ? one
    : { ...one, status: 'canceled', endedAt: at }

const withCurrent = (
  execution: PlanExecution,
  change: (one: StepExecution) => StepExecution,
): PlanExecution => ({
  ...execution,
  steps: execution.steps.map((one, index) =>
    index === execution.currentIndex ? change(one) : one,
  ),
})

/** Blocks the plan until a person allows the call. */
export const blocked = (execution: PlanExecution, at: string): PlanExecution => {
  const place = execution.steps.findIndex(({ step }) => isToolCall(step))
  return {
    ...execution,
    steps: execution.steps.map((one, index) =>
      index === place ? { startedAt: at, ...one, status: 'blocked' } : one,
    ),
  }
}
