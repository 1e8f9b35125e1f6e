import type { JsonObject } from 'echelon/runtime'

/** One message of a customer, with the caller's knowledge of its sender and origin. */
export type Interaction = {
  /** Permanent id: the same id in the same session is the same message. Default: a new UUID. */
  readonly id: string
  readonly text: string
  /** The customer, as verified by the caller; nothing in the text changes it. `null` for an unknown customer. */
  readonly customerId: string | null
  /** `channel` (default `chat`) and anything else that the caller's own policy needs. */
  readonly context: JsonObject
}

/** An interaction as callers pass it: everything but the text has a default. */
export type GivenInteraction = Pick<Interaction, 'text'> & Partial<Interaction>

/** Determines which intents are available. */
export interface IntentContext {
  readonly channel: string
  readonly customerId: string | null
  /** From the customer's record, never from the text. */
  readonly customerTier: string | null
}
