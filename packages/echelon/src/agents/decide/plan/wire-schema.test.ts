import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { Ajv } from 'ajv'
import * as fc from 'fast-check'
import { z } from 'zod'
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../../core/value/json.ts'
import { defineTool } from '../../../core/tool/tool.ts'
import { readPlan } from './plan.ts'
import { wireSchema } from './wire-schema.ts'

const nothing = (): null => null
const TOOLS = [
  defineTool({
    name: 'calculator',
    description: 'Computes.',
    input: z.strictObject({ expr: z.string().min(1) }),
    run: nothing,
  }),
  defineTool({
    name: 'calendar',
    description: 'Finds dates.',
    input: z.strictObject({ query: z.string(), today: z.iso.date().optional() }),
    run: nothing,
  }),
  defineTool({
    name: 'numeric_analysis',
    description: 'Averages.',
    input: z.strictObject({
      series: z.array(z.strictObject({ date: z.string(), close: z.number().positive() })),
      window: z.int().min(1).default(7),
    }),
    run: nothing,
  }),
]
const schema = wireSchema(TOOLS, 3)
const fits = new Ajv({ strict: true, allowUnionTypes: true }).compile(schema)

/** A schema and all schemas inside it. */
function* schemasIn(value: Json): Generator<JsonObject> {
  if (isJsonArray(value)) for (const inner of value) yield* schemasIn(inner)
  if (!isJsonObject(value)) return
  yield value
  for (const inner of Object.values(value)) yield* schemasIn(inner)
}

const row = fc.record({ date: fc.string(), close: fc.double({ min: 0.01, max: 1e6, noNaN: true }) })
const reference = fc.constantFrom('$1.series', '$2.value')
const nullable = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> =>
  fc.option(value, { nil: null })
const action = fc.oneof(
  fc.record({
    tool: fc.constant('calculator'),
    args: fc.record({ expr: fc.oneof(fc.string({ minLength: 1 }), reference) }),
  }),
  fc.record({
    tool: fc.constant('calendar'),
    args: fc.record({ query: fc.string(), today: nullable(fc.constant('2025-09-08')) }),
  }),
  fc.record({
    tool: fc.constant('numeric_analysis'),
    args: fc.record({
      series: fc.oneof(fc.array(row), reference),
      window: nullable(fc.oneof(fc.integer({ min: 1, max: 99 }), reference)),
    }),
  }),
)

suite('the schema on the wire', () => {
  test('is a strict JSON Schema with an object at the root', () => {
    assert.equal(schema['type'], 'object')
  })

  test('[DD-3] has closed objects only, every property required', () => {
    const objects = [...schemasIn(schema)].filter((one) => one['type'] === 'object')
    assert.equal(objects.length, 1 + 2 * TOOLS.length + 1)
    for (const { properties, required, additionalProperties } of objects) {
      assert.equal(additionalProperties, false)
      assert.deepEqual(required, Object.keys(Object(properties)))
    }
  })

  test('holds no keyword that strict formats refuse', () => {
    const keywords = new Set([...schemasIn(schema)].flatMap((one) => Object.keys(one)))
    for (const refused of ['$schema', 'default', 'format', 'propertyNames', 'oneOf', 'allOf']) {
      assert.ok(!keywords.has(refused), refused)
    }
  })

  test('accepts every plan for the tools that `readPlan` accepts', () => {
    fc.assert(
      fc.property(fc.array(action, { minLength: 1, maxLength: 3 }), (actions) => {
        const answer = { actions, cannot: null }
        assert.ok(fits(answer), JSON.stringify(fits.errors))
        const hasForward = actions.some(({ args }, index) =>
          Object.values(args).some((one) => typeof one === 'string' && Number(one[1]) > index),
        )
        if (!hasForward) assert.equal(readPlan(JSON.stringify(answer)).type, 'plan')
      }),
    )
  })

  test('accepts a decline', () => {
    assert.ok(fits({ actions: null, cannot: 'it is about the weather' }))
  })

  test('accepts nothing else', () => {
    const one = (tool: string, args: JsonObject): JsonObject => ({
      actions: [{ tool, args }],
      cannot: null,
    })
    const calc = { tool: 'calculator', args: { expr: '1' } }
    for (const wrong of [
      [calc],
      { actions: [calc] },
      { actions: [], cannot: null },
      { actions: [calc, calc, calc, calc], cannot: null },
      { actions: [{ ...calc, id: 1 }], cannot: null },
      { actions: [calc], cannot: null, why: '' },
      one('rm', { path: '/' }),
      one('calculator', {}),
      one('calculator', { expr: 1 }),
      one('calculator', { expr: '1', more: 1 }),
      one('calendar', { query: 'today' }),
      one('numeric_analysis', { series: '$1', window: null }),
      one('numeric_analysis', { series: [{ date: 'x', close: 1, open: 1 }], window: null }),
      one('numeric_analysis', { series: [{ date: 'x' }], window: null }),
    ]) {
      assert.ok(!fits(wrong), JSON.stringify(wrong))
    }
  })

  test('keeps the names of nested properties, even those that look like keywords', () => {
    const odd = defineTool({
      name: 'odd',
      description: 'Odd.',
      input: z.strictObject({ inner: z.strictObject({ format: z.string(), default: z.int() }) }),
      run: nothing,
    })
    const fitsOdd = new Ajv({ strict: true, allowUnionTypes: true }).compile(wireSchema([odd], 3))
    const inner = { format: 'a', default: 1 }
    assert.ok(fitsOdd({ actions: [{ tool: 'odd', args: { inner } }], cannot: null }))
    assert.ok(!fitsOdd({ actions: [{ tool: 'odd', args: { inner: {} } }], cannot: null }))
  })
})
