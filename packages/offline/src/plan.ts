import type { JsonObject } from 'echelon/runtime'

/** One call of a tool, as plans write it. An argument `$1.series` is a field of action 1's result. */
export interface Action {
  readonly tool: string
  readonly args: JsonObject
}

/** What a model answers: at most three actions, or why there are none. */
export type Plan = { readonly actions: readonly Action[] } | { readonly cannot: string }

/** Everything that the offline models look at. */
export interface Task {
  /** The question, as the person wrote it. */
  readonly question: string
  /** ISO date, from the prompt; null when the prompt does not say. */
  readonly today: string | null
  /** Names of the tools that are offered. */
  readonly tools: ReadonlySet<string>
}

/** Reads one kind of question; undefined for what is not of this kind, or not wholly understood. */
export type Reader = (task: Task) => readonly Action[] | undefined
