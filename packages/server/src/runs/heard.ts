import type { EventStore } from 'echelon/internal/store'
import { HttpProblem } from '../http/problem.ts'
import type { LiveRun } from './live-run.ts'
import { type LoggedEvent, START } from './run-log.ts'

/** The stored events of a run after a place. */
export async function* storedEvents(
  events: Pick<EventStore, 'flush' | 'read'>,
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

/** The number of the last stored event of a run; 0 without one. */
export async function lastStored(
  events: Pick<EventStore, 'flush' | 'read'>,
  runId: string,
): Promise<number> {
  let last = 0
  for await (const { n } of storedEvents(events, runId, START)) last = n
  return last
}

/**
 * The events of a run of this process from a position on, until it is over here.
 * @throws HttpProblem 410 for a reader that is too slow
 */
export async function* fromMemory(
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

/** A slow client holds no more events than these beside the log. */
const MOST_AT_ONCE = 64
