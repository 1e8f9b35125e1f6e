import type { Interaction } from '../interaction.ts'

/** What a person decided about a plan that waits for one. */
export type Review = {
  readonly approved: boolean
  /** Who decided. */
  readonly by: string
  /** Told to the customer where it was not approved. */
  readonly reason: string
  /** The plan that it is about, `execution.planId` of the answer that said that it waits; `null` for the one that waits longest. */
  readonly planId: string | null
}

/** One turn of a conversation: a message of the customer's, or what a person decided. */
export type SupportInput = {
  readonly sessionId: string
  readonly interaction: Interaction
  readonly review: Review | null
}
