import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from 'echelon/runtime'
import { formFor, type Form } from './elicitation.ts'

const question = (schema: JsonObject | null): Form =>
  formFor({ type: 'question', request: 'r', question: 'When?', schema })

const approval = formFor({
  type: 'approval',
  request: 'r',
  call: 'c',
  about: {
    type: 'approval',
    tool: 'refund',
    call: 'c',
    input: { order: 1 },
    why: 'a rule asks',
    choices: ['once', 'deny'],
    hash: 'ab',
  },
})

const field = { type: 'string', title: 'Day', description: 'a date' } as const

test('an approval is a choice, and its answer holds for this call only', () => {
  assert.match(approval.params.message, /^refund wants to run: a rule asks\n\{"order":1\}$/)
  const decide = (decision?: string): unknown =>
    approval.reply({ action: 'accept', content: decision === undefined ? {} : { decision } })
  assert.deepEqual(decide('once'), { choice: 'once', hash: 'ab' })
  assert.deepEqual(decide(), { choice: 'deny', hash: 'ab' })
  assert.equal(approval.reply({ action: 'decline' }), 'deny')
  assert.equal(approval.reply({ action: 'cancel' }), undefined)
})

test('a flat object is a form of its fields', () => {
  const properties = {
    day: field,
    nights: { type: 'integer' },
    price: { type: 'number' },
    late: { type: 'boolean' },
    room: { enum: ['single', 'double'] },
  }
  const { params, reply } = question({ type: 'object', properties, required: ['day', 1] })
  assert.deepEqual(params.requestedSchema, {
    type: 'object',
    properties: { ...properties, room: { type: 'string', enum: ['single', 'double'] } },
    required: ['day'],
  })
  assert.deepEqual(reply({ action: 'accept', content: { nights: 2 } }), { nights: 2 })
  assert.equal(reply({ action: 'accept' }), null)
  assert.equal(reply({ action: 'decline' }), null)
})

test('one field, or none, is answered in words', () => {
  const answers = (schema: JsonObject | null): unknown =>
    question(schema).params.requestedSchema.properties
  assert.deepEqual(answers(null), { answer: { type: 'string' } })
  assert.deepEqual(answers(field), { answer: field })
  const yes = question({ type: 'boolean' })
  assert.equal(yes.reply({ action: 'accept', content: { answer: true } }), true)
  assert.equal(yes.reply({ action: 'decline' }), false)
  assert.equal(question(null).reply({ action: 'accept', content: { answer: '{}' } }), '{}')
  assert.equal(question(null).reply({ action: 'accept' }), null)
})

test('what no form can hold is answered as JSON, or else as text', () => {
  for (const schema of [
    { type: 'object', properties: { stay: { type: 'array' } } },
    { type: 'object', properties: { stay: 1 } },
    { type: 'object' },
    { type: 'array', items: field },
    { enum: ['a', 1] },
    { enum: [] },
  ]) {
    const { params, reply } = question(schema)
    const { answer } = params.requestedSchema.properties
    assert.match(answer?.description ?? '', /^JSON of this schema: \{/)
    assert.deepEqual(reply({ action: 'accept', content: { answer: '[1]' } }), [1])
    assert.equal(reply({ action: 'accept', content: { answer: 'next week' } }), 'next week')
  }
})
