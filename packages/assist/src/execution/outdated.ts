import type { Phase, Turn } from '../assist-state.ts'

/** Messages during a turn after which the draft is written again. */
const MOST_HEARD = 3

/**
 * A turn without its draft, when the user says more before it is shown, such as a correction: the draft does
 * not know of it. `null` if there is no draft, it was withheld, or it is on its way to the user.
 */
export function withoutOutdated(phase: Phase, turn: Turn): Turn | null {
  if (turn.heard.length > MOST_HEARD || turn.draft === null) return null
  if (turn.heard.length <= turn.draftedAfter) return null
  const before: Turn = { ...turn, draft: null, executions: turn.executions - 1 }
  if (phase === 'evaluating') return before
  if (phase !== 'remembering-evaluations' || turn.outcome !== 'answered') return null
  return {
    ...before,
    answer: null,
    outcome: 'failed',
    judgements: turn.judgements.slice(0, -1),
    evaluated: turn.evaluated.slice(0, -1),
  }
}
