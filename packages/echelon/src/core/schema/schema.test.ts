import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { isRecord } from '../value/json.ts'
import { toJsonSchema, validate } from './schema.ts'

const order = z.object({
  ticker: z.string(),
  n: z.number().int().default(5),
  series: z.array(z.object({ close: z.number() })).optional(),
})

test('a valid value comes back as the schema parses it, defaults included', async () => {
  assert.deepEqual(await validate(order, { ticker: 'AAPL' }), {
    ok: true,
    value: { ticker: 'AAPL', n: 5 },
  })
})

test('an invalid value gives one line that names each path', async () => {
  const wrong = { n: 1.5, series: [{ close: 1 }, { close: '2' }] }
  const checked = await validate(order, wrong)
  assert.ok(!checked.ok)
  const lines = checked.message.split('; ')
  assert.deepEqual(
    lines.map((line) => line.slice(0, line.indexOf(':'))),
    ['ticker', 'n', 'series.1.close'],
  )
  assert.match(checked.message, /series\.1\.close: .*expected number/)
  assert.ok(!checked.message.includes('\n'))
  const whole = await validate(order, 'text')
  assert.ok(!whole.ok)
  assert.match(whole.message, /^Invalid input: expected object/)
})

test('an asynchronous schema is awaited', async () => {
  const known = z.string().refine(async (text) => text === 'AAPL', 'unknown ticker')
  assert.deepEqual(await validate(known, 'AAPL'), { ok: true, value: 'AAPL' })
  assert.deepEqual(await validate(known, 'X'), { ok: false, message: 'unknown ticker' })
})

test('paths are named in the notation of any library', async () => {
  const issues = [{ message: 'no', path: ['a', 0, { key: 'b' }] }, { message: 'none' }]
  const schema = {
    '~standard': { ...order['~standard'], validate: () => ({ issues }) },
  }
  assert.deepEqual(await validate(schema, 1), { ok: false, message: 'a.0.b: no; none' })
})

test('is printed for a model as JSON Schema draft 7 of the input', () => {
  const printed = toJsonSchema(order)
  assert.equal(printed['$schema'], 'http://json-schema.org/draft-07/schema#')
  assert.equal(printed['type'], 'object')
  assert.deepEqual(printed['required'], ['ticker'], 'a default need not be given')
  const properties: unknown = printed['properties']
  assert.ok(isRecord(properties))
  assert.deepEqual(Object.keys(properties), ['ticker', 'n', 'series'])
})

test('a schema without a JSON form is a definition error', () => {
  const unprintable = [z.object({ at: z.date() }), z.bigint()]
  for (const schema of unprintable) {
    assert.throws(() => toJsonSchema(schema), {
      code: 'INVALID_DEFINITION',
      message: /plain types/,
    })
  }
  const silent = {
    '~standard': {
      ...order['~standard'],
      jsonSchema: { input: () => Object(1n), output: () => ({}) },
    },
  }
  assert.throws(() => toJsonSchema(silent), { code: 'INVALID_DEFINITION' })
})
