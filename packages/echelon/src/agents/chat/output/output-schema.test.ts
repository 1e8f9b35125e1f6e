import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { z } from 'zod'
import { toJsonSchema } from '../../../core/schema/schema.ts'
import { strictSchema, withoutFillers } from './output-schema.ts'

const INVOICE = z.object({
  number: z.string(),
  note: z.string().optional(),
  paid: z.boolean().default(false),
  due: z.iso.date().nullable(),
  site: z.url().describe('where it is'),
  lines: z.array(
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('item'), price: z.number().int(), tag: z.string().optional() }),
      z.object({ kind: z.literal('text'), text: z.string().nullish() }),
    ]),
  ),
})

describe('the schema on the wire', () => {
  test('closes objects, requires every property and lets optional ones be null', () => {
    const note = { anyOf: [{ type: 'string' }, { type: 'null' }] }
    assert.deepEqual(strictSchema(toJsonSchema(z.object({ note: z.string().optional() }))), {
      type: 'object',
      properties: { note },
      required: ['note'],
      additionalProperties: false,
    })
  })

  test('moves a format that is not sent into the description', () => {
    const { properties } = strictSchema(toJsonSchema(z.object({ at: z.url().describe('where') })))
    assert.deepEqual(properties, { at: { type: 'string', description: 'where (uri)' } })
  })

  test('adds null to an existing union', () => {
    const either = z.object({
      id: z.union([z.string(), z.number()]).optional(),
      size: z.union([z.string().max(2), z.number()]).optional(),
    })
    assert.deepEqual(strictSchema(toJsonSchema(either))['properties'], {
      id: { type: ['string', 'number', 'null'] },
      size: { anyOf: [{ type: 'string', maxLength: 2 }, { type: 'number' }, { type: 'null' }] },
    })
  })

  test('leaves objects with any keys open', () => {
    const strict = strictSchema(toJsonSchema(z.object({ by: z.record(z.string(), z.number()) })))
    assert.deepEqual(strict['properties'], {
      by: { type: 'object', additionalProperties: { type: 'number' } },
    })
  })

  test('keeps a recursive schema', () => {
    const node = z.object({
      name: z.string(),
      get next() {
        return node.optional()
      },
    })
    const json = toJsonSchema(node)
    const next = { anyOf: [{ $ref: '#' }, { type: 'null' }] }
    assert.deepEqual(strictSchema(json)['properties'], { name: { type: 'string' }, next })
    assert.deepEqual(withoutFillers(json, { name: 'a', next: { name: 'b', next: null } }), {
      name: 'a',
      next: { name: 'b' },
    })
  })
})

describe('nulls in an answer', () => {
  const cleaned = (value: Parameters<typeof withoutFillers>[1]) =>
    withoutFillers(toJsonSchema(INVOICE), value)

  test('are dropped if they mean an absent property, at any depth', () => {
    const lines = [{ kind: 'item', price: 1, tag: null }]
    assert.deepEqual(cleaned({ number: '7', note: null, paid: null, lines }), {
      number: '7',
      lines: [{ kind: 'item', price: 1 }],
    })
  })

  test('stay if the schema allows them, and if they are wrong', () => {
    const wrong = { number: null, due: null, lines: [{ kind: 'text', text: null }], more: null }
    assert.deepEqual(cleaned(wrong), wrong)
  })
})
