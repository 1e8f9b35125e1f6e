import type { JsonObject } from '../../../core/json.ts'

/** What a person decided about a plan that waits for one. */
export interface Review {
  readonly approved: boolean
  /** Who decided. */
  readonly by: string
  /** Told to the customer where it was not approved. */
  readonly reason: string
  /** The plan that it is about, `execution.planId` of the answer that said that it waits; `null` for the one that waits longest. */
  readonly planId: string | null
}

/** One turn of a conversation: a message of the customer's, or what a person decided. */
export interface SupportInput extends JsonObject {
  readonly sessionId: string
  readonly interaction: {
    readonly id: string
    readonly text: string
    readonly customerId: string | null
    readonly context: JsonObject
  }
  readonly review: {
    readonly approved: boolean
    readonly by: string
    readonly reason: string
    readonly planId: string | null
  } | null
}
