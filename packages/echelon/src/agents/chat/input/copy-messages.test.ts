import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EchelonError } from '../../../core/value/error.ts'
import { copyMessages } from './copy-messages.ts'

const said = (text: string, role: 'user' | 'assistant' = 'user') => ({
  role,
  content: [{ type: 'text', text }],
})

test('[C-10] changing a given message later does not change its copy', () => {
  const given = [said('one'), said('two', 'assistant'), said('three')]
  const { input, said: copies } = copyMessages(given)
  for (const message of given) {
    for (const part of message.content) part.text = 'changed'
    message.content.push({ type: 'text', text: 'more' })
    message.role = 'assistant'
  }
  assert.deepEqual(input, [said('one'), said('two', 'assistant'), said('three')])
  assert.equal(copies, input)
})

test('[C-10] the copy is checked: a text that changes while it is read is kept as checked or rejected', () => {
  const texts = ['fine', '', ' ']
  const part = {
    type: 'text',
    get text() {
      return texts.shift() ?? ''
    },
  }
  const { said: copies } = copyMessages([{ role: 'user', content: [part] }])
  assert.deepEqual(copies, [said('fine')])
})

test('[C-10] an instance of a class is copied by its fields, or rejected', () => {
  class Stored {
    readonly id = 1
    readonly of = 'a table'
    get role(): string {
      return 'user'
    }
    get content(): unknown {
      return [{ type: 'text', text: 'hello' }]
    }
  }
  assert.throws(() => copyMessages([new Stored()]), EchelonError)
  const plain = Object.assign(Object.create({ inherited: true }), said('hello'))
  const { said: copies } = copyMessages([plain])
  assert.deepEqual(copies, [said('hello')])
})

test('[C-10] additional fields are copied too, and no object is shared', () => {
  const given = { ...said('one'), providerOptions: { some: { cached: true } } }
  const { said: copies } = copyMessages([given, said('two')])
  given.providerOptions.some.cached = false
  assert.deepEqual(copies, [
    { ...said('one'), providerOptions: { some: { cached: true } } },
    said('two'),
  ])
})

test('[C-10] a user text that is too long is rejected in any position', () => {
  const long = 'x'.repeat(11)
  const tooLong = (error: unknown) =>
    error instanceof EchelonError && /has 11 characters and may have 10/.test(error.message)
  const limits = { mostChars: 10 }
  const parts = { role: 'user', content: [...said('one').content, ...said(long).content] }
  for (const messages of [[said(long)], [parts], [parts, said('two')], [said('one'), parts]]) {
    assert.throws(() => copyMessages(messages, limits), tooLong)
  }
  assert.throws(() => copyMessages([parts, said(long)], limits), tooLong)
  assert.equal(copyMessages([said(long, 'assistant'), said('two')], limits).said.length, 2)
})
