import type { Ended, Path, Requested } from 'echelon/internal/journal'
import type { Entry, Started } from 'echelon/runtime'

/** A request, and where in the run it was made. */
export interface AskedRequest {
  readonly entry: Requested
  readonly place: string
}

/**
 * What one append changes in what a store says of a run. The parts hold in the order in which they
 * are listed: what is `over` was asked before.
 */
export interface RunChange {
  /** Of the run itself, never of one within it. */
  readonly started?: Started
  /**
   * Whoever appends works on the run from here on: it waits no more, and all that was put on record
   * from outside is known.
   */
  readonly isTakenUp: boolean
  /** Requests whose place begins with one of these wait no more, answered or not. */
  readonly over: readonly string[]
  /** New requests, oldest first. One of an id that is there already stays as it is. */
  readonly asked: readonly AskedRequest[]
  /** Requests that were answered; they are kept until they are `over`, for a reply holds. */
  readonly answered: readonly string[]
  readonly isCancelAsked: boolean
  /** The run's own end: none of its requests waits any more, nor does whoever asked for its end. */
  readonly ended?: Ended
  /** The latest time that the entries tell; nothing where they tell none. */
  readonly at?: number
}

/**
 * Reads off an append what it changes, so that a list of runs reads no journal: the one place where
 * it is told, for all stores.
 */
export function runChange(entries: readonly Entry[]): RunChange {
  const change: Changing = {
    isTakenUp: false,
    over: [],
    asked: [],
    answered: [],
    isCancelAsked: false,
  }
  for (const entry of entries) {
    take(change, entry)
    if ('at' in entry) change.at = Math.max(change.at ?? 0, entry.at)
  }
  return change
}

/** Whether a request waits no more, given what is over. */
export const isOver = (place: string, over: readonly string[]): boolean =>
  over.some((prefix) => place.startsWith(prefix))

interface Changing {
  started?: Started
  isTakenUp: boolean
  over: string[]
  asked: AskedRequest[]
  answered: string[]
  isCancelAsked: boolean
  ended?: Ended
  at?: number
}

function take(change: Changing, entry: Entry): void {
  switch (entry.type) {
    case 'started':
      if (entry.path !== '') return
      change.started = entry
      change.isTakenUp = true
      return
    case 'resumed':
      if (entry.path === undefined) change.isTakenUp = true
      return
    case 'requested':
      if (!change.asked.some((one) => one.entry.request === entry.request))
        change.asked.push({ entry, place: placeOf(entry) })
      return
    case 'replied':
      change.answered.push(entry.request)
      return
    case 'cancel-asked':
      change.isCancelAsked = true
      return
    case 'settled':
      return takeOver(change, callOf(entry.path, entry.seq, entry.call))
    case 'closed':
      return takeOver(change, stepOf(entry.path, entry.seq))
    case 'ended':
      if (entry.path === '') change.ended = entry
      return takeOver(change, entry.path)
    case 'opened':
    case 'intended':
    case 'bound':
    case 'dropped':
      return
  }
}

function takeOver(change: Changing, prefix: string): void {
  change.over.push(prefix)
  change.asked = change.asked.filter(({ place }) => !place.startsWith(prefix))
}

/** A run within a step has a path that begins with the step, and with the call that began it. */
const stepOf = (path: Path, seq: number): string => `${path}${seq}.`

const callOf = (path: Path, seq: number, call: number): string => `${stepOf(path, seq)}${call}/`

const placeOf = ({ path, seq, call }: Requested): string =>
  call === undefined ? stepOf(path, seq) : callOf(path, seq, call)
