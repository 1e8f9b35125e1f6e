import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Message } from 'echelon/runtime'
import { keptLength } from './rewind.ts'

const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] })
const answer = (text: string): Message => ({
  role: 'assistant',
  content: [{ type: 'text', text }],
})
const STORED = [user('one'), answer('1'), user('two'), answer('2'), user('three'), answer('3')]

test('a conversation is cut before the message that follows those that stay', () => {
  assert.equal(keptLength(STORED, []), 0)
  assert.equal(keptLength(STORED, ['one']), 2)
  assert.equal(keptLength(STORED, ['one', 'two']), 4)
  assert.equal(keptLength(STORED, ['one', 'two', 'three']), 6)
})

test('what the store never had cuts nothing', () => {
  assert.equal(keptLength(STORED, ['one', 'other']), 6)
  assert.equal(keptLength([], ['one']), 0)
})
