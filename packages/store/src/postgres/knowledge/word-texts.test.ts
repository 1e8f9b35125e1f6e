import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wordsQuery, wordTexts } from './word-texts.ts'

test('[C-18] words are letters and digits, without case and accents, with their places', () => {
  assert.deepEqual(wordTexts(['Crème brûlée', "it's CREME-7"]), {
    words: "'creme':1,5 'brulee':2 'it':3 's':4 '7':6",
    length: 6,
  })
  assert.deepEqual(wordTexts(['', ' … ']), { words: '', length: 0 })
})

test('[C-18] no word of a query is read as an operator', () => {
  assert.equal(wordsQuery([{ word: "a' | !b" }]), "'a' | 'b'")
  assert.equal(wordsQuery([{ word: 'refund', begins: true }, { word: 'Öl' }]), "'refund':* | 'ol'")
  assert.equal(wordsQuery([{ word: '\u0301' }]), '')
})

test('[C-18] more words than PostgreSQL can index are left out, and long ones are cut', () => {
  const many = Array.from({ length: 200_000 }, (_, n) => `w${n}`).join(' ')
  const { words, length } = wordTexts([many])
  assert.ok(length > 50_000 && length < 200_000)
  assert.ok(Buffer.byteLength(words) < 2_000_000)
  assert.match(wordTexts(['x'.repeat(5000)]).words, /^'x{600}':1$/)
})
