import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { validate } from '../schema/schema.ts'
import { defineTool, ToolError, type ToolSpec } from './tool.ts'

const spec: ToolSpec<{ expr: string }> = {
  name: 'calculator',
  description: 'evaluates',
  input: z.object({ expr: z.string() }),
  run: ({ expr }) => ({ value: expr }),
}

test('by default a tool reads, has ten seconds and no retries', () => {
  const { does, timeoutMs, retries, jsonSchema } = defineTool(spec)
  assert.deepEqual([does, timeoutMs, retries], ['reads', 10_000, 0])
  assert.deepEqual(jsonSchema['required'], ['expr'])
  const other = defineTool({ ...spec, does: 'acts', timeoutMs: 5, retries: 2 })
  assert.deepEqual([other.does, other.timeoutMs, other.retries], ['acts', 5, 2])
})

test('a tool is immutable', () => {
  const tool = defineTool(spec)
  assert.ok(Object.isFrozen(tool))
})

test('rejects a name that providers would reject', () => {
  for (const name of ['', '1st', 'a b', 'a.b', '../x', 'ä', 'a'.repeat(65), '__proto__']) {
    assert.throws(() => defineTool({ ...spec, name }), {
      code: 'INVALID_DEFINITION',
      message: /use letters, digits/,
    })
  }
  for (const name of ['a', 'data_fetch-stock2', 'a'.repeat(64)]) defineTool({ ...spec, name })
})

test('rejects a limit that would limit nothing, and names the tool', () => {
  for (const timeoutMs of [0, -1, Number.NaN]) {
    assert.throws(() => defineTool({ ...spec, timeoutMs }), {
      code: 'INVALID_DEFINITION',
      message: /calculator has timeoutMs/,
    })
  }
  for (const retries of [-1, 0.5, Number.NaN, Infinity]) {
    assert.throws(() => defineTool({ ...spec, retries }), {
      code: 'INVALID_DEFINITION',
      message: /calculator has retries/,
    })
  }
})

test('rejects a schema that no model can read', () => {
  assert.throws(
    () => defineTool({ name: 'at', description: '', input: z.date(), run: () => null }),
    { code: 'INVALID_DEFINITION', message: /plain types/ },
  )
})

test('a tool error keeps its code', () => {
  const error = new ToolError('RATE_LIMIT', 'slow down')
  assert.ok(error instanceof Error)
  assert.deepEqual(
    [error.name, error.code, error.message],
    ['ToolError', 'RATE_LIMIT', 'slow down'],
  )
})

test('a plain JSON Schema is accepted and enforced', async () => {
  const input = {
    type: 'object',
    properties: { city: { type: 'string' }, days: { type: 'integer', minimum: 1 } },
    required: ['city'],
    additionalProperties: false,
  } as const
  const tool = defineTool({
    name: 'weather',
    description: 'tells the weather',
    input,
    run: ({ city = null }) => ({ city }),
  })
  assert.deepEqual(tool.jsonSchema, input)
  const check = (value: unknown): unknown => validate(tool.input, value)
  assert.deepEqual(check({ city: 'Oslo', days: 2 }), { ok: true, value: { city: 'Oslo', days: 2 } })
  assert.deepEqual(check({ days: 0.5, x: 1 }), {
    ok: false,
    message: 'city: is required; days: expected integer; x: is not a known property',
  })
  assert.deepEqual(check('Oslo'), { ok: false, message: 'expected object' })
})

test('rejects an input that is not an object schema', () => {
  for (const input of [{}, { type: 'string' }, { city: 'string' }]) {
    assert.throws(() => defineTool({ name: 'at', description: '', input, run: () => null }), {
      code: 'INVALID_DEFINITION',
      message: /give a Standard Schema/,
    })
  }
})
