import type { JsonObject } from 'echelon/runtime'
import type { Interaction } from '../interaction.ts'
import type { Message } from '../message.ts'
import type { ToolCall } from '../plan.ts'

/** A call to be judged. */
export interface JudgedCall {
  readonly call: ToolCall
  readonly intentId: string
  readonly interaction: Interaction
  readonly history: readonly Message[]
}

/**
 * Port: gathers the facts for rules, besides `tool`, `params`, `intent`, `channel` and `context`, which they
 * always have and which no gatherer can change. Contract: an unavailable fact is left out, so that a rule that
 * reads it refuses; an exception leaves out all.
 */
export interface FactsGatherer {
  gather(judged: JudgedCall): Promise<JsonObject>
}
