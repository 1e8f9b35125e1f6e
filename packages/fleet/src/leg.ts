import type { RunOrder } from 'echelon/runtime'
import { admissionQueue, type FleetLimits, LEGS } from './limits.ts'

/** The application that owns the rows in DBOS' tables. */
export const APPLICATION = 'echelon'

/**
 * The version of the order of steps in the workflows of this package. A worker takes only legs of its own
 * version, so raise it only when that order changes: legs of the old one then need workers of the old one.
 */
export const VERSION = 'legs-1'

export const LEG_WORKFLOW = 'leg'
export const ADMISSION_WORKFLOW = 'admission'

/** What a leg does: begins a run, or resumes it. */
export type LegWork = RunOrder | { readonly run: string }

/** A leg as it is enqueued. */
export interface LegRequest {
  /** Its idempotency key: the id of the run, or `RUN:resume:WHY`. */
  readonly id: string
  readonly work: LegWork
  /** Its session, or else its run. */
  readonly partition: string
  readonly principal: string | undefined
  /** When it begins at the earliest, in milliseconds since the epoch. */
  readonly at?: number
}

/** The leg that begins a run. */
export const firstLeg = (order: RunOrder): LegRequest => ({
  id: order.run,
  work: order,
  partition: order.session ?? order.run,
  principal: order.principal,
})

/** @param why what it is resumed for; the same reason resumes it once */
export const resumeId = (run: string, why: string): string => `${run}:resume:${why}`

/** The id of the workflow that admits a leg of a principal with limits. */
export const admissionId = (leg: string): string => `${leg}:admission`

/** The options of DBOS for a workflow in a queue. */
export interface Enqueued {
  readonly workflowName: string
  readonly workflowID: string
  readonly queueName: string
  readonly queuePartitionKey: string
  readonly appVersion: string
  readonly authenticatedUser?: string
  readonly delaySeconds?: number
}

/** How a leg is enqueued: directly, or by way of its principal's limits. */
export function enqueued(leg: LegRequest, limits: FleetLimits): Enqueued {
  const admission = admissionQueue(limits, leg.principal)
  const inQueue =
    admission === undefined
      ? directly(leg)
      : {
          ...directly(leg),
          workflowName: ADMISSION_WORKFLOW,
          workflowID: admissionId(leg.id),
          queueName: admission,
        }
  const delayMs = (leg.at ?? 0) - Date.now()
  return delayMs > 0 ? { ...inQueue, delaySeconds: delayMs / 1000 } : inQueue
}

/** How an admitted leg is enqueued. */
export const directly = ({ id, partition, principal }: LegRequest): Enqueued => ({
  workflowName: LEG_WORKFLOW,
  workflowID: id,
  queueName: LEGS,
  queuePartitionKey: partition,
  appVersion: VERSION,
  ...(principal !== undefined && { authenticatedUser: principal }),
})
