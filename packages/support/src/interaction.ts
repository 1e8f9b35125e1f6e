import type { JsonObject } from 'echelon/runtime'

/** One message of a customer, with what the caller knows about who sends it, and from where. */
export type Interaction = {
  /** Names it for good: the same id in the same session is the same message. Default: a new UUID. */
  readonly id: string
  readonly text: string
  /**
   * Who speaks, as the caller has made sure of it. Nothing that is said in the text changes it;
   * `null` for somebody unknown.
   */
  readonly customerId: string | null
  /** `channel` (default `chat`) and whatever else the caller's own policy needs. */
  readonly context: JsonObject
}

/** An interaction as it may be given: all but the text has a default. */
export type GivenInteraction = Pick<Interaction, 'text'> & Partial<Interaction>

/** What decides which intents somebody may have. */
export interface IntentContext {
  readonly channel: string
  readonly customerId: string | null
  /** Of the customer's record, never of what was said. */
  readonly customerTier: string | null
}
