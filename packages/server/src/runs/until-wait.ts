import type { RunHub } from './run-hub.ts'
import { followParts, type FollowPartsOptions, type PlacedPart } from './follow-parts.ts'
import type { TurnPart } from './turn-part.ts'

/** A part after which a run waits for a person or a client. */
export type WaitPart = Extract<TurnPart, { readonly type: 'approval' | 'question' | 'client-turn' }>

export const isWait = (part: TurnPart): part is WaitPart =>
  part.type === 'approval' || part.type === 'question' || part.type === 'client-turn'

/**
 * The parts of a run up to the next one that waits for an answer, for protocols that end their response
 * then and continue in the next request, after the place of the last part. A part that is already answered, or
 * will be by the given results, does not count.
 * @param ends whether to stop after a part; default each one
 */
export async function* untilWait(
  hub: RunHub,
  runId: string,
  options: FollowPartsOptions,
  ends: (part: WaitPart) => boolean = () => true,
): AsyncGenerator<PlacedPart, void> {
  const live = hub.live(runId, options.principal)
  for await (const placed of followParts(hub, runId, options)) {
    yield placed
    const { part } = placed
    if (isWait(part) && ends(part) && live?.waitsFor(part.request) === true) return
  }
}
