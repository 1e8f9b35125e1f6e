import { EchelonError, type ErrorCode, type LegEnd, type Performer } from 'echelon/runtime'
import type { RunStore } from 'echelon/internal/store'
import type { LegWork } from '../leg.ts'

export interface PerformLegOptions {
  readonly performer: Performer
  readonly runs: Pick<RunStore, 'find'>
}

/** Errors that a retry does not change. */
const PERMANENT: ReadonlySet<ErrorCode> = new Set([
  'INVALID_INPUT',
  'INVALID_CONFIG',
  'INVALID_DEFINITION',
  'UNKNOWN_MODEL',
  'MISSING_KEY',
  'MISSING_PACKAGE',
  'UNKNOWN_RUN',
  'UNKNOWN_TOOL',
  'STATE_REFUSED',
  'JOURNAL_MISMATCH',
  'NOT_PERMITTED',
  'KEY_REUSED',
  'STORE_DAMAGED',
])

/** Longer than the lease of a dead process lasts. */
const BUSY_MS = 90_000
const BUSY_PAUSE_MS = 250

/**
 * Performs a leg of a run: resumes it if it has a journal, and begins it otherwise. So the leg of a process
 * that died is simply performed again.
 */
export async function performLeg(
  work: LegWork,
  { performer, runs }: PerformLegOptions,
): Promise<LegEnd> {
  const until = Date.now() + BUSY_MS
  for (;;) {
    try {
      const isBegun = (await runs.find(work.run)) !== undefined
      if (!isBegun && 'task' in work) return await performer.begin(work)
      return await performer.resume(work.run)
    } catch (error) {
      if (!(error instanceof EchelonError)) throw error
      if (PERMANENT.has(error.code)) return { type: 'failed', reason: error.message }
      if (error.code !== 'RUN_BUSY' && error.code !== 'SESSION_BUSY') throw error
      if (Date.now() > until || (await waits(error, work.run, runs))) {
        return { type: 'failed', reason: error.message }
      }
      // The process that died still holds it for a while.
      await new Promise((resolve) => setTimeout(resolve, BUSY_PAUSE_MS))
    }
  }
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
