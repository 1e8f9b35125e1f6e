import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ServedAgent } from '../agents/served-agent.ts'
import { knows1, readRunInput, sentMessages, turnInputOf, type RunInput } from './run-input.ts'

const IDS = { threadId: 't', runId: 'r' } as const
const read = (fields: object): RunInput => readRunInput({ ...IDS, ...fields })
const user = (content: unknown): object => ({ role: 'user', id: 'u', content })
const file = { type: 'image', source: { type: 'data', value: 'aGk=', mimeType: 'image/png' } }

const MESSAGES = [
  { role: 'system', id: '1', content: 'be brief' },
  { role: 'developer', id: '2', content: '' },
  {
    role: 'user',
    id: '3',
    content: [{ type: 'text', text: 'hello ' }, file, { type: 'text', text: 'you' }],
  },
  {
    role: 'assistant',
    id: '4',
    content: 'hi',
    toolCalls: [{ id: 'c', type: 'function', function: { name: 'add', arguments: '{}' } }],
  },
  { role: 'assistant', id: '5', content: null },
  { role: 'tool', id: '6', toolCallId: 'c', content: '3', error: 'none' },
  { role: 'tool', id: '7', toolCallId: 'd', content: '4' },
  { role: 'reasoning', id: '8' },
  { role: 'activity', id: '9' },
  { role: 'user', id: '10', content: 'and now?' },
]

const agent = (accepts: Partial<ServedAgent['accepts']> = {}): Pick<ServedAgent, 'accepts'> => ({
  accepts: { sessions: true, history: true, tools: true, files: true, output: true, ...accepts },
})

test('messages of each role are sent back as they came, without the parts of older clients', () => {
  const binary = { type: 'binary', mimeType: 'text/plain', data: 'aGk=' }
  const sent = sentMessages(read({ messages: [...MESSAGES, user([binary, file])] }))
  assert.deepEqual(
    sent.map(({ id }) => id),
    ['1', '2', '3', '4', '5', '6', '7', '10', 'u'],
  )
  assert.deepEqual(sent[3], MESSAGES[3])
  assert.deepEqual(sent[4], { role: 'assistant', id: '5' })
  assert.deepEqual(sent[5], MESSAGES[5])
  assert.deepEqual(sent.at(-1)?.content, [file])
})

test('a new thread gets what was said as its history, without results of tools', () => {
  const { history, text } = turnInputOf(read({ messages: MESSAGES }), agent(), { isNew: true })
  assert.equal(text, 'and now?')
  assert.deepEqual(history, [
    { role: 'system', content: 'be brief' },
    { role: 'user', content: [{ type: 'text', text: 'hello you' }] },
    { role: 'assistant', content: [{ type: 'text', text: 'hi' }] },
  ])
  const known = turnInputOf(read({ messages: MESSAGES }), agent(), { isNew: false })
  assert.equal(known.history, undefined)
})

test('context, tools, options and a schema are passed to an agent that takes them', () => {
  const input = read({
    messages: [user('hello')],
    context: [{ description: 'page', value: 'orders' }],
    tools: [{ name: 'open' }, { name: 'add', description: 'adds', parameters: { type: 'object' } }],
    forwardedProps: {
      other: 1,
      echelon: { options: { small: 'a/b' }, output: { type: 'object' } },
    },
  })
  assert.deepEqual(turnInputOf(input, agent(), { isNew: true }), {
    text: 'hello\n\nContext from the application:\n- page: orders',
    tools: [
      { name: 'open', description: '', parameters: { type: 'object', properties: {} } },
      { name: 'add', description: 'adds', parameters: { type: 'object' } },
    ],
    options: { small: 'a/b' },
    output: { type: 'object' },
  })
  const closed = agent({ history: false, tools: false, output: false })
  assert.deepEqual(turnInputOf(input, closed, { isNew: true }), {
    text: 'hello',
    options: { small: 'a/b' },
  })
})

test('extras of another form are left out', () => {
  for (const forwardedProps of [null, 1, { echelon: 1 }, { echelon: { options: 1, output: [] } }]) {
    const input = read({ messages: [user('hello')], forwardedProps })
    assert.deepEqual(turnInputOf(input, agent(), { isNew: true }), { text: 'hello' })
  }
})

test('files are taken as data, and addresses are not fetched', () => {
  const files = (content: readonly unknown[], accepts = {}): unknown =>
    turnInputOf(read({ messages: [user(content)] }), agent(accepts), { isNew: true }).files
  const binary = { type: 'binary', mimeType: 'text/plain', data: 'aGk=', filename: 'a.txt' }
  assert.deepEqual(files([file, binary]), [
    { name: null, mediaType: 'image/png', data: 'aGk=' },
    { name: 'a.txt', mediaType: 'text/plain', data: 'aGk=' },
  ])
  const address = { type: 'image', source: { type: 'url', value: 'http://127.0.0.1/a.png' } }
  assert.throws(() => files([address]), /send files as data/)
  assert.throws(() => files([{ type: 'binary', mimeType: 'a/b' }]), /send files as data/)
  assert.throws(() => files([file], { files: false }), /takes no files/)
  assert.throws(() => files(Array.from({ length: 21 }, () => file)), /at most 20 files/)
})

test('a request without a message of the user is refused with its place', () => {
  const turn = (messages: readonly unknown[]): unknown =>
    turnInputOf(read({ messages }), agent(), { isNew: true })
  assert.throws(() => turn([]), /must be from the user/)
  assert.throws(() => turn([MESSAGES[3]]), /must be from the user/)
  assert.throws(() => turn([user('')]), /the last message is empty/)
  assert.throws(() => read({ messages: [user(1)] }), /^HttpProblem: messages\.0\.content: /)
  assert.throws(() => readRunInput('text'), /the body: /)
})

test('only clients of version 1 or later know it', () => {
  const versions = [undefined, '0.0.9', '1', '1.2', 'x']
  const known = versions.map((protocolVersion) => knows1(read({ messages: [], protocolVersion })))
  assert.deepEqual(known, [false, false, true, true, false])
})
