import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sentencesOf } from './sentences.ts'

test('[C-18] sentences stand alone, short ones with the next', () => {
  assert.deepEqual(
    sentencesOf('Hotels up to 140 euros a night. In Paris the limit is 190 euros.'),
    ['Hotels up to 140 euros a night.', 'In Paris the limit is 190 euros.'],
  )
  assert.deepEqual(sentencesOf('No. It is not refunded at all.\nAsk the desk first.'), [
    'No. It is not refunded at all. Ask the desk first.',
  ])
  assert.deepEqual(sentencesOf('day: Monday'), ['day: Monday'])
  assert.deepEqual(sentencesOf(''), [])
})

test('[C-18] a long text has a bounded number of sentences, and none of its words is lost', () => {
  const text = Array.from({ length: 300 }, (_, nth) => `This is sentence ${nth}.`).join(' ')
  const found = sentencesOf(text)
  assert.ok(found.length <= 16, String(found.length))
  assert.equal(found.join(' '), text)
})
