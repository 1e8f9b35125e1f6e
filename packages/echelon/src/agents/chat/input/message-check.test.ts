import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EchelonError } from '../../../core/value/error.ts'
import { checkMessages } from './message-check.ts'

const user = (text: string) => ({ role: 'user', content: [{ type: 'text', text }] })
const says = (text: string) => ({ role: 'assistant', content: [{ type: 'text', text }] })
const calls = (...ids: readonly string[]) => ({
  role: 'assistant',
  content: ids.map((id) => ({ type: 'tool-call', toolCallId: id, toolName: 'add', input: {} })),
})
const result = (id: string, toolName = 'add', output: unknown = { type: 'text', value: '3' }) => ({
  type: 'tool-result',
  toolCallId: id,
  toolName,
  output,
})
const results = (...ids: readonly string[]) => ({
  role: 'tool',
  content: ids.map((id) => result(id)),
})
const assistant = (part: unknown) => ({ role: 'assistant', content: [part] })

function refusal(messages: readonly unknown[], after = 0): EchelonError {
  try {
    checkMessages(messages, { after })
  } catch (error) {
    assert.ok(error instanceof EchelonError)
    assert.equal(error.code, 'INVALID_INPUT')
    return error
  }
  return assert.fail('the messages were taken')
}

const REFUSED: readonly {
  readonly what: string
  readonly messages: readonly unknown[]
  readonly index: number
  readonly says: RegExp
}[] = [
  {
    what: 'a result without a call',
    messages: [user('hi'), results('a')],
    index: 1,
    says: /answers a call a that was not made/,
  },
  {
    what: 'a second result',
    messages: [user('hi'), calls('a'), results('a'), results('a')],
    index: 3,
    says: /a second time/,
  },
  {
    what: 'a second result in one message',
    messages: [user('hi'), calls('a'), results('a', 'a')],
    index: 2,
    says: /a second time/,
  },
  {
    what: 'a result of another tool',
    messages: [user('hi'), calls('a'), { role: 'tool', content: [result('a', 'rm')] }],
    index: 2,
    says: /for rm, but it was one of add/,
  },
  {
    what: 'a call without a result before the user speaks again',
    messages: [user('hi'), calls('a', 'b'), results('a'), user('well?')],
    index: 3,
    says: /before the results of the calls b/,
  },
  {
    what: 'a call without a result at the end',
    messages: [user('hi'), calls('a')],
    index: 1,
    says: /leaves the calls a without a result/,
  },
  {
    what: 'two calls of one id',
    messages: [user('hi'), calls('a', 'a'), results('a')],
    index: 1,
    says: /two calls a/,
  },
  {
    what: 'instructions in the midst',
    messages: [user('hi'), { role: 'system', content: 'be kind' }],
    index: 1,
    says: /in the midst/,
  },
  { what: 'no parts', messages: [{ role: 'user', content: [] }], index: 0, says: /no content/ },
  { what: 'a blank text', messages: [user(' \n')], index: 0, says: /empty text/ },
  {
    what: 'a text for content',
    messages: [{ role: 'user', content: 'hi' }],
    index: 0,
    says: /list/,
  },
  {
    what: 'no instructions',
    messages: [{ role: 'system', content: '' }],
    index: 0,
    says: /no text/,
  },
  {
    what: 'an unknown role',
    messages: [{ role: 'developer', content: 'x' }],
    index: 0,
    says: /role "developer"/,
  },
  {
    what: 'an unknown part',
    messages: [{ role: 'user', content: [{ type: 'video' }] }],
    index: 0,
    says: /type "video"; here stand text, file/,
  },
  {
    what: 'a part of another role',
    messages: [{ role: 'user', content: [{ type: 'reasoning', text: 'hm' }] }],
    index: 0,
    says: /type "reasoning"/,
  },
  {
    what: 'a part named like a property of every object',
    messages: [{ role: 'user', content: [{ type: 'constructor' }] }],
    index: 0,
    says: /type "constructor"/,
  },
  {
    what: 'a part that is not an object',
    messages: [assistant(null)],
    index: 0,
    says: /not an object/,
  },
  {
    what: 'a message that is not an object',
    messages: [user('hi'), 'hello'],
    index: 1,
    says: /not an object/,
  },
  {
    what: 'a call without an id',
    messages: [assistant({ type: 'tool-call', toolCallId: '', toolName: 'add', input: {} })],
    index: 0,
    says: /without an id/,
  },
  {
    what: 'a call whose input JSON cannot hold',
    messages: [assistant({ type: 'tool-call', toolCallId: 'a', toolName: 'add', input: 1n })],
    index: 0,
    says: /input is not JSON/,
  },
  {
    what: 'a result without an output',
    messages: [user('hi'), calls('a'), { role: 'tool', content: [result('a', 'add', null)] }],
    index: 2,
    says: /an invalid result of a/,
  },
  {
    what: 'a file as bytes',
    messages: [
      {
        role: 'user',
        content: [
          { type: 'file', mediaType: 'image/png', data: { type: 'data', data: new Uint8Array(2) } },
        ],
      },
    ],
    index: 0,
    says: /base64/,
  },
  {
    what: 'a file at an invalid address',
    messages: [
      {
        role: 'user',
        content: [{ type: 'file', mediaType: 'image/png', data: { type: 'url', url: 'nowhere' } }],
      },
    ],
    index: 0,
    says: /type: 'url', url/,
  },
  {
    what: 'options of a provider that JSON cannot hold',
    messages: [{ ...user('hi'), providerOptions: { openai: { at: new Date(0) } } }],
    index: 0,
    says: /providerOptions/,
  },
]

for (const { what, messages, index, says } of REFUSED) {
  test(`[C-10] rejects with its index: ${what}`, () => {
    const error = refusal(messages)
    assert.match(error.message, says)
    assert.match(error.message, new RegExp(`^message ${index} `))
    assert.deepEqual(error.details, { index })
  })
}

test('[C-10] the index includes earlier messages, which are not checked again', () => {
  assert.match(refusal([user('hi'), results('x')], 40).message, /^message 41 /)
  assert.match(refusal([{ role: 'system', content: 'x' }], 40).message, /in the midst/)
})

test('[C-10] a valid conversation is returned unchanged', () => {
  const messages = [
    { role: 'system', content: 'be kind' },
    user('hi'),
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: '', providerOptions: { openai: { encrypted: 'abc' } } },
        { type: 'text', text: 'let me see' },
        { type: 'tool-call', toolCallId: 'a', toolName: 'add', input: { a: 1 } },
        { type: 'tool-call', toolCallId: 'b', toolName: 'add', input: {} },
        { type: 'tool-call', toolCallId: 'w', toolName: 'web', input: {}, providerExecuted: true },
        result('w', 'web', { type: 'json', value: [] }),
      ],
    },
    results('a'),
    { role: 'tool', content: [result('b', 'add', { type: 'execution-denied' })] },
    says('it is 3'),
    // A provider may restart its call ids in each answer.
    user('and now?'),
    calls('a'),
    results('a'),
    says('4'),
    {
      role: 'user',
      content: [{ type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'aGk=' } }],
    },
  ]
  assert.deepEqual(checkMessages(messages), messages)
  assert.deepEqual(checkMessages([]), [])
})

test('[C-10] file addresses are read from text, as in stored conversations', () => {
  const image = (url: unknown) => ({
    role: 'user',
    content: [{ type: 'file', mediaType: 'image/png', data: { type: 'url', url } }],
  })
  const url = new URL('https://example.com/a.png')
  assert.deepEqual(checkMessages([image(url)]), [image(url)])
  assert.deepEqual(checkMessages(JSON.parse(JSON.stringify([image(url)]))), [image(url)])
})

test("[C-10] a provider's own data may come without text", () => {
  const signed = assistant({ type: 'text', text: '', providerOptions: { google: { sign: 'x' } } })
  assert.deepEqual(checkMessages([signed]), [signed])
})
