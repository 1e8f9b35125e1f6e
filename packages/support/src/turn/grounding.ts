import type { Json, JsonObject } from 'echelon/runtime'
import type { Intent } from '../intent.ts'
import type { SupportState } from './support-state.ts'
import { grounded, type Grounds } from '../understand/grounded.ts'

/** Valid parameters that someone stated; values made up by a model are dropped. */
export const groundedParams = (
  intent: Intent,
  params: JsonObject,
  state: SupportState,
): JsonObject => grounded(intent, params, groundsOf(state)).params

/** The customer's messages and the tools' results, the only evidence. */
export const groundsOf = ({ input, text, history, calls }: SupportState): Grounds => ({
  said: [
    ...history.flatMap(({ role, text }) => (role === 'user' ? [text] : [])),
    input.interaction.text,
    // With identifiers in the shop's form.
    text,
  ],
  results: [
    ...history.flatMap(({ role, metadata }): readonly Json[] =>
      role === 'agent' ? [metadata['calls'] ?? null] : [],
    ),
    ...calls.map(({ result }) => result.data),
  ],
})
