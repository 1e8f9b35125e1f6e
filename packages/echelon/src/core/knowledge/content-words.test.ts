import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contentWords } from './content-words.ts'

test('[C-18] question words, stop words and short numbers tell nothing', () => {
  for (const text of ['What is 2+2?', 'who are you?', 'Hello, how are you?', '15 * 23', '']) {
    assert.deepEqual(contentWords(text), [], text)
  }
})

test('[C-18] other words do, in any language, each once', () => {
  assert.deepEqual(contentWords('How much may a Hotel cost, a hotel?'), ['hotel', 'cost'])
  assert.deepEqual(contentWords('O-12345 übernachten'), ['o', '12345', 'übernachten'])
  assert.equal(contentWords(Array.from({ length: 99 }, (_, n) => `w${n}`).join(' ')).length, 64)
})
