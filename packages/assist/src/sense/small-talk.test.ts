import assert from 'node:assert/strict'
import { test } from 'node:test'
import { smallTalkToAssistant } from './small-talk.ts'

test('a message of nothing but small talk is recognized', () => {
  for (const [text, kind] of [
    ['hi', 'greeting'],
    ['Hello there!', 'greeting'],
    ['Good morning, how are you?', 'greeting'],
    ['thanks', 'thanks'],
    ['ok, thank you so much!', 'thanks'],
    ['Thanks, that was very helpful', 'thanks'],
    ['Hi! Thanks for your help yesterday.', 'thanks'],
    ['goodbye', 'goodbye'],
    ['ok bye, see you tomorrow', 'goodbye'],
    ['Thanks, bye', 'goodbye'],
    ['sorry', 'apology'],
    ['never mind', 'apology'],
    ['Hello, who are you?', 'about'],
    ['What can you do?', 'about'],
  ] as const) {
    assert.equal(smallTalkToAssistant(text), kind, text)
  }
})

test('a message that asks, answers or judges is not small talk', () => {
  for (const text of [
    'hi, should I move to Lisbon?',
    'thanks, and how long does it take?',
    'hello world program in Rust',
    'Sorry, I meant the other house',
    'Good morning routines: which one fits me?',
    'Thank you notes: should I write them?',
    'no thanks',
    'yes, thank you',
    'great',
    'thanks for nothing, you are useless',
    'bye bye love: who wrote it?',
    '',
    'hi '.repeat(60),
  ]) {
    assert.equal(smallTalkToAssistant(text), null, text)
  }
})
