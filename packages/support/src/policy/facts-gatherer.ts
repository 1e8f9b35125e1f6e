import type { JsonObject } from 'echelon/runtime'
import type { Interaction } from '../interaction.ts'
import type { Message } from '../message.ts'
import type { ToolCall } from '../plan.ts'

/** One call that is about to be judged. */
export interface JudgedCall {
  readonly call: ToolCall
  readonly intentId: string
  readonly interaction: Interaction
  readonly history: readonly Message[]
}

/**
 * Port: what the rules go by, beside `tool`, `params`, `intent`, `channel` and `context`, which they always
 * have and which no gatherer can change.
 * Contract: a fact that could not be had is left out, so that a rule that reads it says no; what throws
 * leaves out all.
 */
export interface FactsGatherer {
  gather(judged: JudgedCall): Promise<JsonObject>
}
