import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as sentences from './sentences.ts'

test('the sentences for errors match the design, letter by letter [S-17]', () => {
  assert.equal(sentences.NO_INTENT, "I'm not sure how to help with that. Could you rephrase?")
  assert.equal(sentences.orderNotFound('O-1'), "Sorry, I couldn't find order O-1")
  assert.equal(
    sentences.policyViolation(['refunds end after 30 days']),
    "I can't process that request: refunds end after 30 days",
  )
  assert.equal(sentences.MODEL_FAILED, 'Something went wrong. Please try again.')
})

test('all violations are named, and one without a reason is still a sentence', () => {
  assert.equal(sentences.policyViolation(['a', 'b']), "I can't process that request: a; b")
  assert.match(sentences.policyViolation([]), /: \S/)
  assert.match(sentences.notApproved(null), /^I can't process that request: \S/)
})

test('an answer names the document that it is from', () => {
  const answer = sentences.fromSource({
    text: 'It is free.',
    source: 'Returns: Is it (really) free?',
  })
  assert.equal(sentences.documentIn(answer), 'Returns')
  assert.equal(
    sentences.documentIn(sentences.fromSource({ text: 'Yes.', source: 'Returns' })),
    'Returns',
  )
  assert.equal(sentences.documentIn('It is free.'), null)
})
