import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isCorrection, smallTalkIn, withoutCourtesy } from './small-talk.ts'

test('the kinds of small talk that make up a text are told, in their order', () => {
  assert.deepEqual(smallTalkIn('Hello there! Thank you so much, that is great. Bye'), [
    'greeting',
    'thanks',
    'praise',
    'goodbye',
  ])
  assert.deepEqual(smallTalkIn('you are useless'), ['insult'])
  assert.deepEqual(smallTalkIn('Who are you?', [['about', 'who are you']]), ['about'])
  for (const text of ['Who are you?', 'thanks, and how long does it take?', '', 'hi '.repeat(60)]) {
    assert.deepEqual(smallTalkIn(text), [], text)
  }
})

test('courtesy around a request is left out, and is kept if there is nothing else', () => {
  assert.equal(withoutCourtesy('Hello, where is my lamp? Thanks in advance!'), 'where is my lamp?')
  assert.equal(withoutCourtesy('Thanks'), 'Thanks')
})

test('a correction is told from a new subject', () => {
  for (const text of [
    'no, I meant the other house',
    'Sorry, 6 Main St',
    'wait, it is the second one',
    'Actually, my sister lives there',
    'that’s not what I asked',
    'Hm, by house I meant the flat',
  ]) {
    assert.equal(isCorrection(text), true, text)
  }
  for (const text of [
    'No.',
    'Should I move?',
    'I am sorry to leave',
    'nothing new',
    'I do not know',
  ]) {
    assert.equal(isCorrection(text), false, text)
  }
})
