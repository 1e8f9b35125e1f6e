import assert from 'node:assert/strict'
import { test } from 'node:test'
import { relatedWords } from './related-words.ts'

test('[C-18] the table has words of about the same meaning, in any form, nearest first', () => {
  const found = relatedWords(['warranty', 'puppies', 'kids', 'xyzzy', ''])
  const wordsOf = (word: string): readonly string[] =>
    (found.get(word) ?? []).map((related) => related.word)
  assert.ok(wordsOf('warranty').includes('guarantee'))
  assert.ok(wordsOf('puppies').includes('dogs'), wordsOf('puppies').join(' '))
  assert.ok(wordsOf('kids').includes('children'))
  assert.deepEqual([...found.keys()], ['warranty', 'puppies', 'kids'])
  for (const related of found.values()) {
    const near = related.map((one) => one.near)
    assert.ok(near.every((value) => value >= 0.29 && value <= 1))
    assert.deepEqual(
      near,
      near.toSorted((a, b) => b - a),
    )
  }
})
