import type { Meter } from '../../core/agent/agent.ts'
import { sharedLimit } from './act-gate.ts'
import type { Policy } from './settings/modes.ts'
import type { Loop } from './state.ts'

/** The next rung, or the limit that leaves it no budget to act. */
export type Escalation =
  | { readonly type: 'promoted'; readonly loop: Loop }
  | { readonly type: 'budget'; readonly limit: string }

/**
 * Promotes a task to the next rung. Evidence and the failed plan are passed on; progress restarts. No model is
 * called that could not act: a rung whose tool calls are all reserved for higher rungs is skipped, and the run
 * ends here if the top rung has no tool call, time, tokens or money left.
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
