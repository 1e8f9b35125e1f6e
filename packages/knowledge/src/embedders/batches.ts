/**
 * Characters of one call together: servers limit the tokens of a call as well as its texts, OpenAI to
 * 300,000.
 */
const MOST_CHARACTERS = 400_000

/** Texts in their order, so many at once; one that is too long for any batch goes alone. */
export function* batchesOf(texts: readonly string[], most: number): Generator<readonly string[]> {
  let batch: string[] = []
  let characters = 0
  for (const text of texts) {
    const isFull = batch.length >= most || characters + text.length > MOST_CHARACTERS
    if (isFull && batch.length > 0) {
      yield batch
      batch = []
      characters = 0
    }
    batch.push(text)
    characters += text.length
  }
  if (batch.length > 0) yield batch
}
