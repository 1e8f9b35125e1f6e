import { digestText } from 'echelon/internal/value'
import type { Intent } from './intent.ts'
import type { IntentContext } from './interaction.ts'

/** What an intents' file says. */
export interface IntentsConfig {
  readonly intents: readonly Intent[]
  /** Tiers of customers, lowest first. */
  readonly tiers: readonly string[]
  /** Parameters whose values no sink may see. */
  readonly redactedParams: readonly string[]
  /** What customers say that is none of the intents: the embedded classifier learns to leave it alone. */
  readonly outOfScope?: readonly string[]
}

/** The intents that there are, and who may have which. */
export class IntentsRegistry {
  readonly config: IntentsConfig

  constructor(config: IntentsConfig) {
    this.config = config
  }

  find(id: string): Intent | undefined {
    return this.config.intents.find((intent) => intent.id === id)
  }

  /** The intents of this channel, within their rollout, for this tier; in the order of the file. */
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

/** Where a customer stands for an intent, 0 to 99: always the same, and another for each intent. */
const rolloutPlace = (intentId: string, customerId: string | null): number =>
  customerId === null ? 99 : digestText(`${intentId}\n${customerId}`) % 100
