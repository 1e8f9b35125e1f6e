import assert from 'node:assert/strict'
import { test } from 'node:test'
import { guardedSchema } from './guarded-schema.ts'
import { toJsonSchema, validate } from './schema.ts'

const schema = guardedSchema(
  { type: 'array', items: { type: 'number' } },
  (value): value is readonly number[] =>
    Array.isArray(value) && value.every((one) => typeof one === 'number'),
)

test('a type guard works as a schema', async () => {
  assert.deepEqual(await validate(schema, [1, 2]), { ok: true, value: [1, 2] })
  const wrong = await validate(schema, ['1'])
  assert.deepEqual(wrong, { ok: false, message: 'it has the wrong shape' })
  assert.deepEqual(toJsonSchema(schema), { type: 'array', items: { type: 'number' } })
})
