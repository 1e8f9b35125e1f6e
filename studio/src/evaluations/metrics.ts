import type { EvaluationView, JsonObject } from 'echelon/client'
import { isObject, numberOf, objectOf } from '../run/story/fields.ts'

/** The figures of an evaluation that are shown, from its `metrics.json`. */
export interface Figures {
  readonly cases: number
  readonly success: number | undefined
  readonly escalation: number | undefined
  readonly wrongAccepts: number | undefined
  /** US dollars of a case. */
  readonly cost: number | undefined
}

export function figuresOf({ metrics }: EvaluationView): Figures {
  const known = metrics ?? {}
  return {
    cases: Array.isArray(known['cases']) ? known['cases'].length : 0,
    success: valueOf(known, 'success_rate'),
    escalation: valueOf(known, 'escalation_rate'),
    wrongAccepts: valueOf(known, 'wrong_accept_rate'),
    cost: valueOf(objectOf(known, 'cost'), 'mean_per_case'),
  }
}

const valueOf = (from: JsonObject, name: string): number | undefined => {
  const estimate = from[name]
  return isObject(estimate) ? numberOf(estimate, 'value') : undefined
}

/** A share as a percentage. */
export const percent = (share: number | null | undefined): string =>
  share === undefined || share === null ? 'unknown' : `${Number((share * 100).toFixed(1))}%`
