import assert from 'node:assert/strict'
import type { Embedder } from '../../core/model/embedder.ts'
import { casesOf, type ContractCase } from '../contract.ts'

/**
 * The requirements of every `Embedder`: `for (const { name, holds } of embedderContract(open))
 * test(name, holds)`. Similarity is not tested, except between equal texts.
 * @param open an embedder for each case
 */
export function embedderContract(
  open: () => Embedder | Promise<Embedder>,
): readonly ContractCase[] {
  const caseOf = casesOf(open)
  return [
    caseOf('has an id and a number of dimensions', (embedder) => {
      assert.ok(embedder.id.trim() !== '', 'set an id, by which stores distinguish vectors')
      assert.ok(Number.isInteger(embedder.dimensions) && embedder.dimensions > 0)
    }),
    caseOf('returns one vector per text, in order, with that many dimensions', async (embedder) => {
      const vectors = await embedder.embed(TEXTS)
      assert.equal(vectors.length, TEXTS.length)
      for (const vector of vectors) assert.equal(vector.length, embedder.dimensions)
      for (const [nth, text] of TEXTS.entries()) {
        const alone = await only(embedder, text)
        assert.ok(cosine(vectors[nth], alone) > NEARLY, `vector ${nth} is that of another text`)
      }
    }),
    caseOf('every vector has length 1, also for a text without words', async (embedder) => {
      for (const vector of await embedder.embed([...TEXTS, '', ' \n', '…', 'x'.repeat(20_000)])) {
        assert.ok(Math.abs(Math.hypot(...vector) - 1) < 1e-3, 'divide a vector by its length')
      }
    }),
    caseOf('returns no vectors for no texts', async (embedder) => {
      assert.deepEqual(await embedder.embed([]), [])
    }),
    caseOf('returns the same vector for the same text', async (embedder) => {
      const text = 'The price list of October'
      assert.ok(cosine(await only(embedder, text), await only(embedder, text)) > NEARLY)
    }),
    caseOf('an aborted call ends at once', async (embedder) => {
      const reason = new Error('given up')
      await assert.rejects(embedder.embed(TEXTS, AbortSignal.abort(reason)), reason)
    }),
  ]
}

const TEXTS = [
  'A cat sleeps on the roof.',
  'Rechnungen sind fällig.',
  'SELECT * FROM runs',
  '東京は雨です。',
]

const NEARLY = 0.999

async function only(embedder: Embedder, text: string): Promise<Float32Array> {
  const [vector] = await embedder.embed([text])
  assert.ok(vector !== undefined)
  return vector
}

const cosine = (a: Float32Array | undefined, b: Float32Array): number =>
  (a ?? new Float32Array()).reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0)
