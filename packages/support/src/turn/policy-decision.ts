import { isJson, isRecord } from 'echelon/internal/value'
import type { Instead, PolicyDecision } from '../primitives/policy-engine.ts'

/** Reads a policy engine's decision strictly: anything but a clear yes is a no. */
export function decisionIn(value: unknown): PolicyDecision {
  if (!isRecord(value) || typeof value['allowed'] !== 'boolean')
    return undecided('it gave no decision')
  const { allowed, violations, requiresEscalation, rules, asNotFound, shadow, instead } = value
  const told = textsOf(violations)
  const way = wayOutIn(instead)
  return {
    allowed: allowed && requiresEscalation !== true,
    violations: told,
    requiresEscalation: requiresEscalation === true,
    rules: textsOf(rules),
    ...(asNotFound === true && { asNotFound }),
    ...(way !== null && { instead: way }),
    ...(shadow !== undefined && isJson(shadow) && { shadow }),
  }
}

function wayOutIn(value: unknown): Instead | null {
  if (!isRecord(value) || typeof value['say'] !== 'string') return null
  const { say, offer } = value
  return { say, offer: typeof offer === 'string' ? offer : null }
}

/** The digest of what an approval would cover, if there is one. */
export function restsIn(value: unknown): string | undefined {
  const rests = isRecord(value) ? value['rests'] : undefined
  return typeof rests === 'string' ? rests : undefined
}

/** The decision if the policy cannot be asked: nothing is allowed. */
export const undecided = (problem: string): PolicyDecision => ({
  allowed: false,
  violations: ['the rules cannot be checked at the moment'],
  requiresEscalation: false,
  rules: [`undecided: ${problem}`],
})

const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
