import assert from 'node:assert/strict'
import { test } from 'node:test'
import { coveredWords } from './covered-words.ts'

test('[C-18] a chunk with all words covers them whole, and rare words cover more', () => {
  const covered = coveredWords([[1], [1, 2, 3, 4]], 4)
  assert.equal(covered.get(1)?.toFixed(6), '1.000000')
  assert.ok((covered.get(2) ?? 1) < 0.5)
  assert.equal(covered.get(9), undefined)
})

test('[C-18] a word that no chunk holds leaves little to the others', () => {
  assert.ok((coveredWords([[], [1]], 100).get(1) ?? 1) < 0.5)
  assert.equal(coveredWords([], 10).size, 0)
})
