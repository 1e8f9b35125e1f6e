import type { Moved, Note } from 'echelon/runtime'
import type { AssistState, Turn } from './assist-state.ts'
import type { Judgment } from './evaluation/evaluator.ts'

// Notes go to logs, which outlive the conversation, so they hold none of its words.

/** A move with further notes. */
export const noting = (
  { state, notes = [] }: Moved<AssistState>,
  ...more: readonly Note[]
): Moved<AssistState> => ({
  state,
  notes: [...more, ...notes],
})

export const shownPlan = ({ plan: { approach, altitude } }: Turn): Note['data'] => ({
  approach,
  altitude,
})

export const driftOf = (turn: Turn, { outcome, by }: Judgment, isRevised: boolean): Note => ({
  stage: 'drift',
  data: {
    from: shownPlan(turn),
    north_stars: turn.intent.north_stars,
    outcome,
    by,
    led_to: isRevised ? 'revised' : 'withheld',
  },
})

export function becauseOf({ isOnIntent, findings, by }: Judgment, isRevised: boolean): string {
  if (isOnIntent) return by === 'rules' ? 'no rule found fault with it' : 'the model found no fault'
  const found = findings.map(({ what }) => what).join(', ')
  return isRevised ? `${found}: the plan is to change` : `${found}: the user is to say what holds`
}

export const unusable = (memory: string): Note => ({ stage: 'memory-unusable', data: { memory } })
export const notKept = (memory: string): Note => ({ stage: 'memory-not-kept', data: { memory } })
