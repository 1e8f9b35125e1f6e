import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { vectoriser, vocabularyOf } from './vectors.ts'

const TEXTS = ['turn on the lamp', 'play some music', 'the lamp, the lamp!']

suite('vectors of texts', () => {
  test('are the same for texts that are kept, for others, and by a stored vocabulary', () => {
    const vocabulary = vocabularyOf(TEXTS)
    const kept = vectoriser(vocabulary)
    const stored = vectoriser(structuredClone(vocabulary))
    for (const text of [...TEXTS, 'play the lamp', 'something else', '']) {
      assert.deepEqual(kept(text), stored(text))
      assert.deepEqual(kept(text), kept(text))
    }
  })

  test('of its own texts are computed once by a vocabulary', () => {
    const first = vectoriser(vocabularyOf(TEXTS))
    assert.equal(first(TEXTS[0] ?? ''), vectoriser(vocabularyOf([...TEXTS]))(TEXTS[0] ?? ''))
    assert.notEqual(first('another text'), first('another text'))
  })

  test('are kept for the last few vocabularies only', () => {
    const first = vocabularyOf(['a text of the first'])
    assert.equal(vocabularyOf(['a text of the first']), first)
    for (let nth = 0; nth < 4; nth++) vocabularyOf([`text ${nth}`])
    assert.notEqual(vocabularyOf(['a text of the first']), first)
  })
})
