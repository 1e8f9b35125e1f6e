import type { PolicyDecision, PolicyEngine } from '../primitives/policy-engine.ts'

/** Allows everything: the default of a router until it is given rules. */
export class NullPolicyEngine implements PolicyEngine {
  validate(): PolicyDecision {
    return { allowed: true, violations: [], requiresEscalation: false, rules: [] }
  }
}
