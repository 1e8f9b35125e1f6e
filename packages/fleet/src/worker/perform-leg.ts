import { GIVE_UP_AFTER } from 'echelon/internal/journal'
import { isSuspect, type Suspects } from 'echelon/internal/runtime'
import {
  EchelonError,
  type ErrorCode,
  type LegEnd,
  type Performer,
  type RunOrder,
} from 'echelon/runtime'
import { hasEnded, type OrderStore, type RunStore } from 'echelon/internal/store'
import { hasRelease, type LegOutcome, type LegRequest } from '../leg.ts'
import { guardedBegin } from './guarded-begin.ts'
import type { QueueRows } from './queue-rows.ts'

export interface PerformLegOptions {
  readonly performer: Performer
  readonly runs: Pick<RunStore, 'find' | 'read' | 'giveUpAfter'>
  readonly orders: OrderStore
  readonly rows: Pick<
    QueueRows,
    'sleepers' | 'isCanceled' | 'isOvertaking' | 'claims' | 'countDeath' | 'forgetDeaths'
  >
  readonly suspects: Suspects
  readonly canceled: AbortSignal
}

/** Errors that neither a retry nor another worker changes. */
const PERMANENT: ReadonlySet<ErrorCode> = new Set([
  'INVALID_INPUT',
  'INVALID_CONFIG',
  'INVALID_DEFINITION',
  'UNKNOWN_MODEL',
  'MISSING_KEY',
  'MISSING_PACKAGE',
  'JOURNAL_MISMATCH',
  'NOT_PERMITTED',
  'KEY_REUSED',
  'STORE_DAMAGED',
  'RUN_GIVEN_UP',
])

/**
 * Errors that may not happen in another worker, or when another run of the session was here: its process
 * still holds the run, or this worker has another version, or other agents.
 */
const NOT_HERE: ReadonlySet<ErrorCode> = new Set([
  'RUN_BUSY',
  'SESSION_BUSY',
  'STATE_REFUSED',
  'UNKNOWN_RUN',
  'UNKNOWN_TOOL',
])

/** A leg can go back to its queue for this long: longer than the lease of a dead process, or a rolling deploy. */
const TAKEN_BACK_MS = 600_000
/** Pauses before it does, from the first one on. */
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 5000
/** Interval at which a turn checks whether the run before it still sleeps. */
const LOOK_MS = 60_000

/**
 * Performs a leg of a run: resumes it if it has a journal, and begins it otherwise. So the leg of a process
 * that died is simply performed again.
 */
export async function performLeg(leg: LegRequest, options: PerformLegOptions): Promise<LegOutcome> {
  const { orders } = options
  try {
    const end = await inTurn(leg, options)
    return end.type === 'failed' ? await failed(leg, end.reason, orders) : end
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const code = error instanceof EchelonError ? error.code : undefined
    if (code !== undefined && PERMANENT.has(code)) return failed(leg, message, orders)
    if (!(error instanceof EchelonError) || !NOT_HERE.has(error.code)) {
      await orders.fail(leg.run, message).catch(() => undefined)
      throw new LegFailed(code)
    }
    const since = leg.again?.since ?? Date.now()
    const isTooLate = Date.now() - since > TAKEN_BACK_MS
    if (isTooLate || (await waits(error, leg.run, options.runs))) {
      return failed(leg, message, orders)
    }
    // It keeps its session's place in the queue during the pause, so nothing overtakes it.
    await pause(leg.again?.times ?? 0, options.canceled)
    return { type: 'yielded', since, at: 0 }
  }
}

/** Queues keep errors too, so theirs tell nothing of the run. */
class LegFailed extends Error {
  constructor(code: ErrorCode | undefined) {
    super(
      `a leg failed${code === undefined ? '' : ` with ${code}`}; its run in the store tells why`,
    )
  }
}

async function failed(
  { run }: LegRequest,
  reason: string,
  orders: OrderStore,
): Promise<LegOutcome> {
  await orders.fail(run, reason)
  return { type: 'failed' }
}

/** Claims from which on a leg may be what ended its workers. */
const MANY_CLAIMS = 3

/** Performs a leg, and one whose workers died several times alone among such legs of this worker. */
async function inTurn(leg: LegRequest, options: PerformLegOptions): Promise<Performed> {
  const { rows, runs, suspects } = options
  const claims = await rows.claims(leg)
  const work = (): Promise<Performed> => performed(leg, claims, options)
  const mayHaveEndedIt = async (): Promise<boolean> => {
    const entries = await runs.read(leg.run)
    // Without a journal it has not even begun.
    return entries.length === 0 || isSuspect(entries)
  }
  if (claims < MANY_CLAIMS || !(await mayHaveEndedIt())) return work()
  const end = await suspects.inTurn(async () => !(await mayHaveEndedIt()), work)
  return end ?? { type: 'yielded', since: leg.again?.since ?? Date.now(), at: 0 }
}

type Performed = LegEnd | Extract<LegOutcome, { readonly type: 'yielded' }>

async function performed(
  leg: LegRequest,
  claims: number,
  { performer, runs, orders, rows, canceled }: PerformLegOptions,
): Promise<Performed> {
  const begin = async (order: RunOrder): Promise<LegEnd> => {
    const { giveUpAfter = GIVE_UP_AFTER } = runs
    const work = (): Promise<LegEnd> => performer.begin(order)
    const end = await guardedBegin({ run: order.run, claims, giveUpAfter, rows, begin: work })
    // Its journal holds the task now.
    if (end.type !== 'failed') orders.remove(order.run)
    return end
  }
  if (!leg.begins) return performer.resume(leg.run)
  const { order, isBegun } = (await orders.find(leg.run)) ?? {}
  // A process that died may have begun it.
  if (isBegun === true || (order === undefined && (await runs.find(leg.run)) !== undefined)) {
    orders.remove(leg.run)
    return performer.resume(leg.run)
  }
  if (canceled.aborted || (await rows.isCanceled(leg))) return { type: 'ended' }
  // Its conversation was erased meanwhile.
  if (order === undefined) return { type: 'ended' }
  if (order.session === undefined) return begin(order)
  if (hasRelease(leg.version) && (await rows.isOvertaking(leg))) {
    await pause(0, canceled)
    return { type: 'yielded', since: Date.now(), at: 0 }
  }
  for (const { run, until } of await rows.sleepers(leg)) {
    if (!(await isUnfinished(run, runs))) continue
    const now = Date.now()
    if (until <= now) await pause(0, canceled)
    return { type: 'yielded', since: now, at: Math.min(until, now + LOOK_MS) }
  }
  return begin(order)
}

async function isUnfinished(run: string, runs: Pick<RunStore, 'find'>): Promise<boolean> {
  const summary = await runs.find(run)
  return summary !== undefined && !hasEnded(summary)
}

function pause(times: number, canceled: AbortSignal): Promise<void> {
  const ms = Math.min(FIRST_PAUSE_MS * 2 ** times, LONGEST_PAUSE_MS)
  return new Promise((resolve) => {
    if (canceled.aborted) return resolve()
    const timer = setTimeout(resolve, ms)
    canceled.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true })
  })
}

/** Whether another run of the session waits for a person, which may take days. */
async function waits(
  { details }: EchelonError,
  own: string,
  runs: Pick<RunStore, 'find'>,
): Promise<boolean> {
  const other = details['run']
  if (typeof other !== 'string' || other === own) return false
  const summary = await runs.find(other)
  return summary?.status === 'waiting' && summary.requests.length > 0
}
