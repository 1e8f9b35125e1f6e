import assert from 'node:assert/strict'
import type { Embedder } from '../../core/model/embedder.ts'
import { casesOf, type ContractCase } from '../contract.ts'

/**
 * What every `Embedder` must do:
 * `for (const { name, holds } of embedderContract(open)) test(name, holds)`.
 * How near texts are is its own affair, but for a text and itself.
 * @param open one for each case
 */
export function embedderContract(
  open: () => Embedder | Promise<Embedder>,
): readonly ContractCase[] {
  const caseOf = casesOf(open)
  return [
    caseOf('it has a name, and a number of dimensions', (embedder) => {
      assert.ok(embedder.id.trim() !== '', 'give it an id: stores tell vectors apart by it')
      assert.ok(Number.isInteger(embedder.dimensions) && embedder.dimensions > 0)
    }),
    caseOf('there is one vector a text, in order, of that many dimensions', async (embedder) => {
      const vectors = await embedder.embed(TEXTS)
      assert.equal(vectors.length, TEXTS.length)
      for (const vector of vectors) assert.equal(vector.length, embedder.dimensions)
      for (const [nth, text] of TEXTS.entries()) {
        const alone = await only(embedder, text)
        assert.ok(cosine(vectors[nth], alone) > NEARLY, `vector ${nth} is that of another text`)
      }
    }),
    caseOf('each has the length 1, also of a text without words', async (embedder) => {
      for (const vector of await embedder.embed([...TEXTS, '', ' \n', '…', 'x'.repeat(20_000)])) {
        assert.ok(Math.abs(Math.hypot(...vector) - 1) < 1e-3, 'divide a vector by its length')
      }
    }),
    caseOf('no texts have no vectors', async (embedder) => {
      assert.deepEqual(await embedder.embed([]), [])
    }),
    caseOf('the same text has the same vector again', async (embedder) => {
      const text = 'The price list of October'
      assert.ok(cosine(await only(embedder, text), await only(embedder, text)) > NEARLY)
    }),
    caseOf('whoever gave it up waits for nothing', async (embedder) => {
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
