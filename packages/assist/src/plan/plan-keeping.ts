import { sameJson } from 'echelon/internal/value'
import { saidIn, type Turn } from '../assist-state.ts'
import { utc } from '../evaluation/kept-evaluations.ts'
import { quotes, revised, withoutQuotes } from './kept-plans.ts'
import type { Plan, Plans } from './plan.ts'
import { textOf } from '../session/turn-marks.ts'
import { withConstraints } from './planner.ts'
import type { PlannedByModel } from './plan-wire.ts'
import { withinIntent } from './within-intent.ts'

/** A turn under a plan, without what contradicts the intent and with what the intent demands of every plan. */
export function bound(turn: Turn, given: Plan): Turn {
  const { plan, refused } = withinIntent(given, turn.intent)
  const refusedLines = [...turn.refusedLines, ...refused]
  return { ...turn, plan: withConstraints(turn.intent, plan), refusedLines }
}

/** A turn that follows another plan from now on, with the part of it to store. */
export function followed(before: Turn, { plan: given, reason }: PlannedByModel): Turn {
  const turn = bound(before, given)
  const { plan } = withinIntent(given, turn.intent)
  const { plans } = turn
  const report = { user_input: everythingSaid(turn), draft: turn.draft, earlier: [] }
  const kept = withoutQuotes(plan, report)
  const isChanged = !sameJson({ ...kept }, { ...plans.value.current_plan })
  const isOwn = !quotes(reason, `${report.user_input}\n${report.draft ?? ''}`)
  const toKeep = { plan: kept, reason: isOwn ? reason : 'it serves this situation better' }
  return {
    ...turn,
    // The name goes into evaluations and logs.
    plan: { ...turn.plan, approach: kept.approach },
    toKeep: isChanged && plans.isUsable ? toKeep : null,
  }
}

/** A planner sees the conversation, so its plan may quote the user's words of any turn. */
const everythingSaid = (turn: Turn): string => {
  const earlier = turn.conversation.filter(({ role }) => role === 'user').map(textOf)
  return [...earlier, saidIn(turn)].join('\n')
}

/** A turn whose new plan is kept. */
export const plansKept = (turn: Turn, version: number): Turn => ({
  ...turn,
  plans: { ...turn.plans, value: plansWith(turn), version },
  toKeep: null,
})

/** The plans after the turn's new one is stored. */
export const plansWith = ({ plans, toKeep, at }: Turn): Plans =>
  toKeep === null ? plans.value : revised(plans.value, toKeep.plan, toKeep.reason, utc(at))
