import type { Json, JsonObject } from 'echelon/runtime'
import type { Intent } from '../intent.ts'
import type { SupportState } from './support-state.ts'
import { grounded, type Grounds } from '../understand/grounded.ts'

/** Parameters that look as they must and that somebody said; what a model made up is left out. */
export const groundedParams = (
  intent: Intent,
  params: JsonObject,
  state: SupportState,
): JsonObject => grounded(intent, params, groundsOf(state)).params

/** What the customer said in this conversation, and what tools answered: nothing else is evidence. */
export const groundsOf = ({ input, history, calls }: SupportState): Grounds => ({
  said: [
    ...history.flatMap(({ role, text }) => (role === 'user' ? [text] : [])),
    input.interaction.text,
  ],
  results: [
    ...history.flatMap(({ role, metadata }): readonly Json[] =>
      role === 'agent' ? [metadata['calls'] ?? null] : [],
    ),
    ...calls.map(({ result }) => result.data),
  ],
})
