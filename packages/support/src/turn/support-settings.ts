import type { Intent } from '../intent.ts'
import type { IntentsRegistry } from '../intents-registry.ts'
import { channelOf } from './stages.ts'
import type { SupportState } from './support-state.ts'
import type { Knowledge } from '../knowledge/knowledge.ts'
import type { Reader } from '../understand/reader.ts'

/** Model roles, cheapest first. */
export const ROLES = ['small', 'big'] as const
export type Role = (typeof ROLES)[number]

export type Rung = 'embedded' | Role

/** Settings shared by all turns of a support agent. */
export interface SupportSettings {
  readonly registry: IntentsRegistry
  /** The embedded rung; only if `rungs` has it. */
  readonly reader: Reader | null
  /** The readers of messages, cheapest first. */
  readonly rungs: readonly Rung[]
  /** Minimum confidence to accept a rung's reading. */
  readonly accept: Readonly<Record<Rung, number>>
  /** The model that plans and words; `null` if templates do. */
  readonly words: Role | null
  readonly maxAsks: number
  /** Names of the available tools. */
  readonly tools: readonly string[]
  /** Names of the tools that change something. */
  readonly acting: readonly string[]
  /** Answers questions from the rules and the shop's documents. */
  readonly knowledge: Knowledge
}

/** The intents available to the customer of this turn, from their record; without those whose tools do not exist. */
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
