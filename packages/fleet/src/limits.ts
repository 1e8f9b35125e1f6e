import type { DBOS } from '@dbos-inc/dbos-sdk'
import { EchelonError } from 'echelon/runtime'

type RegisterQueueOptions = NonNullable<Parameters<(typeof DBOS)['registerQueue']>[1]>

/** So many begins of legs in so many seconds. */
export interface Rate {
  readonly legs: number
  readonly seconds: number
}

/** Limits of one principal across all workers. */
export interface PrincipalLimits {
  /** Legs at the same time. */
  readonly atOnce?: number
  readonly rate?: Rate
}

/** Limits of a fleet. Every process of it is given the same. One run of a session works at a time in any case. */
export interface FleetLimits {
  /** Legs at the same time in one worker. Default 20. */
  readonly atOncePerWorker?: number
  /**
   * Legs at the same time on all workers. Default: no limit but those of the workers, which is faster, since
   * workers then need not agree on each leg.
   */
  readonly atOnce?: number
  /** Of all workers. Default none, which is faster. */
  readonly rate?: Rate
  /** By name; principals without an entry have only the other limits. */
  readonly principals?: Readonly<Record<string, PrincipalLimits>>
  /** Interval at which a worker looks for legs, in milliseconds. Default 50. */
  readonly pollMs?: number
}

/** The queue of legs. Its partitions are sessions. */
export const LEGS = 'legs'

const AT_ONCE_PER_WORKER = 20
const POLL_MS = 50
/** Of a queue that gets no more legs. */
const LEFT_POLL_MS = 1000

const ADMISSION = 'admission/'

/** The queue that legs of a principal with limits pass first; `undefined` for one without. */
export function admissionQueue(
  { principals = {} }: FleetLimits,
  principal: string | undefined,
): string | undefined {
  if (principal === undefined || !Object.hasOwn(principals, principal)) return undefined
  return admissionOf(principal)
}

export const admissionOf = (principal: string): string => `${ADMISSION}${principal}`

/** All queues of a fleet with their limits, by name. */
export function queuesOf(limits: FleetLimits): ReadonlyMap<string, RegisterQueueOptions> {
  const { atOncePerWorker = AT_ONCE_PER_WORKER, atOnce, rate, principals = {} } = limits
  const common = {
    minPollingIntervalMs: limits.pollMs ?? POLL_MS,
    onConflict: 'always_update',
    // A session goes through in order.
    partitionConcurrency: 1,
  } as const
  const legs: RegisterQueueOptions = {
    ...common,
    workerConcurrency: Math.min(atOncePerWorker, atOnce ?? Infinity),
    ...(atOnce !== undefined && { globalConcurrency: atOnce }),
    ...rateOf(rate),
  }
  const admissions = Object.entries(principals).map(([name, own]) => {
    const queue: RegisterQueueOptions = {
      ...common,
      ...(own.atOnce !== undefined && { globalConcurrency: own.atOnce }),
      ...rateOf(own.rate),
    }
    return [admissionOf(name), queue] as const
  })
  return new Map([[LEGS, legs], ...admissions])
}

const rateOf = (rate: Rate | undefined): Pick<RegisterQueueOptions, 'rateLimit'> =>
  rate === undefined ? {} : { rateLimit: { limitPerPeriod: rate.legs, periodSec: rate.seconds } }

export const isAdmission = (queue: string): boolean => queue.startsWith(ADMISSION)

/** The queue of a principal whose limits were removed: the legs in it pass. */
export const OPENED: RegisterQueueOptions = {
  minPollingIntervalMs: LEFT_POLL_MS,
  onConflict: 'always_update',
  partitionConcurrency: 1,
}

/** @throws EchelonError INVALID_CONFIG for a limit with which nothing would ever begin */
export function checkLimits({ atOncePerWorker, atOnce, rate, principals = {} }: FleetLimits): void {
  const all = [
    atOncePerWorker,
    ...[{ atOnce, rate }, ...Object.values(principals)].flatMap((one) => [
      one.atOnce,
      one.rate?.legs,
    ]),
  ]
  if (all.every((limit) => limit === undefined || (Number.isInteger(limit) && limit > 0))) return
  throw new EchelonError(
    'INVALID_CONFIG',
    'a limit of the fleet must be a whole number above 0; leave it out for no limit',
  )
}
