/**
 * Total characters per call. Servers limit the tokens of a call as well as its texts, OpenAI to
 * 300,000.
 */
const MAX_CHARACTERS = 400_000

/** Groups texts in order into batches; a text too long for any batch goes alone. */
export function* batchesOf(texts: readonly string[], most: number): Generator<readonly string[]> {
  let batch: string[] = []
  let characters = 0
  for (const text of texts) {
    const isFull = batch.length >= most || characters + text.length > MAX_CHARACTERS
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
