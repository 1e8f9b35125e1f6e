import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { type Message, systemMessage, userMessage } from '../core/message/thread.ts'
import { attemptOf } from './attempt-of.ts'
import { promotionNote } from './promotion-note.ts'

const assistant = (text: string): Message => ({
  role: 'assistant',
  content: [{ type: 'text', text }],
})
const called = (id: string, input: unknown): Message => ({
  role: 'assistant',
  content: [{ type: 'tool-call', toolCallId: id, toolName: 'weather', input }],
})
const result = (id: string, value: string): Message => ({
  role: 'tool',
  content: [
    { type: 'tool-result', toolCallId: id, toolName: 'weather', output: { type: 'text', value } },
  ],
})
const SAYS = (text: string) => ({ text, calls: [] })

suite('an attempt of a model call', () => {
  test('has the last message of the user as its question, and the tool calls since then', () => {
    const messages = [
      systemMessage('Be brief.'),
      userMessage('Rome?'),
      called('1', { city: 'Rome' }),
      result('1', 'hot'),
      assistant('Hot.'),
      userMessage('And Oslo?'),
      called('2', { city: 'Oslo' }),
      result('2', 'mild'),
    ]
    const { task, answer, made } = attemptOf({ messages }, SAYS('Mild.'))
    assert.equal(task.question, 'And Oslo?')
    assert.deepEqual(task.earlier, ['Rome?', 'Hot.'])
    assert.deepEqual(task.sources, [
      { name: 'instructions', text: 'Be brief.' },
      { name: 'result of weather', text: 'hot' },
    ])
    assert.deepEqual(answer, { type: 'text', text: 'Mild.' })
    assert.deepEqual(made, [
      {
        call: { id: '2', tool: 'weather', input: { city: 'Oslo' } },
        outcome: { type: 'ok', value: 'mild' },
      },
    ])
  })

  test('asks for JSON where there is a schema, for calls where the answer makes some', () => {
    const messages = [userMessage('Who?')]
    const schema = { type: 'object' }
    const json = attemptOf({ messages, schema }, SAYS('{"name":"Ada"}'))
    assert.deepEqual(json.task.wanted, { kind: 'json', schema })
    assert.deepEqual(json.answer, { type: 'json', value: { name: 'Ada' } })
    const words = attemptOf({ messages, schema }, SAYS('Ada'))
    assert.deepEqual(words.answer, { type: 'text', text: 'Ada' })
    const calls = [{ id: '1', tool: 'find', input: {} }]
    const calling = attemptOf({ messages, schema }, { text: '', calls })
    assert.deepEqual(calling.task.wanted, { kind: 'calls' })
    assert.deepEqual(calling.answer, { type: 'calls', calls })
  })

  test('asks for what the caller says of an answer in words', () => {
    const wanted = { kind: 'number' } as const
    const { task } = attemptOf({ messages: [userMessage('2 + 2?')], wanted }, SAYS('4'))
    assert.deepEqual(task.wanted, wanted)
  })

  test('may have no question at all', () => {
    const { task } = attemptOf({ messages: [systemMessage('Say hello.')] }, SAYS('Hello.'))
    assert.equal(task.question, '')
  })
})

test('a promotion note is one short line, whatever a judge wrote', () => {
  const { content } = promotionNote(`bad\n\n${'long '.repeat(500)}`)
  const text = JSON.stringify(content)
  assert.ok(text.length < 600)
  assert.ok(!text.includes('\\n'))
})
