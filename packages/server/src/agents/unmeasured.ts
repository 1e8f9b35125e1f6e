import type { TurnEnd } from './served-agent.ts'

/** The figures of a turn's end when none were measured. */
export const UNMEASURED: Omit<TurnEnd, 'status' | 'text' | 'reason' | 'detail'> = {
  usage: { input: 0, output: 0 },
  cost: null,
  rungs: [],
  checked: 'unchecked',
  confidence: null,
  escalated: false,
  needsInput: false,
  details: {},
}
