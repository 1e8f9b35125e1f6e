import { sameJson } from 'echelon/internal/value'
import { saidIn, type Turn } from '../assist-state.ts'
import { utc } from '../evaluation/kept-evaluations.ts'
import { quotes, revised, withoutQuotes } from './kept-plans.ts'
import type { Plans } from './plan.ts'
import { withConstraints } from './planner.ts'
import type { PlannedByModel } from './plan-wire.ts'

/** A turn that follows another plan from now on, with the part of it to store. */
export function followed(turn: Turn, { plan, reason }: PlannedByModel): Turn {
  const { plans, intent } = turn
  const report = { user_input: saidIn(turn), draft: turn.draft, earlier: [] }
  const kept = withoutQuotes(plan, report)
  const isChanged = !sameJson({ ...kept }, { ...plans.value.current_plan })
  const isOwn = !quotes(reason, `${report.user_input}\n${report.draft ?? ''}`)
  const toKeep = { plan: kept, reason: isOwn ? reason : 'it serves this situation better' }
  return {
    ...turn,
    // The name goes into evaluations and logs.
    plan: withConstraints(intent, { ...plan, approach: kept.approach }),
    toKeep: isChanged && plans.isUsable ? toKeep : null,
  }
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
