import assert from 'node:assert/strict'
import test from 'node:test'
import { atPointer } from './at-pointer.ts'

test('finds values in objects and lists, also under names with a slash or a tilde', () => {
  const value = { rounds: [{ answer: 'no' }, { answer: 'yes' }], 'a/b': { 'c~d': 7 } }
  assert.equal(atPointer(value, '/rounds/1/answer'), 'yes')
  assert.equal(atPointer(value, '/a~1b/c~0d'), 7)
  assert.deepEqual(atPointer(value, ''), value)
})

test('a missing value is undefined, and so are inherited names', () => {
  for (const pointer of ['/b', '/a/0', '/constructor', '/__proto__', '/length']) {
    assert.equal(atPointer({ a: null }, pointer), undefined)
  }
})
