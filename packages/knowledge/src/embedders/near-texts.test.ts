import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Embedder } from 'echelon/internal/model'
import { CachedVectors } from './cached-vectors.ts'
import { hashedEmbedder } from './hashed.ts'
import { nearTexts } from './near-texts.ts'

const textOf = (text: string): string => text

test('[C-17] texts are near by words, by vectors, and by related words', async () => {
  const texts = ['the window seat', 'a puppy called Rex', 'no sugar in the coffee']
  const near = (query: string, embedder: Embedder): Promise<readonly string[]> =>
    nearTexts(texts, query, { embedder, limit: 2, textOf })
  assert.deepEqual(await near('which seats?', hashedEmbedder()), ['the window seat'])
  assert.deepEqual(await near('what is it?', hashedEmbedder()), [])
  const alike: Embedder = {
    id: 'test/1',
    dimensions: 1,
    floor: 0.2,
    embed: async (given) => given.map(() => Float32Array.of(0)),
    related: async () => new Map([['dog', [{ word: 'puppy', near: 0.9 }]]]),
  }
  assert.deepEqual(await near('the dog', alike), ['a puppy called Rex'])
})

test('[C-17] a text is embedded once', async () => {
  const asked: string[] = []
  const hashed = hashedEmbedder()
  const embedder: Embedder = {
    id: hashed.id,
    dimensions: hashed.dimensions,
    embed: (texts) => {
      asked.push(...texts)
      return hashed.embed(texts)
    },
  }
  const cached = new CachedVectors(embedder)
  const first = await cached.embed(['one', 'two', 'one'])
  assert.deepEqual(await cached.embed(['two', 'one', 'two']), [first[1], first[0], first[1]])
  assert.deepEqual(asked, ['one', 'two'])
})
