import {
  type AssistRole,
  type AssistSettings,
  ASSIST_DEFAULTS,
  ASSIST_ROLES,
} from '../../packages/assist/src/assist-settings.ts'
import type { Finding, ReadDraft, ReadUser } from '../../packages/assist/src/evaluation/finding.ts'
import { DEFAULT_INTENT, type Intent } from '../../packages/assist/src/intent/intent.ts'
import type { Plan } from '../../packages/assist/src/plan/plan.ts'

/** A word that occurs only in the conversation. */
export const CANARY = 'Zanzibarquux'
export const FLATTERY = 'What a brilliant idea'

export const INTENT: Intent = {
  ...DEFAULT_INTENT,
  patterns: { sycophancy: ['what a brilliant idea'], 'user says stop': ['^stop'] },
}

/** Reads a user's message by fixed words. */
export const readUser: ReadUser = (text, { stop_conditions }) => {
  const found = (kind: Finding['kind'], word: string, what: string): readonly Finding[] =>
    text.toLowerCase().includes(word) && stop_conditions.includes(what)
      ? [{ kind, what, evidence: word, confidence: 0.9 }]
      : []
  return [
    ...found('stop', 'stop', 'user says stop'),
    ...found('frustration', 'useless', 'frustration detected'),
    ...found('achieved', 'solved', 'goal achieved'),
  ]
}

export const readDraft: ReadDraft = (draft, { intent, plan }) => [
  ...intent.non_goals.flatMap((what) =>
    (intent.patterns?.[what] ?? []).flatMap((pattern): readonly Finding[] => {
      const evidence = new RegExp(pattern, 'iu').exec(draft)?.[0]
      return evidence === undefined ? [] : [{ kind: 'non_goal', what, evidence, confidence: 0.9 }]
    }),
  ),
  ...(draft.startsWith('1.') && plan.altitude !== 'L1'
    ? [{ kind: 'tactical_drift' as const, what: 'steps', evidence: '1.', confidence: 0.8 }]
    : []),
  { kind: 'too_long', what: 'unsure', evidence: '', confidence: 0.1 },
]

export const settingsOf = (
  roles: readonly AssistRole[] = ASSIST_ROLES,
  more: Partial<AssistSettings> = {},
): AssistSettings => ({
  ...ASSIST_DEFAULTS,
  roles,
  readUser,
  readDraft,
  reflect: (_input, { north_stars }) => `What is it for: ${north_stars.join(', ')}?`,
  ...more,
})

export const PLAN: Plan = {
  approach: 'weigh_the_ways',
  altitude: 'L3',
  constraints: ['be brief'],
  focus: ['trade-offs'],
}

export const planned = (plan: Partial<Plan & { reason: string }> = {}): string =>
  JSON.stringify({ ...PLAN, reason: 'the user weighs two ways', ...plan })

export const judged = (
  judgment: Partial<{
    outcome: string
    matched_intent: boolean
    violations: readonly { what: string; quote: string }[]
    target: string
  }> = {},
): string =>
  JSON.stringify({
    outcome: 'on_intent',
    matched_intent: true,
    violations: [],
    target: 'planner',
    ...judgment,
  })

export const violated = (quote: string, target = 'planner', what = 'endless analysis'): string =>
  judged({ outcome: 'non_goal', matched_intent: false, violations: [{ what, quote }], target })
