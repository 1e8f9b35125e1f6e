import assert from 'node:assert/strict'
import { test } from 'node:test'
import { embedderContract } from '../../../echelon/src/testing/contract/embedder-contract.ts'
import { hashedEmbedder } from './hashed.ts'

for (const { name, holds } of embedderContract(() => hashedEmbedder())) {
  test(`[C-18] the hashed embedder: ${name}`, holds)
}

async function near(a: string, b: string): Promise<number> {
  const [first = new Float32Array(), second = new Float32Array()] = await hashedEmbedder().embed([
    a,
    b,
  ])
  return first.reduce((sum, value, at) => sum + value * (second[at] ?? 0), 0)
}

test('[C-18] forms of a word, accents and parts of names are near; synonyms are not', async () => {
  assert.ok((await near('the connection was refused', 'refuses connections')) > 0.3)
  assert.ok((await near('Gebühren für Verspätung', 'gebuhren verspatungen')) > 0.5)
  assert.ok((await near('maxEmbeddingsPerCall', 'max embeddings per call')) > 0.4)
  assert.ok((await near('the connection was refused', 'our server is down')) < 0.2)
})

test('a vector is the same in every process and every version of this embedder', async () => {
  const [vector = new Float32Array()] = await hashedEmbedder({ dimensions: 256 }).embed([
    'Apple pie',
  ])
  const at = [...vector.entries()].filter(([, value]) => value !== 0)
  assert.deepEqual(
    at.slice(0, 4).map(([place, value]) => [place, Number(value.toFixed(3))]),
    FIRST,
  )
})

test('rejects invalid dimensions', () => {
  for (const dimensions of [0, 255, 300, 131_072, NaN]) {
    assert.throws(() => hashedEmbedder({ dimensions }), RangeError)
  }
})

const FIRST: readonly (readonly [number, number])[] = [
  [14, 0.249],
  [26, 0.249],
  [31, 0.1],
  [60, -0.249],
]
