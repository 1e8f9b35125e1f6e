import type { JsonObject } from 'echelon/runtime'

/** One tool call of a plan. An argument `$1.series` refers to a field of action 1's result. */
export interface Action {
  readonly tool: string
  readonly args: JsonObject
}

/** A model's answer: at most three actions, or the reason for none. */
export type Plan = { readonly actions: readonly Action[] } | { readonly cannot: string }

/** The input of an offline model. */
export interface PlanRequest {
  /** The question as the user wrote it. */
  readonly question: string
  /** ISO date from the prompt; null without one. */
  readonly today: string | null
  /** Names of the offered tools. */
  readonly tools: ReadonlySet<string>
}

/** Reads one kind of question; undefined for any other kind, and for one not fully understood. */
export type Reader = (task: PlanRequest) => readonly Action[] | undefined
