import assert from 'node:assert/strict'
import { test } from 'node:test'
import { embeddedTexts } from './embedded-texts.ts'

test('[C-18] a chunk is embedded whole, or by its sentences, with what it stands under', () => {
  const text = 'Hotels up to 140 euros a night. In Paris the limit is 190 euros.'
  const chunk = { text, headings: ['Rules', 'Hotels'] }
  assert.deepEqual(embeddedTexts(chunk, 'Travel', {}), [`Travel\nRules\nHotels\n${text}`])
  assert.deepEqual(embeddedTexts(chunk, 'Travel', { unit: 'sentence' }), [
    'Travel: Hotels. Hotels up to 140 euros a night.',
    'Travel: Hotels. In Paris the limit is 190 euros.',
  ])
  const bare = { text: '', headings: ['Travel'] }
  assert.deepEqual(embeddedTexts(bare, 'Travel', { unit: 'sentence' }), ['Travel'])
})
