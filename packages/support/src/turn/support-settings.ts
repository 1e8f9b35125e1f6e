import type { Intent } from '../intent.ts'
import type { IntentsRegistry } from '../intents-registry.ts'
import { channelOf } from './stages.ts'
import type { SupportState } from './support-state.ts'
import type { Reader } from '../understand/reader.ts'

/** Roles of models, cheapest first. */
export const ROLES = ['small', 'big'] as const
export type Role = (typeof ROLES)[number]

export type Rung = 'embedded' | Role

/** What all turns of one support agent have in common. */
export interface SupportSettings {
  readonly registry: IntentsRegistry
  /** The embedded rung; only where `rungs` has it. */
  readonly reader: Reader | null
  /** Who reads messages, cheapest first. */
  readonly rungs: readonly Rung[]
  /** From which confidence on a rung's reading is taken. */
  readonly accept: Readonly<Record<Rung, number>>
  /** The model that plans and words; `null` where templates do. */
  readonly words: Role | null
  readonly maxAsks: number
  /** Names of the tools that there are. */
  readonly tools: readonly string[]
}

/**
 * The intents that the customer of this turn may have, from what is known of them; none whose tools nobody
 * has.
 */
export function eligibleIntents(
  { registry, tools }: SupportSettings,
  state: SupportState,
): readonly Intent[] {
  const { interaction } = state.input
  const tier = state.customer?.['tier']
  const eligible = registry.getEligible({
    channel: channelOf(interaction.context),
    customerId: interaction.customerId,
    customerTier: typeof tier === 'string' ? tier : null,
  })
  return eligible.filter((one) => [one.tool, ...one.tools].every((name) => tools.includes(name)))
}
