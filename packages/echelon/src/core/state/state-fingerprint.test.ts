import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { z } from 'zod'
import { fingerprintRefusals, fingerprintsOf } from './state-fingerprint.ts'
import { slotOf } from './state-slot.ts'
import type { StateSchema, StateSlot } from './state.ts'

/** A slot for a state; its initial value does not matter here. */
const slot = (schema: StateSchema<unknown>, version = 1, key = 'app/counter'): StateSlot => ({
  ...slotOf(key, { version, schema: z.unknown(), initial: null }),
  jsonSchema: slotOf(key, { version, schema: z.object({ it: schema }).partial(), initial: {} })
    .jsonSchema,
})

const refusals = (
  before: StateSchema<unknown>,
  now: StateSchema<unknown>,
  version = 1,
): readonly string[] => fingerprintRefusals(fingerprintsOf([slot(before)]), [slot(now, version)])

const Base = z.object({
  count: z.record(z.string(), z.number()),
  last: z.object({ tool: z.string(), at: z.int().optional() }),
})

describe('the fingerprint of states', () => {
  test('lists their versions and shapes, ordered by key', () => {
    const slots = [slot(z.number(), 2, 'b/x'), slot(Base, 1, 'a/x')]
    const fingerprints = fingerprintsOf(slots)
    assert.deepEqual(Object.entries(fingerprints), [
      [
        'a/x',
        {
          version: 1,
          shape: ['it?.count.*: number', 'it?.last.at?: integer', 'it?.last.tool: string'],
        },
      ],
      ['b/x', { version: 2, shape: ['it?: number'] }],
    ])
    assert.deepEqual(fingerprintRefusals(fingerprints, slots), [])
  })

  const broken: readonly (readonly [string, StateSchema<unknown>, RegExp])[] = [
    ['a field is removed', Base.omit({ count: true }), /it\?\.count\.\*: number is gone;/],
    [
      'a field is renamed',
      Base.omit({ count: true }).extend({ counts: Base.shape.count }),
      /count\.\*: number is gone; it\?\.counts\.\*: number is new, and stored states lack it;/,
    ],
    [
      'a type changes',
      Base.extend({ last: Base.shape.last.extend({ tool: z.number() }) }),
      /last\.tool: string is now it\?\.last\.tool: number;/,
    ],
    [
      'a whole number becomes any number',
      Base.extend({ last: Base.shape.last.extend({ at: z.number().optional() }) }),
      /at\?: integer is now it\?\.last\.at\?: number;/,
    ],
    [
      'a record becomes a list',
      Base.extend({ count: z.array(z.number()) }),
      /count\.\*: number is gone; it\?\.count\[\]: number is new/,
    ],
    [
      'a field more must be there',
      Base.extend({ since: z.number() }),
      /since: number is new, and stored states lack it;/,
    ],
    [
      'a field more must be there in one that may be absent',
      Base.extend({ last: Base.shape.last.extend({ by: z.string() }) }),
      /last\.by: string is new/,
    ],
    [
      'what might be absent must be there',
      Base.extend({ last: Base.shape.last.required() }),
      /last\.at\?: integer must now be there;/,
    ],
    [
      'an object may be null',
      Base.extend({ last: Base.shape.last.nullable() }),
      /last\.at\?: integer is gone; it\?\.last\.tool: string is gone;/,
    ],
  ]
  for (const [name, schema, reason] of broken) {
    test(`[C-29] without a new version it refuses that ${name}`, () => {
      const [refusal = '', ...more] = refusals(Base, schema)
      assert.deepEqual(more, [])
      assert.match(refusal, /^the state of app\/counter has another shape but still version 1: /)
      assert.match(refusal, reason)
      assert.match(refusal, /; raise its version to 2 and add migrate\[1\]$/)
      assert.deepEqual(refusals(Base, schema, 2), [])
    })
  }

  const kept: readonly (readonly [string, StateSchema<unknown>])[] = [
    ['a field more that may be absent', Base.extend({ reason: z.string().optional() })],
    ['a field more with a default', Base.extend({ since: z.number().default(0) })],
    [
      'a part more that may be absent, whatever must be in it',
      Base.extend({ why: z.object({ code: z.number() }).optional() }),
    ],
    ['a list more with a default', Base.extend({ seen: z.array(z.string()).default([]) })],
    ['a field that may be absent now', Base.partial()],
    ['another order of fields', z.object({ last: Base.shape.last, count: Base.shape.count })],
    ['a bound', Base.extend({ count: z.record(z.string(), z.number().max(5)) })],
    ['a description', Base.describe('counts')],
  ]
  for (const [name, schema] of kept) {
    test(`[C-29] lets pass ${name}`, () => {
      assert.deepEqual(refusals(Base, schema), [])
    })
  }

  test('an empty object may gain optional fields, but not lose them again', () => {
    const empty = z.object({ more: z.object({}) })
    const filled = z.object({ more: z.object({ a: z.number().optional() }) })
    assert.deepEqual(refusals(empty, filled), [])
    assert.match(refusals(filled, empty)[0] ?? '', /more\.a\?: number is gone/)
  })

  test('a version that goes back is rejected', () => {
    const committed = fingerprintsOf([slot(Base, 3)])
    const [refusal] = fingerprintRefusals(committed, [slot(Base, 2)])
    assert.match(refusal ?? '', /went back from version 3 to 2; use a version above 3/)
  })

  test('a new or removed state is accepted', () => {
    assert.deepEqual(fingerprintRefusals({}, [slot(Base)]), [])
    assert.deepEqual(fingerprintRefusals(fingerprintsOf([slot(Base)]), []), [])
  })
})
