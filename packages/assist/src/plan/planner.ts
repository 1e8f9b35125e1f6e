import { type Evaluation, nonGoalIn } from '../evaluation/evaluation.ts'
import type { Intent } from '../intent/intent.ts'
import { ALTITUDES, type Altitude, type Plan } from './plan.ts'
import type { Report } from '../report.ts'
import { situationKind, type SituationKind } from '../situation.ts'

/** The plan that the assistant is shipped with. */
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
  asks: { approach: 'strategic_exploration', altitude: 'L3' },
  tells: { approach: 'strategic_exploration', altitude: 'L3' },
}

/**
 * Plans by rule: what serves where no model plans, and where one is down. Meaning flows down from the
 * intent; nothing here reads a conversation.
 */
export class Planner {
  readonly #current: Plan

  constructor(current: Plan = DEFAULT_PLAN) {
    this.#current = current
  }

  /** How to answer in a situation so that it serves the intent. */
  plan(intent: Intent, situation: Report): Plan {
    const { north_stars, current_success } = intent
    return withConstraints(intent, {
      ...APPROACHES[situationKind(situation.user_input)],
      constraints: DEFAULT_PLAN.constraints,
      focus: [
        `serve: ${current_success}`,
        ...north_stars.map((star) => `connect to ${star}`),
        'challenge when needed',
      ],
    })
  }

  /** Another plan than one that led off the intent: it forbids what went wrong. */
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

  /** The approach of the plan that holds. */
  getApproach(): string {
    return this.#current.approach
  }
}

const higher = (altitude: Altitude): Altitude =>
  ALTITUDES[Math.min(ALTITUDES.indexOf(altitude) + 1, ALTITUDES.length - 1)] ?? altitude

/** Non-goals and rules bind every plan, whoever made it: in a conflict the intent wins. */
export function withConstraints({ non_goals, authority_rules }: Intent, plan: Plan): Plan {
  const hard = [...non_goals.map((one) => `never: ${one}`), ...authority_rules]
  return { ...plan, constraints: [...new Set([...plan.constraints, ...hard])] }
}
