import { isRecord } from 'echelon/internal/value'
import type { Json } from 'echelon/runtime'
import type { Evaluation, Evaluations } from '../evaluation/evaluation.ts'
import { DEFAULT_INTENT, type Intent } from '../intent/intent.ts'
import { NO_EVALUATIONS } from '../evaluation/kept-evaluations.ts'
import { NO_PLANS } from '../plan/kept-plans.ts'
import { ALTITUDES, type Altitude, type Plan, type Plans, type Revision } from '../plan/plan.ts'

// A memory may come from any store or be edited by hand, so it is checked before use. An unusable one is reported
// in one clause and never written over.

/** The content of a memory, or its problem. */
export type Read<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem: string }

/** The shipped intent if none was ever written. */
export function intentIn(kept: Json): Read<Intent> {
  if (kept === null) return { ok: true, value: DEFAULT_INTENT }
  if (isIntent(kept)) return { ok: true, value: kept }
  return wrong(
    'intent',
    'north_stars, non_goals, stop_conditions and authority_rules as lists of texts and current_success as a text',
  )
}

export function plansIn(kept: Json): Read<Plans> {
  if (kept === null) return { ok: true, value: NO_PLANS }
  if (isPlans(kept)) return { ok: true, value: kept }
  return wrong('plans', 'current_plan and revision_history')
}

export function evaluationsIn(kept: Json): Read<Evaluations> {
  if (kept === null) return { ok: true, value: NO_EVALUATIONS }
  if (isEvaluations(kept)) return { ok: true, value: kept }
  return wrong('evaluations', 'recent_evaluations and patterns')
}

const wrong = (
  memory: string,
  wanted: string,
): { readonly ok: false; readonly problem: string } => ({
  ok: false,
  problem: `the memory ${memory} is not what it has to be: it is to hold ${wanted}`,
})

export function isIntent(value: unknown): value is Intent {
  if (!isRecord(value)) return false
  const { north_stars, current_success, non_goals, stop_conditions, authority_rules } = value
  const { patterns = {} } = value
  return (
    [north_stars, non_goals, stop_conditions, authority_rules].every(areTexts) &&
    typeof current_success === 'string' &&
    isRecord(patterns) &&
    Object.values(patterns).every(areTexts)
  )
}

function isPlan(value: unknown): value is Plan {
  if (!isRecord(value)) return false
  const { approach, altitude, constraints, focus } = value
  return (
    typeof approach === 'string' && isAltitude(altitude) && areTexts(constraints) && areTexts(focus)
  )
}

export const isAltitude = (value: unknown): value is Altitude =>
  ALTITUDES.some((one) => one === value)

export function isPlans(value: unknown): value is Plans {
  if (!isRecord(value)) return false
  const { current_plan, revision_history } = value
  return isPlan(current_plan) && isListOf(revision_history, isRevision)
}

function isRevision(value: unknown): value is Revision {
  if (!isRecord(value)) return false
  const { timestamp, plan, reason } = value
  return typeof timestamp === 'string' && isPlan(plan) && typeof reason === 'string'
}

function isEvaluation(value: unknown): value is Evaluation {
  if (!isRecord(value)) return false
  const { timestamp, outcome, matched_intent, revision_triggered, target } = value
  return (
    typeof timestamp === 'string' &&
    typeof outcome === 'string' &&
    typeof matched_intent === 'boolean' &&
    typeof revision_triggered === 'boolean' &&
    (target === 'planner' || target === 'intent')
  )
}

export function isEvaluations(value: unknown): value is Evaluations {
  if (!isRecord(value)) return false
  const { recent_evaluations, patterns } = value
  return (
    isListOf(recent_evaluations, isEvaluation) &&
    isRecord(patterns) &&
    areTexts(patterns['repeated_failures']) &&
    areTexts(patterns['successful_approaches'])
  )
}

const isListOf = <Item>(
  value: unknown,
  isOne: (one: unknown) => one is Item,
): value is readonly Item[] => Array.isArray(value) && value.every(isOne)

const isText = (value: unknown): value is string => typeof value === 'string'
const areTexts = (value: unknown): value is readonly string[] => isListOf(value, isText)
