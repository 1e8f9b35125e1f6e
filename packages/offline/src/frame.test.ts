import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unframed } from './frame.ts'

const FRAMED: readonly (readonly [string, string])[] = [
  ['Hello, can you tell me what 3 + 4 is, please?', 'what 3 + 4 is?'],
  ['Good morning! I would like to know what day it is. Thanks!', 'what day it is.'],
  ['hey there: what is 2 x 3', 'what is 2 x 3'],
  ['One quick question: when is Easter 2027?', 'when is Easter 2027?'],
  ['Please could you kindly add 4 to 5 for me, thank you very much.', 'add 4 to 5'],
  ['Do you happen to know when Easter is?', 'when Easter is?'],
  ['I was wondering what 7 times 6 is', 'what 7 times 6 is'],
  ['Just tell me the date tomorrow, pls', 'the date tomorrow'],
  ['OK, so how much is 5 minus 2? Cheers', 'how much is 5 minus 2?'],
]

test('removes courtesies around a question', () => {
  for (const [framed, bare] of FRAMED) assert.equal(unframed(framed), bare)
})

test('keeps words that ask for something', () => {
  for (const question of [
    'Plot AAPL',
    'thanks',
    'Tell my brother that 2 + 2 is 4',
    'Will you be here tomorrow?',
    'What do I need to know for 3 exams?',
    'Pay 5 dollars for me and you',
    'Right now it is 5 degrees.',
    'Send thanks to 5 friends',
  ]) {
    assert.equal(unframed(question), question)
  }
})
