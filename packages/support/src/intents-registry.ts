import { digestText } from 'echelon/internal/value'
import type { Intent } from './intent.ts'
import type { FollowUpExamples } from './understand/afterwards/kinds.ts'
import type { IntentContext } from './interaction.ts'
import type { ReplyExample } from './understand/replies/kinds.ts'
import type { TrainedModels } from './understand/learning/trained-models.ts'

/** The content of an intents file. */
export interface IntentsConfig {
  readonly intents: readonly Intent[]
  /** Tiers of customers, lowest first. */
  readonly tiers: readonly string[]
  /** Parameters whose values sinks must not see. */
  readonly redactedParams: readonly string[]
  /** Questions about rules, products and the shop, which documents answer. */
  readonly questions?: readonly string[]
  /** Messages that may mean one intent or another. */
  readonly ambiguous?: readonly Ambiguous[]
  /** Subjects of the documents on which customers write in many ways. */
  readonly topics?: readonly Topic[]
  /** Questions and wishes about the shop that neither its data nor its documents answer: a person is offered. */
  readonly beyond?: readonly string[]
  /** Messages that ask for nothing, such as "then I'll wait". */
  readonly idle?: readonly string[]
  /** What customers say after an answer, a refusal, or something done, by what it means there. */
  readonly followUps?: FollowUpExamples
  /** Replies to something that is open. */
  readonly replies?: readonly ReplyExample[]
  /** Messages outside all intents, so that the embedded classifier learns to reject them. */
  readonly outOfScope?: readonly string[]
  /** Classifiers that were trained before on such examples; others are trained with the first message. */
  readonly models?: TrainedModels
}

/** Messages for which intents are offered as a choice: "my parcel is damaged" may ask for a refund or a return. */
export interface Ambiguous {
  /** Ids of intents. */
  readonly offer: readonly string[]
  readonly examples: readonly string[]
}

/** Messages that documents answer, whatever their words: "the hoodie should be M" wants an item changed. */
export interface Topic {
  /** What the documents are asked. */
  readonly ask: string
  /** Ids of intents that serve the same end; those that the order allows are offered behind the answer. */
  readonly offer: readonly string[]
  readonly examples: readonly string[]
}

/** The available intents, and who may use which. */
export class IntentsRegistry {
  readonly config: IntentsConfig

  constructor(config: IntentsConfig) {
    this.config = config
  }

  find(id: string): Intent | undefined {
    return this.config.intents.find((intent) => intent.id === id)
  }

  /** The intents for this channel, rollout and tier, in the order of the file. */
  getEligible(context: IntentContext): readonly Intent[] {
    return this.config.intents.filter((intent) => this.#isEligible(intent, context))
  }

  #isEligible({ id, constraints }: Intent, context: IntentContext): boolean {
    const { channels, rollout, minTier } = constraints
    if (channels.length > 0 && !channels.includes(context.channel)) return false
    if (minTier !== null && this.#rank(context.customerTier) < this.#rank(minTier)) return false
    return rollout >= 100 || rolloutPlace(id, context.customerId) < rollout
  }

  /** An unknown tier is below all others. */
  #rank(tier: string | null): number {
    return tier === null ? -1 : this.config.tiers.indexOf(tier)
  }
}

/** A customer's stable position for an intent, 0 to 99, independent between intents. */
const rolloutPlace = (intentId: string, customerId: string | null): number =>
  customerId === null ? 99 : digestText(`${intentId}\n${customerId}`) % 100
