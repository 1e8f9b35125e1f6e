import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sentenceEmbedder } from './sentence.ts'

const TEXTS = [
  'Hotels up to 140 euros a night, breakfast included.',
  'A lost badge is blocked by reception.',
  'The laundry room is for everyone.',
  'Books may be kept for four weeks.',
]

const cosine = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0)

test('[C-18] a question is near to a text that says it in other words', async () => {
  const embedder = sentenceEmbedder()
  const texts = await embedder.embed(TEXTS)
  for (const [question, answer] of [
    ['how much may a hotel cost?', 0],
    ['where do I wash my clothes?', 2],
    ['how long can I borrow a novel?', 3],
  ] as const) {
    const [vector = new Float32Array()] = await embedder.embed([question])
    const near = texts.map((text) => cosine(text, vector))
    assert.equal(near.indexOf(Math.max(...near)), answer, question)
    assert.ok(Math.max(...near) > (embedder.floor ?? 0), question)
  }
})

test('[C-18] vectors have the length 1 and are the same each time, for any text', async () => {
  const embedder = sentenceEmbedder()
  const texts = ['hello', '', '  ', '日本', `${'long '.repeat(2000)}\u{d83d}`]
  const [first, second] = [await embedder.embed(texts), await embedder.embed(texts)]
  assert.deepEqual(first, second)
  for (const vector of first) {
    assert.equal(vector.length, embedder.dimensions)
    assert.ok(Math.abs(Math.hypot(...vector) - 1) < 1e-4)
  }
})

test('[C-18] embedding stops when it is aborted', async () => {
  await assert.rejects(sentenceEmbedder().embed(['a'], AbortSignal.abort()), { name: 'AbortError' })
})
