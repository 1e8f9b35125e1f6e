import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isStrict } from './strict-schema.ts'

const closed = (properties: object, required: readonly string[] = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})
const text = { type: 'string' }

test('accepts a schema whose objects are all closed and require every property', () => {
  const strict: readonly object[] = [
    closed({}),
    closed({ a: text, b: { type: ['number', 'null'] } }),
    closed({ list: { type: 'array', items: closed({ a: text }), minItems: 1 } }),
    closed({ either: { anyOf: [closed({ a: text }), { type: 'null' }] } }),
    { ...closed({ a: { $ref: '#/$defs/a' } }), $defs: { a: closed({ b: text }) } },
  ]
  for (const schema of strict) assert.ok(isStrict(schema), JSON.stringify(schema))
})

test('rejects a schema that leaves anything open at any depth', () => {
  const open = { type: 'object', properties: { a: text }, required: ['a'] }
  const loose: readonly unknown[] = [
    {},
    text,
    { anyOf: [closed({}), text] },
    open,
    { ...closed({}), additionalProperties: text },
    closed({ a: text, b: text }, ['a']),
    { type: 'object', properties: { a: text }, additionalProperties: false },
    closed({ a: open }),
    closed({ a: { type: ['object', 'null'], properties: {} } }),
    closed({ list: { type: 'array', items: open } }),
    closed({ either: { anyOf: [open, { type: 'null' }] } }),
    { ...closed({}), $defs: { a: open } },
    { ...closed({}), definitions: { a: open } },
    closed({ a: { allOf: [text] } }),
    closed({ a: { ...text, format: 'iri' } }),
    closed({ a: { ...text, default: '' } }),
    closed({ a: true }),
    undefined,
  ]
  for (const schema of loose) assert.ok(!isStrict(schema), JSON.stringify(schema))
})
