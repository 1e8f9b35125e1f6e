import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Message, type Part, Role } from '@a2a-js/sdk'
import { repliesIn } from './message-in.ts'
import { dataPart, textPart } from './parts.ts'
import type { OpenRequest } from './turn-to-task.ts'

const message = (...parts: readonly Part[]): Message => ({
  messageId: 'm',
  contextId: '',
  taskId: '',
  role: Role.ROLE_USER,
  parts: [...parts],
  metadata: undefined,
  extensions: [],
  referenceTaskIds: [],
})

const approval: OpenRequest = {
  type: 'approval',
  request: 'a',
  call: 'call-1',
  about: {
    type: 'approval',
    tool: 'send',
    call: 'call-1',
    input: {},
    why: 'it acts',
    choices: ['once', 'always', 'deny'],
    hash: 'h',
  },
}
const question = (schema: Extract<OpenRequest, { type: 'question' }>['schema']): OpenRequest => ({
  type: 'question',
  request: 'q',
  question: 'How?',
  schema,
})

const replyTo = (open: OpenRequest, part: Part): unknown =>
  repliesIn(message(part), [open])[0]?.reply

describe('[DD-19] a reply of a client', () => {
  test('to an approval is exactly one of its choices', () => {
    for (const [word, choice] of [
      ['approve', 'once'],
      [' Approve\n', 'once'],
      ['once', 'once'],
      ['always', 'always'],
      ['deny', 'deny'],
    ] as const) {
      assert.equal(replyTo(approval, textPart(word)), choice)
      assert.equal(replyTo(approval, dataPart({ choice: word })), choice)
      assert.equal(replyTo(approval, dataPart({ request: 'a', reply: word })), choice)
    }
    for (const word of ['', 'yes', 'never', 'do not approve', 'approve it', 'deny, or approve']) {
      assert.throws(
        () => replyTo(approval, textPart(word)),
        /exactly one of: approve, once, always, deny/,
      )
    }
    for (const value of [{}, { reply: true }, { reply: ['once'] }, ['once'], 'once']) {
      assert.throws(() => replyTo(approval, dataPart(value)))
    }
  })

  test('to a question is text, or what fits its schema', () => {
    assert.equal(replyTo(question(null), textPart('3')), '3')
    assert.equal(replyTo(question({ type: 'integer' }), textPart('3')), 3)
    assert.equal(replyTo(question({ type: 'boolean' }), textPart('Yes')), true)
    assert.equal(replyTo(question({ type: 'boolean' }), textPart('false')), false)
    const object = question({
      type: 'object',
      properties: { n: { type: 'integer' } },
      required: ['n'],
    })
    assert.deepEqual(replyTo(object, dataPart({ n: 1 })), { n: 1 })
    assert.deepEqual(replyTo(object, dataPart({ reply: { n: 1 } })), { n: 1 })
    assert.throws(() => replyTo(object, textPart('one')), /does not fit the schema/)
    assert.throws(() => replyTo(question({ type: 'integer' }), dataPart({ reply: 1.5 })), /schema/)
  })

  test('names its request if several are open', () => {
    const open = [approval, question(null)]
    assert.throws(
      () => repliesIn(message(textPart('once')), open),
      /several requests are open \(a, q\)/,
    )
    assert.throws(() => repliesIn(message(dataPart({ reply: 'once' })), open), /name one/)
    assert.throws(
      () => repliesIn(message(dataPart({ request: 'x', reply: 'once' })), open),
      /name one/,
    )
    const both = message(
      dataPart({ request: 'q', reply: 'so' }),
      dataPart({ request: 'a', reply: 'deny' }),
    )
    assert.deepEqual(repliesIn(both, open), [
      { request: 'q', reply: 'so' },
      { request: 'a', reply: 'deny' },
    ])
  })
})
