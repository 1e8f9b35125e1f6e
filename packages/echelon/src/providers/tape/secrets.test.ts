import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { cleaner } from './secrets.ts'

/** Starts, ends and bodies of patterns, in any order. */
const PIECES = [
  'password',
  'pwd',
  'token',
  'secret',
  'api key',
  'bearer ',
  'basic ',
  'SSN ',
  '?key=',
  'is ',
  ': ',
  '=',
  ' ',
  '"',
  "'",
  '\\',
  '\n',
  ',',
  '&',
  '(',
  '[',
  ']',
  '[redacted:',
  'a',
  '1',
  'sk-proj-1234567890abcdefghij',
  'ada@example.org',
  '4111 1111 1111 1111',
  '078-05-1120',
  '555-123-4567',
  '+49 170 1234567',
  'https://u:p@example.org',
  'GB82 WEST 1234 5698 7654 32',
  'eyJhbGciOiJIUzI1.eyJzdWIiOiIxMjM0.abc',
  '-----BEGIN PRIVATE KEY-----',
  'hunter2x',
]
const texts = fc.array(fc.constantFrom(...PIECES), { maxLength: 10 }).map((all) => all.join(''))

test('keeps clean values unchanged', () => {
  const clean = cleaner(['hunter2x'])
  fc.assert(
    fc.property(texts, texts, (name, text) => {
      const once = clean({ [name]: [text], text })
      assert.deepEqual(clean(once), once)
    }),
    { numRuns: 2000 },
  )
})

test('hides a key in use anywhere, except a key that is a short word', () => {
  const clean = cleaner([' correct-horse-battery ', 'ollama', ''])
  assert.deepEqual(clean({ 'correct-horse-battery': ['(correct-horse-battery)', 'ollama', 1] }), {
    // The field name marks the value as a secret.
    '[redacted:secret]': '[redacted]',
  })
})
