import type { Json } from 'echelon/runtime'
import type { Interaction } from '../interaction.ts'
import type { Message } from '../message.ts'
import type { Plan } from '../plan.ts'

export type PolicyDecision = {
  readonly allowed: boolean
  /** Why not, each in words for the customer. */
  readonly violations: readonly string[]
  /** A person has to allow it: the plan waits, blocked. */
  readonly requiresEscalation: boolean
  /** The rules that made it, such as `own-orders`; for whoever must know why. */
  readonly rules?: readonly string[]
  /** The customer is to hear what they would hear if it did not exist: another's order is no news. */
  readonly asNotFound?: boolean
  /** What rules on trial would have said; nothing goes by it. */
  readonly shadow?: Json
}

/** Primitive: whether a plan may be carried out. What it throws counts as no. */
export interface PolicyEngine {
  /** Asked before anything is said, and again for the one call as it is about to be made. */
  validate(
    plan: Plan,
    interaction: Interaction,
    history: readonly Message[],
  ): PolicyDecision | Promise<PolicyDecision>
}
