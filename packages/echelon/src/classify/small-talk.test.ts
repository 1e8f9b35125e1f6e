import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isCorrection, smallTalkIn } from './small-talk.ts'

test('a message of nothing but small talk is recognized', () => {
  for (const [text, kind] of [
    ['hi', 'greeting'],
    ['Hello there!', 'greeting'],
    ['Good morning, how are you?', 'greeting'],
    ['thanks', 'thanks'],
    ['ok, thank you so much!', 'thanks'],
    ['Thanks, that was very helpful', 'thanks'],
    ['goodbye', 'goodbye'],
    ['ok bye, see you tomorrow', 'goodbye'],
    ['sorry', 'apology'],
    ['Hello, who are you?', 'about'],
    ['What can you do?', 'about'],
  ] as const) {
    assert.equal(smallTalkIn(text), kind, text)
  }
})

test('a message that also asks for something is not small talk', () => {
  for (const text of [
    'hi, should I move to Lisbon?',
    'thanks, and how long does it take?',
    'hello world program in Rust',
    'Sorry, I meant the other house',
    'Good morning routines: which one fits me?',
    'Thank you notes: should I write them?',
    'no thanks, do it',
    'bye bye love: who wrote it?',
    '',
    'hi '.repeat(60),
  ]) {
    assert.equal(smallTalkIn(text), null, text)
  }
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
