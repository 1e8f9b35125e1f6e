import type { Ended, Path, Requested } from 'echelon/internal/journal'
import type { Entry, Started } from 'echelon/runtime'

/** A request, and where in the run it was asked. */
export interface AskedRequest {
  readonly entry: Requested
  readonly place: string
}

/**
 * The changes that one append makes to a store's data about a run. They apply in the order listed:
 * `over` affects only earlier requests.
 */
export interface RunChange {
  /** Of the run itself, never of a nested one. */
  readonly started?: Started
  /**
   * The writer works on the run from here on: the run no longer waits, and has read all entries
   * from outside.
   */
  readonly isTakenUp: boolean
  /** Requests whose place starts with one of these are over, answered or not. */
  readonly over: readonly string[]
  /** New requests, oldest first. A request with an existing id stays as it is. */
  readonly asked: readonly AskedRequest[]
  /** Requests that were answered. They are kept until they are `over`, since a reply is final. */
  readonly answered: readonly string[]
  readonly isCancelAsked: boolean
  /** The run's own end: closes all of its requests and any cancel request. */
  readonly ended?: Ended
  /** The latest time in the entries, if they have one. */
  readonly at?: number
}

/**
 * Reads from an append what it changes, so that a list of runs reads no journal. All stores use it.
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

/** Whether a request no longer waits. */
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

/** The path of a nested run begins with the step and the call that began it. */
const stepOf = (path: Path, seq: number): string => `${path}${seq}.`

const callOf = (path: Path, seq: number, call: number): string => `${stepOf(path, seq)}${call}/`

const placeOf = ({ path, seq, call }: Requested): string =>
  call === undefined ? stepOf(path, seq) : callOf(path, seq, call)
