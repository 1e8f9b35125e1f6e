import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EchelonError, ERRORS } from './error.ts'

test('an error has a code, details as data, and a cause only if there is one', () => {
  const cause = new Error('disk full')
  const error = new EchelonError('JOURNAL_FAILED', 'mend it', { details: { seq: 3 }, cause })
  assert.ok(error instanceof Error)
  assert.equal(error.name, 'EchelonError')
  assert.equal(error.code, 'JOURNAL_FAILED')
  assert.deepEqual(error.details, { seq: 3 })
  assert.equal(error.cause, cause)
  const plain = new EchelonError('INVALID_INPUT', 'shorten it')
  assert.deepEqual(plain.details, {})
  assert.ok(!('cause' in plain))
})

test('every code has a description', () => {
  for (const [code, meaning] of Object.entries(ERRORS)) {
    assert.match(code, /^[A-Z]+(_[A-Z]+)*$/)
    assert.ok(meaning.length > 20)
  }
})
