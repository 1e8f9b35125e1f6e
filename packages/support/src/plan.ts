import type { JsonObject } from 'echelon/runtime'

export type ToolCall = {
  readonly toolName: string
  readonly params: JsonObject
}

/** A question about one parameter. */
export type AskUser = {
  readonly param: string
  readonly prompt: string
}

/** Something to say: before the tool, with its result, or instead of it. */
export type Respond = {
  readonly when: 'pre' | 'post' | 'error'
  readonly message: string
}

export type PlanStep = ToolCall | AskUser | Respond

/** The steps for one intent. */
export interface Plan {
  readonly intentId: string
  readonly steps: readonly PlanStep[]
  readonly reasoning: string
}

export const isToolCall = (step: PlanStep): step is ToolCall => 'toolName' in step
export const isAskUser = (step: PlanStep): step is AskUser => 'param' in step
