import type { Json, JsonObject } from '../../core/json.ts'
import type { Intent } from './intent.ts'
import type { SupportState } from './support-state.ts'
import { grounded } from './understand/grounded.ts'

/** Parameters that look as they must and that somebody said; what a model made up is left out. */
export const groundedParams = (
  intent: Intent,
  params: JsonObject,
  said: readonly string[],
): JsonObject => grounded(intent, params, said)

/** What the customer said in this conversation, and what tools answered: nothing else is evidence. */
export const customerWords = ({ input, history, calls }: SupportState): readonly string[] => [
  ...history.flatMap(({ role, text, metadata }) =>
    role === 'user' ? [text] : textsIn(metadata['calls'] ?? null),
  ),
  input.interaction.text,
  ...calls.flatMap(({ result }) => textsIn(result.data)),
]

/** The texts and numbers of a value, however deep; at most so many. */
function textsIn(value: Json, found: string[] = []): string[] {
  if (found.length >= MOST) return found
  if (typeof value === 'string' || typeof value === 'number') found.push(String(value))
  else if (typeof value === 'object' && value !== null) {
    for (const one of Object.values(value)) textsIn(one, found)
  }
  return found
}

const MOST = 2000
