import type { Json } from 'echelon/runtime'
import type { Interaction } from '../interaction.ts'
import type { Message } from '../message.ts'
import type { Plan } from '../plan.ts'

export type PolicyDecision = {
  readonly allowed: boolean
  /** The reasons for a refusal, each in words for the customer. */
  readonly violations: readonly string[]
  /** A person must allow it: the plan waits, blocked. */
  readonly requiresEscalation: boolean
  /** The rules that decided, such as `own-orders`; for operators. */
  readonly rules?: readonly string[]
  /** The customer gets the answer for a missing order, so that another's order is not revealed. */
  readonly asNotFound?: boolean
  /** What can be done instead, in words for the customer, and the intent that a yes to them begins. */
  readonly instead?: Instead
  /** The would-be decision of rules on trial; it has no effect. */
  readonly shadow?: Json
}

/** What a customer can do instead of what was refused. */
export type Instead = {
  readonly say: string
  /** The intent that a yes begins; `null` for none. */
  readonly offer: string | null
}

/** Primitive: decides whether a plan may be executed. An exception counts as no. */
export interface PolicyEngine {
  /** Called before anything is said, and again for each call just before it is made. */
  validate(
    plan: Plan,
    interaction: Interaction,
    history: readonly Message[],
  ): PolicyDecision | Promise<PolicyDecision>
}
