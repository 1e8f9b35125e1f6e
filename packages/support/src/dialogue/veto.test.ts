import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { doubtOfYes, hesitates } from './veto.ts'

test('a plain yes is not doubted', () => {
  for (const text of [
    'yes',
    'Yes please, go ahead',
    'ok do it',
    'no problem, go ahead',
    'sure, why not',
    'yes that is right',
  ]) {
    assert.equal(doubtOfYes(text), null, text)
  }
})

test('a negation is never a yes, whatever a reader made of it', () => {
  for (const text of [
    'no wait, do not do that',
    "yes... no, don't",
    'yes but not now',
    'never',
    'stop',
    'yes, I mean no',
    'ok, keep it',
    'I don’t think so',
  ]) {
    assert.equal(doubtOfYes(text), 'negated', text)
  }
})

test('hesitation and conditions are never a yes', () => {
  for (const text of [
    'yes if it is free',
    'hmm',
    'maybe',
    'yes but only half',
    'ok, what happens then?',
    'yes, later',
    'let me check first',
  ]) {
    assert.equal(doubtOfYes(text), 'hesitant', text)
  }
  assert.ok(hesitates('let me think about it'))
  assert.ok(!hesitates('yes please'))
})

test('a negation anywhere is found', () => {
  const words = fc.array(fc.constantFrom('yes', 'ok', 'sure', 'please', 'go ahead'), {
    maxLength: 6,
  })
  const negation = fc.constantFrom("don't", 'not', 'no', 'never', 'nope', 'cannot')
  fc.assert(
    fc.property(words, negation, words, (before, no, after) => {
      assert.notEqual(doubtOfYes([...before, no, ...after].join(' ')), null)
    }),
  )
})
