import type { JsonObject } from 'echelon/runtime'

/**
 * A condition over facts. Contract: pure. It may throw or return anything: only `true` holds, and a condition that
 * cannot be judged counts against the call.
 */
export type Condition = (facts: JsonObject) => unknown

/** `shadow` puts a rule on trial: it is judged and reported, but decides nothing. */
export type PolicyMode = 'enforce' | 'shadow'

/** The effect of a rule that a call breaks. */
export type PolicyEffect =
  /** Refused. */
  | 'deny'
  /** A person must allow it. */
  | 'escalate'
  /** Refused as if its subject did not exist. */
  | 'not_found'

/** A condition that a call must meet. */
export interface PolicyRule {
  readonly id: string
  /** The tools that it applies to. */
  readonly tools: readonly string[]
  /** Whether it applies to this call; `null` for every call of its tools. */
  readonly when: Condition | null
  readonly require: Condition
  readonly effect: PolicyEffect
  /**
   * The reason for the customer: it follows "I can't process that request: ". `{name}` is filled from the
   * parameters, the order, and the policy's constants.
   */
  readonly because: string
  /** What can be done instead, the first whose condition holds; for what it refuses. */
  readonly instead?: readonly WayOut[]
  /** What the rule says to customers who ask about it, filled from the constants; `null` to say nothing. */
  readonly says?: string | null
  /** Whether later rules are not reported: a customer who may not know of an order learns nothing of it. */
  readonly final: boolean
  readonly mode: PolicyMode
}

/** What can be done instead of what a rule refuses. */
export interface WayOut {
  /** Whether it is possible; `null` for always. */
  readonly when: Condition | null
  /** A sentence for the customer, filled as the reason is. */
  readonly say: string
  /** The intent that a yes to this sentence begins; `null` for none. */
  readonly offer: string | null
}

/** Rules, and the tools that may be called. */
export interface PolicyRules {
  /** `shadow` puts all of it on trial. */
  readonly mode: PolicyMode
  /** All tools that may be called; any other is refused. */
  readonly tools: readonly string[]
  /** Values that the conditions read as `constants.…`, so that each is defined once. */
  readonly constants: JsonObject
  readonly rules: readonly PolicyRule[]
}
