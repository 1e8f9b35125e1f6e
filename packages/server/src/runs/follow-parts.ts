import type { Principal } from '../access/principal.ts'
import type { RunHub } from './run-hub.ts'
import { type LoggedEvent, START } from './run-log.ts'
import type { TurnPart } from './turn-part.ts'
import { TurnParts } from './turn-parts.ts'

/** A part with the place of the event that it came from, by which a client resumes. */
export interface PlacedPart {
  readonly place: Pick<LoggedEvent, 'n' | 'sub'>
  readonly part: TurnPart
}

export interface FollowPartsOptions {
  readonly principal: Principal
  readonly signal: AbortSignal
  /** Parts up to this place are not yielded, but still count, so that blocks stay balanced. */
  readonly after?: Pick<LoggedEvent, 'n' | 'sub'>
}

/**
 * The parts of a run, until it ends or leaves this process: `end` or `suspended` is the last one.
 * @throws HttpProblem 404, also for another user's run
 */
export async function* followParts(
  hub: RunHub,
  runId: string,
  { principal, signal, after = START }: FollowPartsOptions,
): AsyncGenerator<PlacedPart, void> {
  const live = hub.live(runId, principal)
  const parts = new TurnParts(live && { clientTools: live.clientTools })
  let place: PlacedPart['place'] = START
  // It counts only if nothing follows: the run may have been resumed since.
  let suspended: PlacedPart | undefined
  for await (const logged of hub.follow(runId, principal, { signal })) {
    place = { n: logged.n, sub: logged.sub }
    const isNew = logged.n > after.n || (logged.n === after.n && logged.sub > after.sub)
    suspended = undefined
    for (const part of parts.of(logged.event)) {
      if (!isNew) continue
      if (part.type === 'suspended') suspended = { place, part }
      else yield { place, part }
    }
  }
  if (signal.aborted) return
  if (suspended !== undefined) yield suspended
  const end = await hub.endOf(runId, principal)
  if (end === undefined) return
  for (const part of parts.end(end)) yield { place, part }
}
