import { isRecord } from 'echelon/internal/value'
import type { JsonObject } from 'echelon/runtime'
import type { Finding } from './finding.ts'
import type { Intent } from '../intent/intent.ts'
import { type Judgment, judgmentOf } from './evaluator.ts'
import type { Outcome } from './outcome.ts'
import { parsed } from '../plan/plan-wire.ts'

const OUTCOMES = ['on_intent', 'non_goal', 'tactical_drift'] as const

/** The schema for an evaluator model's answer. A violation is named by the intent and backed by a quote. */
export function judgmentSchema({ non_goals }: Intent): JsonObject {
  return {
    type: 'object',
    properties: {
      outcome: { type: 'string', enum: [...OUTCOMES] },
      matched_intent: { type: 'boolean' },
      violations: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            what: { type: 'string', enum: [...new Set([...non_goals, TACTICAL])] },
            quote: { type: 'string' },
          },
          required: ['what', 'quote'],
          additionalProperties: false,
        },
      },
      target: { type: 'string', enum: ['planner', 'intent'] },
    },
    required: ['outcome', 'matched_intent', 'violations', 'target'],
    additionalProperties: false,
  }
}

/** A violation that is not a non-goal: it gives steps and loses sight of the intent. */
const TACTICAL = 'tactical_drift'

/**
 * Reads a model's judgment of an outcome. A violation counts if its quote occurs in the draft, whatever else the
 * model says: in a conflict the intent wins.
 * @returns null if it is not a judgment, or claims a fault without evidence
 */
export function readJudgment(text: string, intent: Intent, outcome: Outcome): Judgment | null {
  const value = parsed(text)
  if (!isRecord(value) || !Array.isArray(value['violations'])) return null
  const { matched_intent, target, violations } = value
  if (typeof matched_intent !== 'boolean' || (target !== 'planner' && target !== 'intent')) {
    return null
  }
  const draft = plain(outcome.report.draft ?? '')
  const findings = violations
    .slice(0, MOST_VIOLATIONS)
    .flatMap((one: unknown) => findingIn(one, intent, draft))
  if (!matched_intent && findings.length === 0) return null
  return judgmentOf(outcome.plan.approach, findings, { target, by: 'model' })
}

/** Each is searched for in the draft; an answer with more is rejected. */
const MOST_VIOLATIONS = 50

/** @param draft normalized by `plain` */
function findingIn(value: unknown, { non_goals }: Intent, draft: string): readonly Finding[] {
  if (!isRecord(value)) return []
  const { what, quote } = value
  if (typeof what !== 'string' || typeof quote !== 'string') return []
  const evidence = plain(quote)
  if (evidence === '' || !draft.includes(evidence)) return []
  if (non_goals.includes(what)) return [{ kind: 'non_goal', what, evidence: quote, confidence: 1 }]
  return what === TACTICAL ? [{ kind: 'tactical_drift', what, evidence: quote, confidence: 1 }] : []
}

const plain = (text: string): string =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')
