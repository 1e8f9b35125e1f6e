import { EchelonError, type ErrorCode, type Performer } from 'echelon/runtime'
import type { RunStore } from 'echelon/internal/store'
import type { LegOutcome, LegRequest } from '../leg.ts'
import type { QueueRows } from './queue-rows.ts'

export interface PerformLegOptions {
  readonly performer: Performer
  readonly runs: Pick<RunStore, 'find'>
  readonly rows: Pick<QueueRows, 'sleepers' | 'isCanceled'>
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

/** How long a leg goes back to its queue: longer than the lease of a dead process, or a rolling deploy. */
const TAKEN_BACK_MS = 600_000
/** Pauses before it does, from the first one on. */
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 5000
/** How often a turn looks whether the run before it still sleeps. */
const LOOK_MS = 60_000

/**
 * Performs a leg of a run: resumes it if it has a journal, and begins it otherwise. So the leg of a process
 * that died is simply performed again.
 */
export async function performLeg(leg: LegRequest, options: PerformLegOptions): Promise<LegOutcome> {
  try {
    return await performed(leg, options)
  } catch (error) {
    if (!(error instanceof EchelonError)) throw error
    if (PERMANENT.has(error.code)) return { type: 'failed', reason: error.message }
    if (!NOT_HERE.has(error.code)) throw error
    const since = leg.again?.since ?? Date.now()
    const isTooLate = Date.now() - since > TAKEN_BACK_MS
    if (isTooLate || (await waits(error, leg.work.run, options.runs))) {
      return { type: 'failed', reason: error.message }
    }
    // It keeps its session's place in the queue during the pause, so nothing overtakes it.
    await pause(leg.again?.times ?? 0, options.canceled)
    return { type: 'yielded', since, at: 0 }
  }
}

async function performed(
  leg: LegRequest,
  { performer, runs, rows, canceled }: PerformLegOptions,
): Promise<LegOutcome> {
  const { work } = leg
  const isBegun = (await runs.find(work.run)) !== undefined
  if (isBegun || !('task' in work)) return performer.resume(work.run)
  if (canceled.aborted || (await rows.isCanceled(leg))) return { type: 'ended' }
  if (work.session === undefined) return performer.begin(work)
  for (const { run, until } of await rows.sleepers(leg)) {
    if (!(await isUnfinished(run, runs))) continue
    const now = Date.now()
    if (until <= now) await pause(0, canceled)
    return { type: 'yielded', since: now, at: Math.min(until, now + LOOK_MS) }
  }
  return performer.begin(work)
}

async function isUnfinished(run: string, runs: Pick<RunStore, 'find'>): Promise<boolean> {
  const summary = await runs.find(run)
  return summary !== undefined && summary.status !== 'finished' && summary.status !== 'canceled'
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
