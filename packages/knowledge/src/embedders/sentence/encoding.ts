import { projected } from './projected.ts'
import { rawVectors } from './raw.ts'

/** A longer text is embedded by its beginning: the time grows with the length. */
const MAX_CHARACTERS = 1200

/**
 * Entry point of the process that embeds texts. The model's package listens for uncaught errors of the
 * process that it is in, and computes for long without a pause.
 */
export default async function encoding(
  texts: readonly string[],
): Promise<readonly (readonly number[])[]> {
  const vectors = await rawVectors(texts.map(readable))
  return vectors.map((vector) => [...projected(vector)])
}

/** The model has no vector for an empty text. */
const readable = (text: string): string =>
  text.slice(0, MAX_CHARACTERS).toWellFormed().trim() || '.'
