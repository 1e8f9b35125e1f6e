import { type Evaluation, nonGoalIn } from '../evaluation/evaluation.ts'
import type { Intent } from '../intent/intent.ts'
import { ALTITUDES, type Altitude, type Plan } from './plan.ts'
import type { Report } from '../report.ts'
import { situationKind, type SituationKind } from '../situation.ts'

/** The shipped plan. */
export const DEFAULT_PLAN: Plan = {
  approach: 'strategic_exploration',
  altitude: 'L3',
  constraints: ['no tactical without strategic context'],
  focus: ['connect to north stars', 'challenge when needed'],
}

const APPROACHES: Readonly<Record<SituationKind, Pick<Plan, 'approach' | 'altitude'>>> = {
  asks_how: { approach: 'context_before_steps', altitude: 'L2' },
  asks_what_for: { approach: 'purpose_first', altitude: 'L4' },
  asks_whether: { approach: 'weigh_the_ways', altitude: 'L3' },
  corrects: { approach: 'take_the_correction', altitude: 'L3' },
  asks: { approach: 'strategic_exploration', altitude: 'L3' },
  tells: { approach: 'strategic_exploration', altitude: 'L3' },
}

/**
 * Plans by rule, if no model plans or the model is down. Meaning flows down from the intent; these rules never
 * read a conversation.
 */
export class Planner {
  readonly #current: Plan

  constructor(current: Plan = DEFAULT_PLAN) {
    this.#current = current
  }

  /** Plans how to answer a situation in line with the intent. */
  plan(intent: Intent, situation: Report): Plan {
    const { north_stars, current_success } = intent
    const kind = situationKind(situation.user_input)
    const isCorrected = kind === 'corrects'
    return withConstraints(intent, {
      ...APPROACHES[kind],
      constraints: DEFAULT_PLAN.constraints,
      focus: [
        ...(isCorrected ? [TAKEN] : []),
        `serve: ${current_success}`,
        ...north_stars.map((star) => `connect to ${star}`),
        'challenge when needed',
      ],
    })
  }

  /** Revises a plan that led away from the intent: the new one forbids the fault. */
  revise(plan: Plan, { outcome, matched_intent }: Evaluation): Plan {
    if (matched_intent) return plan
    const isDrift = outcome === 'tactical_drift'
    const wrong = (nonGoalIn(outcome) ?? outcome).replaceAll('_', ' ')
    const forbidden =
      outcome === 'frustration'
        ? 'one thought at a time, and no advice that nobody asked for'
        : `no ${wrong}, whatever was asked`
    return {
      approach: isDrift ? 'purpose_first' : 'short_and_on_intent',
      altitude: isDrift ? higher(plan.altitude) : plan.altitude,
      constraints: [...new Set([...plan.constraints, forbidden])],
      focus: plan.focus,
    }
  }

  /** The approach of the current plan. */
  getApproach(): string {
    return this.#current.approach
  }
}

const TAKEN = 'answer what was corrected; defend nothing that was said before'

const higher = (altitude: Altitude): Altitude =>
  ALTITUDES[Math.min(ALTITUDES.indexOf(altitude) + 1, ALTITUDES.length - 1)] ?? altitude

/** Adds the non-goals and rules that bind every plan: in a conflict the intent wins. */
export function withConstraints({ non_goals, authority_rules }: Intent, plan: Plan): Plan {
  const hard = [...non_goals.map((one) => `never: ${one}`), ...authority_rules]
  return { ...plan, constraints: [...new Set([...plan.constraints, ...hard])] }
}
