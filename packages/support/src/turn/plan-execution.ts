import { isToolCall, type PlanStep } from '../plan.ts'

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

export type StepExecution = {
  readonly step: PlanStep
  readonly status: StepStatus
  /** ISO 8601, UTC. */
  readonly startedAt?: string
  readonly endedAt?: string
  readonly error?: string
}

/** A plan, and how far it was carried out. It is kept with the history, and so survives a restart. */
export type PlanExecution = {
  readonly planId: string
  readonly intentId: string
  readonly steps: readonly StepExecution[]
  /** The step that is next, or waited for; as many as there are steps when all is done. */
  readonly currentIndex: number
}

/** A plan of which nothing is done yet. */
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

/** The step that is next or waited for; nothing once all is done. */
export const currentStep = ({ steps, currentIndex }: PlanExecution): PlanStep | undefined =>
  steps[currentIndex]?.step

/** The current step is taken up, or waits. */
export const entered = (
  execution: PlanExecution,
  status: 'in_progress' | 'waiting_user' | 'blocked',
  at: string,
): PlanExecution => withCurrent(execution, (one) => ({ startedAt: at, ...one, status }))

/** The current step is done, and the next one is current. */
export const completed = (execution: PlanExecution, at: string): PlanExecution => ({
  ...withCurrent(execution, (one) => ({ startedAt: at, ...one, status: 'completed', endedAt: at })),
  currentIndex: execution.currentIndex + 1,
})

/** The current step failed; what the customer hears instead is done, and the rest is canceled. */
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

/** The customer wants it no more: what is not done is canceled. */
export const canceled = (execution: PlanExecution, at: string): PlanExecution => ({
  ...execution,
  steps: execution.steps.map((one) => canceledStep(one, at)),
  currentIndex: execution.steps.length,
})

/** More steps than were known before, after those that are done. */
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

/** A person has to allow the call first: nothing of the plan is done until then. */
export const blocked = (execution: PlanExecution, at: string): PlanExecution => {
  const place = execution.steps.findIndex(({ step }) => isToolCall(step))
  return {
    ...execution,
    steps: execution.steps.map((one, index) =>
      index === place ? { startedAt: at, ...one, status: 'blocked' } : one,
    ),
  }
}
