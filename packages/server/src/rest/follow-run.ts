import { hasEnded, type RunStatus } from 'echelon/internal/store'
import type { Principal } from '../access/principal.ts'
import type { ServerContext } from '../http/server-context.ts'
import type { LoggedEvent } from '../runs/run-log.ts'

type Place = Pick<LoggedEvent, 'n' | 'sub'>

export interface FollowRunOptions {
  readonly principal: Principal
  readonly after: Place
  readonly signal: AbortSignal
}

/** Pauses between two looks at a run that is not in this process. */
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 2000
/** Time to wait for the last events of a run that ended elsewhere. */
const LAST_EVENTS_MS = 1500

/**
 * The events of a run after a place until it ends, wherever it works meanwhile: also while it waits on
 * record, is resumed here, or works in another process on the store. Every event comes once.
 * @returns whether the run is over; otherwise the server stops, and the client connects again
 */
export async function* followRun(
  { hub, store, clock }: ServerContext,
  run: string,
  { principal, after, signal }: FollowRunOptions,
): AsyncGenerator<readonly LoggedEvent[], boolean> {
  let place = after
  let isWhole = false
  let overSince: number | undefined
  for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted;) {
    // Asked before the events are read, so that none comes in between.
    const live = hub.live(run, principal)
    const isHere = live !== undefined && live.state !== 'suspended'
    const status = isHere ? undefined : await hub.statusOf(run)
    const before = place
    for await (const events of hub.followAll(run, principal, { after: place, signal })) {
      place = events.at(-1) ?? place
      isWhole = events.at(-1)?.event.type === 'run-end'
      await kept(store, events)
      yield events
    }
    if (signal.aborted || hub.isStopping) return false
    if (live?.state === 'ended' || live?.state === 'failed') return true
    if (isOver(status)) {
      // The process that performed it writes its last events after its end.
      overSince ??= clock.now()
      if (isWhole || status === undefined || clock.now() - overSince > LAST_EVENTS_MS) return true
    }
    if (isHere) continue
    pauseMs = place !== before ? FIRST_PAUSE_MS : Math.min(2 * pauseMs, LONGEST_PAUSE_MS)
    await pause(clock, pauseMs, signal)
  }
  return false
}

/**
 * Waits until events are stored. A process that is killed then gives no place twice: the next one counts on
 * from the last stored event. If the store fails, it keeps retrying, and no client waits for it.
 */
async function kept(
  { events }: ServerContext['store'],
  told: readonly LoggedEvent[],
): Promise<void> {
  if (!told.some(({ sub }) => sub === 0)) return
  try {
    await events.flush()
  } catch {
    // It is busy or full.
  }
}

const isOver = (status: RunStatus | undefined): boolean =>
  status === undefined || status === 'damaged' || hasEnded({ status })

function pause(clock: ServerContext['clock'], ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const over = (): void => {
      cancel()
      signal.removeEventListener('abort', over)
      resolve()
    }
    const cancel = clock.after(ms, over)
    signal.addEventListener('abort', over, { once: true })
    if (signal.aborted) over()
  })
}
