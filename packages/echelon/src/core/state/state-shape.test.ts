import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { z } from 'zod'
import { toJsonSchema } from '../schema/schema.ts'
import { readLine, shapeOf } from './state-shape.ts'
import type { StateSchema } from './state.ts'

const shape = (schema: StateSchema<unknown>): readonly string[] => shapeOf(toJsonSchema(schema))

const Tree = z.object({
  value: z.number(),
  get children() {
    return z.array(Tree)
  },
})

describe('the shape of a state', () => {
  const rows: readonly (readonly [string, StateSchema<unknown>, readonly string[]])[] = [
    ['plain fields', z.object({ b: z.string(), a: z.int() }), ['a: integer', 'b: string']],
    ['a record', z.object({ count: z.record(z.string(), z.number()) }), ['count.*: number']],
    [
      'what may be absent or has a default',
      z.object({ reason: z.string().optional(), since: z.number().default(0) }),
      ['reason?: string', 'since?: number'],
    ],
    [
      'nested objects and arrays',
      z.object({ items: z.array(z.object({ at: z.object({ x: z.number() }) })) }),
      ['items[].at.x: number'],
    ],
    [
      'an array in what may be absent',
      z.object({ list: z.array(z.array(z.string())).optional() }),
      ['list?[][]: string'],
    ],
    [
      'a tuple',
      z.object({ at: z.tuple([z.number(), z.string()]) }),
      ['at[0]: number', 'at[1]: string'],
    ],
    [
      'a tuple with more',
      z.object({ at: z.tuple([z.number()], z.string()) }),
      ['at[0]: number', 'at[]: string'],
    ],
    ['nothing in it', z.object({ more: z.object({}) }), ['more: object']],
    ['what may be null', z.object({ last: z.string().nullable() }), ['last: null | string']],
    ['choices', z.object({ mode: z.enum(['on', 'off']) }), ['mode: "off" | "on"']],
    [
      'a union with objects',
      z.object({
        at: z.union([z.string(), z.object({ x: z.number(), y: z.number().optional() })]),
      }),
      ['at: string | { x: number; y?: number }'],
    ],
    ['a union with a list', z.union([z.array(z.string()), z.null()]), ['.: null | { []: string }']],
    [
      'what holds itself',
      Tree,
      ['children[].children[]: recursive', 'children[].value: number', 'value: number'],
    ],
    [
      'two that must both hold',
      z.intersection(z.object({ a: z.number() }), z.object({ b: z.string() })),
      ['a: number', 'b: string'],
    ],
    ['what may hold more', z.looseObject({ a: z.number() }), ['a: number']],
    ['anything', z.object({ data: z.record(z.string(), z.unknown()) }), ['data.*: any']],
    ['a name of several words', z.object({ 'a.b? c': z.number() }), ['"a.b? c": number']],
    ['no object', z.number(), ['.: number']],
    ['a list', z.array(z.number()), ['[]: number']],
    ['a record alone', z.record(z.string(), z.boolean()), ['*: boolean']],
  ]
  for (const [name, schema, lines] of rows) {
    test(`has lines for ${name}`, () => {
      assert.deepEqual(shape(schema), lines)
    })
  }

  test('follows references by name; one that leads nowhere allows any value', () => {
    const schema = {
      type: 'object',
      properties: { a: { $ref: '#/definitions/x~1y' }, b: { $ref: '#/definitions/none' } },
      required: ['a', 'b'],
      definitions: { 'x/y': { type: 'string' } },
    }
    assert.deepEqual(shapeOf(schema), ['a: string', 'b: any'])
  })

  test('treats a list of types as a union, each with its own constraints', () => {
    const last = {
      type: ['object', 'null'],
      properties: { code: { type: 'string' } },
      required: ['code'],
    }
    const schema = { type: 'object', properties: { last }, required: ['last'] }
    assert.deepEqual(shapeOf(schema), ['last: null | { code: string }'])
    const mode = { type: ['string', 'null'], enum: ['on', null] }
    assert.deepEqual(shapeOf({ ...schema, properties: { last: mode } }), ['last: "on" | null'])
  })

  test('each line can be parsed again', () => {
    for (const line of rows.flatMap(([, , lines]) => lines)) {
      const read = readLine(line)
      assert.ok(read !== undefined, line)
      assert.ok(line.endsWith(`: ${read.type}`))
    }
    assert.deepEqual(readLine('list?[].a: number'), {
      steps: [
        { name: 'list', optional: true },
        { name: '[]', optional: false },
        { name: 'a', optional: false },
      ],
      type: 'number',
    })
    for (const wrong of ['', 'a', ': number', 'a b: number', 'a:number']) {
      assert.equal(readLine(wrong), undefined, wrong)
    }
  })

  test('any field name is one step', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (name) => {
        const [line = ''] = shapeOf({
          type: 'object',
          properties: Object.fromEntries([[name, { type: 'number' }]]),
          required: [name],
        })
        assert.equal(readLine(line)?.steps.length, 1, line)
      }),
    )
  })
})
