import type { Interaction } from '../interaction.ts'

/** A person's decision about a waiting plan. */
export type Review = {
  readonly approved: boolean
  /** The person who decided. */
  readonly by: string
  /** Told to the customer if not approved. */
  readonly reason: string
  /**
   * The plan's `execution.planId`, from the answer that said that it waits; `null` for the plan that has waited
   * longest.
   */
  readonly planId: string | null
}

/** The input of a turn: a customer's message, or a person's decision. */
export type SupportInput = {
  readonly sessionId: string
  readonly interaction: Interaction
  readonly review: Review | null
}
