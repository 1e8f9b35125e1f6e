import assert from 'node:assert/strict'
import { test } from 'node:test'
import { coveredWords, type FoundWord } from './covered-words.ts'

const word = (...holding: readonly number[]): FoundWord => ({ holding, related: [] })

test('[C-18] a chunk with all words covers them whole, and rare words cover more', () => {
  const covered = coveredWords([word(1), word(1, 2, 3, 4)], 4)
  assert.equal(covered.get(1)?.toFixed(6), '1.000000')
  assert.ok((covered.get(2) ?? 1) < 0.5)
  assert.equal(covered.get(9), undefined)
})

test('[C-18] a word that no chunk holds leaves little to the others', () => {
  assert.ok((coveredWords([word(), word(1)], 100).get(1) ?? 1) < 0.5)
  assert.equal(coveredWords([], 10).size, 0)
})

test('[C-18] a related word covers the part that it is near, and the nearest of several counts', () => {
  const related = [
    { near: 0.5, holding: [1, 2] },
    { near: 0.75, holding: [2, 3] },
  ]
  const covered = coveredWords([{ holding: [3], related }], 10)
  assert.deepEqual(
    [1, 2, 3, 4].map((chunk) => covered.get(chunk)),
    [0.5, 0.75, 1, undefined],
  )
})
