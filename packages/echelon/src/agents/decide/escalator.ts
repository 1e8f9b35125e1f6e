import type { Meter } from '../../core/agent/agent.ts'
import { sharedLimit } from './act-gate.ts'
import type { Policy } from './settings/modes.ts'
import type { Loop } from './state.ts'

/** The next rung, or the limit that leaves it nothing to act with. */
export type Escalation =
  | { readonly type: 'promoted'; readonly loop: Loop }
  | { readonly type: 'budget'; readonly limit: string }

/**
 * Promotes a task to the next rung. Evidence and the failed plan go along; progress starts anew.
 * No call is made for a model that could not act: a rung whose tool calls are all kept back for
 * those above is passed over, and without a tool call, time, tokens or money left for the top one
 * the run ends here.
 */
export function escalateTask(loop: Loop, meter: Meter, policy: Policy): Escalation {
  const top = policy.rungs.length - 1
  const limit = sharedLimit(top, meter, policy)
  if (limit !== undefined) return { type: 'budget', limit }
  let rung = loop.rung + 1
  while (rung < top && sharedLimit(rung, meter, policy) !== undefined) rung++
  return {
    type: 'promoted',
    loop: { ...loop, rung, rounds: 0, reprompt: null, best: 0, stalled: 0 },
  }
}
