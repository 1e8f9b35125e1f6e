import type { Entry, Path, Requested } from './journal.ts'

/** Interruptions without progress after which a run is given up, unless its journal says otherwise. */
export const GIVE_UP_AFTER = 10

/**
 * Counts how often a run was interrupted since it last made progress: a step or a call was completed, or a person
 * replied. So a long run may be interrupted any number of times, as by deployments, while it gets on between them.
 */
export function interruptionsIn(entries: readonly Entry[]): number {
  let count = 0
  for (const entry of entries) {
    if (isProgress(entry)) count = 0
    else if (entry.type === 'resumed' && entry.interrupted === true) count++
  }
  return count
}

/** `opened`, `intended` and `requested` are recorded again by each try of a step, so they are no progress. */
function isProgress(entry: Entry): boolean {
  switch (entry.type) {
    case 'closed':
    case 'settled':
    case 'replied':
    case 'ended':
      return true
    case 'started':
    case 'opened':
    case 'intended':
    case 'requested':
    case 'cancel-asked':
    case 'bound':
    case 'resumed':
    case 'dropped':
      return false
  }
}

/** What a process found that is about to resume a run. */
export interface FoundRun {
  /** Whether the process before died, rather than left the run. */
  readonly isCutOff: boolean
  /** The time, in milliseconds since the epoch. */
  readonly at: number
  readonly giveUpAfter: number
}

/** Whether to resume a run. */
export interface ResumeRuling {
  /** Whether this resume follows an interruption. */
  readonly isInterrupted: boolean
  /** Interruptions since the last progress, with this one. */
  readonly interruptions: number
  readonly givesUp: boolean
}

/** Decides whether a run is resumed or given up. Waiting for a person is no interruption. */
export function ruleOnResume(
  entries: readonly Entry[],
  { isCutOff, at, giveUpAfter }: FoundRun,
): ResumeRuling {
  const isInterrupted = isCutOff && !waitsForReply(entries, at)
  const interruptions = interruptionsIn(entries) + (isInterrupted ? 1 : 0)
  return { isInterrupted, interruptions, givesUp: isInterrupted && interruptions >= giveUpAfter }
}

/** Whether a request is open that has not expired. */
function waitsForReply(entries: readonly Entry[], now: number): boolean {
  const open = new Map<string, Requested>()
  const drop = (isOver: (asked: Requested) => boolean): void => {
    for (const [id, asked] of open) if (isOver(asked)) open.delete(id)
  }
  for (const entry of entries) {
    if (entry.type === 'requested') open.set(entry.request, entry)
    else if (entry.type === 'replied') open.delete(entry.request)
    else if (entry.type === 'closed') drop((asked) => isWithin(asked, entry.path, `${entry.seq}.`))
    else if (entry.type === 'settled')
      drop((asked) => isWithin(asked, entry.path, `${entry.seq}.${entry.call}/`))
    else if (entry.type === 'ended') drop((asked) => asked.path.startsWith(entry.path))
  }
  return [...open.values()].some(({ until = Infinity }) => until > now)
}

/** The path of a nested run begins with the step and the call that began it. */
function isWithin({ path, seq, call }: Requested, outer: Path, part: string): boolean {
  const place = call === undefined ? `${path}${seq}.` : `${path}${seq}.${call}/`
  return place.startsWith(`${outer}${part}`)
}
