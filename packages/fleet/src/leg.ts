import type { LegEnd, RunOrder } from 'echelon/runtime'
import { admissionQueue, type FleetLimits, LEGS } from './limits.ts'

/** The application that owns the rows in DBOS' tables. */
export const APPLICATION = 'echelon'

/**
 * The version of the order of steps in the workflows of this package. A worker takes only legs of its own
 * version, so raise it only when that order changes: legs of the old one then need workers of the old one.
 */
const STEPS = 'legs-2'

/** The version of the legs that a process orders or performs: workers of another release do not take them. */
export const versionOf = (release: string | undefined): string =>
  release === undefined ? STEPS : `${STEPS}/${release}`

/** Whether workers of several releases may share the queues. */
export const hasRelease = (version: string): boolean => version !== STEPS

export const LEG_WORKFLOW = 'leg'
export const ADMISSION_WORKFLOW = 'admission'

/** One after the other, since the mark of a nap is kept until the leg after it is over. */
export type Nap = 'even' | 'odd'

/** A leg as it is enqueued. It holds no words of a user: the queues keep it for long, and erase nothing. */
export interface LegRequest {
  /** Its idempotency key: the id of the run, or `RUN:resume:WHY`. */
  readonly id: string
  readonly run: string
  /** Whether it begins the run, by its order in the store; otherwise it resumes it. */
  readonly begins: boolean
  /** Its session, or else its run. */
  readonly partition: string
  /** Of the release whose workers perform it. */
  readonly version: string
  readonly principal: string | undefined
  /** When it begins at the earliest, in milliseconds since the epoch. */
  readonly at?: number
  /** Set if its run sleeps until then: later turns of its session wait for it. */
  readonly nap?: Nap
  /** Set once its principal's limits let it pass. */
  readonly isAdmitted?: boolean
  /** Set on a leg that went back to its queue. */
  readonly again?: {
    /** The id of the leg as it was enqueued first. */
    readonly of: string
    readonly times: number
    /** Since when it has been refused. */
    readonly since: number
  }
}

/**
 * The result of a leg, as its queue sees it. `failed`: the store holds the reason. `yielded`: it is enqueued again,
 * such as for another worker.
 */
export type LegOutcome =
  | Exclude<LegEnd, { readonly type: 'failed' }>
  | { readonly type: 'failed' }
  | { readonly type: 'yielded'; readonly since: number; readonly at: number }

/** Whether a workflow of a queue is not over. */
export const isLive = ({ status }: { readonly status: string }): boolean =>
  status === 'ENQUEUED' || status === 'DELAYED' || status === 'PENDING'

/** The leg that begins a run. */
export const firstLeg = (order: RunOrder, version: string): LegRequest => ({
  id: order.run,
  run: order.run,
  begins: true,
  partition: order.session ?? order.run,
  version,
  principal: order.principal,
})

/** @param why what it is resumed for; the same reason resumes it once */
export const resumeId = (run: string, why: string): string => `${run}${RESUME}${why}`

/** The prefix of the ids that a run's first leg gets after it went back to its queue. */
export const againPrefix = (id: string): string => `${id}:again:`

/** A leg that goes back to its queue. */
export function legAgain(leg: LegRequest, since: number, at: number): LegRequest {
  const { of = leg.id, times = 0 } = leg.again ?? {}
  const again = { of, times: times + 1, since }
  return { ...leg, id: `${againPrefix(of)}${again.times}`, at, again, isAdmitted: false }
}

/** The deduplication id of a sleeping run's leg; DBOS keeps it until that leg is over. */
export const asleepId = (partition: string, nap: Nap): string => `asleep/${nap}/${partition}`

/** The run of a resume. */
export const runOfResume = (id: string): string => id.slice(0, id.lastIndexOf(RESUME))
const RESUME = ':resume:'

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
  readonly deduplicationID?: string
  readonly priority: number
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
  if (delayMs <= 0) return inQueue
  const asleep = leg.nap === undefined ? {} : { deduplicationID: asleepId(leg.partition, leg.nap) }
  return { ...inQueue, ...asleep, delaySeconds: delayMs / 1000 }
}

/** A run that began goes before the turns behind it, and a turn that went back before later ones. */
const priorityOf = ({ begins, again }: LegRequest): number => {
  if (!begins) return 0
  return again === undefined ? 2 : 1
}
export const PRIORITIES = [0, 1, 2] as const

/** How an admitted leg is enqueued. */
export const directly = (leg: LegRequest): Enqueued => ({
  workflowName: LEG_WORKFLOW,
  workflowID: leg.id,
  queueName: LEGS,
  queuePartitionKey: leg.partition,
  appVersion: leg.version,
  priority: priorityOf(leg),
  ...(leg.principal !== undefined && { authenticatedUser: leg.principal }),
})
