import type { JsonObject } from 'echelon/runtime'

/**
 * A condition over facts. Contract: pure. It may throw, and it may return anything: only `true` holds,
 * and a condition that cannot be judged counts against the call.
 */
export type Condition = (facts: JsonObject) => unknown

/** On trial, a rule is judged and told, and decides nothing. */
export type PolicyMode = 'enforce' | 'shadow'

/** What becomes of a call that a rule does not let through. */
export type PolicyEffect =
  /** Refused. */
  | 'deny'
  /** A person has to allow it. */
  | 'escalate'
  /** Refused as if what it is about did not exist. */
  | 'not_found'

/** What must hold for a call. */
export interface PolicyRule {
  readonly id: string
  /** The tools that it is about. */
  readonly tools: readonly string[]
  /** Whether it is about this call; `null` for every call of its tools. */
  readonly when: Condition | null
  readonly require: Condition
  readonly effect: PolicyEffect
  /**
   * Why not, for the customer: it follows "I can't process that request: ". `{name}` is filled from the
   * parameters, the order, and the policy's constants.
   */
  readonly because: string
  /** Whether nothing of the rules after it may be told: who may not know of an order learns nothing of it. */
  readonly final: boolean
  readonly mode: PolicyMode
}

/** Rules, and the tools that they let be called. */
export interface PolicyRules {
  /** `shadow` puts all of it on trial. */
  readonly mode: PolicyMode
  /** All that may be called: any other tool is refused. */
  readonly tools: readonly string[]
  /** Figures that the conditions read as `constants.…`, so that each stands in one place. */
  readonly constants: JsonObject
  readonly rules: readonly PolicyRule[]
}
