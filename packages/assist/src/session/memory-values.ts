import type { JsonObject } from 'echelon/runtime'
import type { Evaluations } from '../evaluation/evaluation.ts'
import type { Plans } from '../plan/plan.ts'

/** The content of `plans.json`, field by field. */
export const plansValue = ({ current_plan, revision_history }: Plans): JsonObject => ({
  current_plan: { ...current_plan },
  revision_history: revision_history.map(({ timestamp, plan, reason }) => ({
    timestamp,
    plan: { ...plan },
    reason,
  })),
})

/** The content of `evaluations.json`, field by field. */
export const evaluationsValue = ({ recent_evaluations, patterns }: Evaluations): JsonObject => ({
  recent_evaluations: recent_evaluations.map((one) => ({ ...one })),
  patterns: { ...patterns },
})
