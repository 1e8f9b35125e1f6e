import type { Store } from 'echelon/internal/store'
import { HttpProblem } from '../http/problem.ts'
import type { LiveRun } from './live-run.ts'
import { type LoggedEvent, START } from './run-log.ts'

type Events = Pick<Store, 'events'>

export interface FollowOptions {
  readonly after?: Pick<LoggedEvent, 'n' | 'sub'>
  readonly signal: AbortSignal
}

/**
 * The events of a run after a place, from memory or the store, until it is over here.
 * @param run its id, and the run itself if it is in this process
 */
export async function* followedEvents(
  store: Events,
  { runId, live }: { readonly runId: string; readonly live: LiveRun | undefined },
  { after = START, signal }: FollowOptions,
): AsyncGenerator<readonly LoggedEvent[], void> {
  let from = after
  let position = live?.log.after(from)
  if (live === undefined || position === undefined) {
    for await (const logged of storedEvents(store, runId, from)) {
      if (signal.aborted) return
      // Events in memory come from there, with text deltas.
      position = live?.log.after(from)
      if (position !== undefined) break
      yield [logged]
      from = logged
    }
    position = live?.log.after(from)
  }
  if (live !== undefined && position !== undefined) yield* fromMemory(live, position, signal)
}

/** The stored events of a run after a place. */
async function* storedEvents(
  { events }: Events,
  runId: string,
  { n }: Pick<LoggedEvent, 'n'>,
): AsyncGenerator<LoggedEvent, void> {
  await events.flush()
  for (let last = n; ;) {
    const page = await events.read(runId, last)
    for (const { n: number, at, event } of page) {
      last = number
      yield { n: number, sub: 0, at, event }
    }
    if (page.length === 0) return
  }
}

/** The number of the last stored event of a run. */
export async function lastStored(store: Events, runId: string): Promise<number> {
  let last = 0
  for await (const { n } of storedEvents(store, runId, START)) last = n
  return last
}

/**
 * The events of a run in this process, in batches of those available, until the run ends.
 * @throws HttpProblem 410 for a client that reads too slowly
 */
async function* fromMemory(
  { log }: LiveRun,
  from: number,
  signal: AbortSignal,
): AsyncGenerator<readonly LoggedEvent[], void> {
  for (let position = from; !signal.aborted;) {
    const events = log.from(position, MOST_AT_ONCE)
    if (events.length > 0) {
      position += events.length
      yield events
    } else if (log.isGone(position)) {
      throw new HttpProblem(410, 'too_slow', 'this client reads too slowly; connect again')
    } else if (log.isOver) return
    else await log.more(signal)
  }
}

/** At most these events are buffered for a slow client, besides the log. */
const MOST_AT_ONCE = 64
