import { EchelonError } from 'echelon/internal/value'
import type { Started } from 'echelon/runtime'
import type { SessionChange } from 'echelon/internal/store'
import type { RunChange } from './run-change.ts'

/** Errors for rejected appends: the same words in every store. */
export const stale = (run: string): EchelonError =>
  new EchelonError(
    'RUN_BUSY',
    `another process has taken up the run ${run}, since this one was silent for too long; nothing more is done here`,
    { details: { run } },
  )

export const busy = (run: string): EchelonError =>
  new EchelonError(
    'RUN_BUSY',
    `a live process works on the run ${run}; wait for it, or cancel the run`,
    { details: { run } },
  )

export const busySession = (session: string, run: string): EchelonError =>
  new EchelonError(
    'RUN_BUSY',
    `the conversation ${session} has a turn that has not ended, the run ${run}; answer it, resume it or cancel it first`,
    { details: { session, run } },
  )

export const behind = (run: string): EchelonError =>
  new EchelonError(
    'RUN_BUSY',
    `the run ${run} has gone on since its journal was read; read it again and resume it from there`,
    { details: { run } },
  )

export const notTaken = (run: string): EchelonError =>
  new EchelonError(
    'RUN_BUSY',
    `this process does not work on the run ${run}; begin or resume it before you append`,
    { details: { run } },
  )

export const begunAlready = (run: string): EchelonError =>
  new EchelonError(
    'INVALID_INPUT',
    `there is a run ${run} already; give each run an id of its own, or resume that one`,
    { details: { run } },
  )

/** The error for beginning or resuming a run that this process already works on. */
export const underWay = (run: string, { started }: RunChange): EchelonError =>
  started === undefined ? busy(run) : begunAlready(run)

/** For a process that read the run before it ended. Nothing has failed. */
export const hasEnded = (run: string): EchelonError =>
  new EchelonError(
    'RUN_BUSY',
    `the run ${run} has ended meanwhile; resume it again to get its result, or fork it`,
    { details: { run } },
  )

export const unknownRun = (run: string): EchelonError =>
  new EchelonError('UNKNOWN_RUN', `there is no run ${run}; list the runs to see their ids`, {
    details: { run },
  })

/** @param why what became of the request */
export const notWaiting = (run: string, request: string, why: string): EchelonError =>
  new EchelonError('UNKNOWN_REQUEST', `the run ${run} does not wait for ${request}: ${why}`, {
    details: { run, request },
  })

export const turnUnderWay = (session: string, run: string): EchelonError =>
  new EchelonError(
    'SESSION_BUSY',
    `a turn of the conversation ${session} is under way, the run ${run}; await its result, or cancel it`,
    { details: { session, run } },
  )

/** The stored conversation that a change applies to. */
interface StoredSession {
  readonly agent: string
  readonly length: number
}

/** The error for a change that cannot be written to its conversation, if there is one. */
export function changeRefusal(
  { id, agent, from, keep }: SessionChange,
  there: StoredSession | undefined,
): EchelonError | undefined {
  const { agent: had, length } = there ?? { agent, length: 0 }
  if (had !== agent) {
    return mismatch(
      id,
      `the conversation ${id} is one of ${had}, and ${agent} cannot go on with it; begin another`,
    )
  }
  if (from !== length) {
    return mismatch(
      id,
      `the conversation ${id} had ${from} messages when the turn began and has ${length} by now; another process continued it, so load it again`,
    )
  }
  if (Number.isSafeInteger(keep) && keep >= 0 && keep <= length) return undefined
  return mismatch(
    id,
    `cannot keep ${keep} messages of the conversation ${id}, since it has ${length}; load it again`,
  )
}

/**
 * The error for a turn that begins without knowing all messages of its conversation, if there is
 * one.
 */
export function turnRefusal({ session }: Started, length: number): EchelonError | undefined {
  if (session?.kept === undefined || session.kept === length) return undefined
  const { id, kept } = session
  return mismatch(
    id,
    `the conversation ${id} has ${length} messages, and the turn that was to begin knows of ${kept}; another process continued it, so load it again`,
  )
}

const mismatch = (session: string, sentence: string): EchelonError =>
  new EchelonError('JOURNAL_MISMATCH', sentence, { details: { session } })
