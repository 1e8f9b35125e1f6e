import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import {
  copyJson,
  isJson,
  isJsonArray,
  isJsonObject,
  isRecord,
  type Json,
  sameJson,
} from './json.ts'

const json: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constant(null),
    fc.boolean(),
    fc.string(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.string(), tie('value'), { maxKeys: 4 }),
  ),
})).value

/** Reverses the order of keys at every level. */
function reversed(value: Json): Json {
  if (isJsonArray(value)) return value.map(reversed)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, inner]): [string, Json] => [key, reversed(inner)])
      .toReversed(),
  )
}

test('every JSON value is JSON', () => {
  fc.assert(fc.property(json, (value) => assert.ok(isJson(value))))
})

test('any value that isJson accepts survives a round trip through JSON', () => {
  const anything = fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withSparseArray: true,
    withTypedArray: true,
    withBoxedValues: true,
    withObjectString: true,
  })
  fc.assert(
    fc.property(anything, (value) => {
      if (!isJson(value)) return
      const back: unknown = JSON.parse(JSON.stringify(value))
      assert.ok(isJson(back))
      assert.ok(sameJson(back, isJsonObject(value) || isJsonArray(value) ? defined(value) : value))
    }),
    { numRuns: 2000 },
  )
})

test('copyJson copies the values that isJson accepts, like a round trip through JSON', () => {
  fc.assert(
    fc.property(fc.anything({ withNullPrototype: true, withSparseArray: true }), (value) => {
      const copy = copyJson(value)
      assert.equal(copy !== undefined, isJson(value))
      if (copy === undefined) return
      const round: unknown = JSON.parse(JSON.stringify(value))
      assert.ok(isJson(round))
      assert.ok(sameJson(copy, round))
    }),
    { numRuns: 2000 },
  )
})

test('copyJson shares no object or prototype with its source', () => {
  const given = { a: [{ b: 1 }], gone: undefined }
  const copy = copyJson(given)
  given.a[0] = { b: 2 }
  assert.deepEqual(copy, { a: [{ b: 1 }] })
  const named = copyJson(JSON.parse('{ "__proto__": { "polluted": true } }'))
  assert.equal(JSON.stringify(named), '{"__proto__":{"polluted":true}}')
  assert.equal(Object.getPrototypeOf(named), Object.prototype)
})

/** Without the keys that hold `undefined`. */
function defined(value: Json): Json {
  if (isJsonArray(value)) return value.map(defined)
  if (!isJsonObject(value)) return value
  const entries: [string, Json | undefined][] = Object.entries(value)
  return Object.fromEntries(
    entries.flatMap(([key, inner]) => (inner === undefined ? [] : [[key, defined(inner)]])),
  )
}

test('values that JSON cannot hold are rejected at any depth', () => {
  const cycle: Record<string, unknown> = {}
  cycle['self'] = cycle
  const sparse: unknown[] = [1]
  sparse[2] = 3
  const others: readonly unknown[] = [
    undefined,
    Number.NaN,
    Infinity,
    1n,
    Symbol('a'),
    () => 1,
    new Date(0),
    new Map(),
    new Uint8Array(2),
    new (class Point {
      readonly x = 1
    })(),
    [undefined],
    sparse,
    cycle,
    { toJSON: () => 'something else' },
  ]
  for (const [index, other] of others.entries()) {
    assert.ok(!isJson(other), `number ${index}`)
    assert.ok(!isJson({ inner: [other] }), `number ${index} inside`)
  }
  assert.ok(isJson({ gone: undefined }))
  assert.ok(isJson(Object.assign(Object.create(null), { a: 1 })))
})

test('depth is limited, so that no value can exhaust the stack', () => {
  const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)])
  assert.ok(isJson(nested(64)))
  assert.ok(!isJson(nested(65)))
})

test('sameJson is an equivalence that ignores the order of keys', () => {
  fc.assert(
    fc.property(json, json, (a, b) => {
      assert.ok(sameJson(a, reversed(a)))
      assert.ok(sameJson(reversed(a), a))
      assert.equal(sameJson(a, b), sameJson(b, a))
      const differ = JSON.stringify(sorted(a)) !== JSON.stringify(sorted(b))
      assert.equal(sameJson(a, b), !differ)
      assert.ok(!sameJson(a, [a]))
    }),
  )
  assert.ok(!sameJson([], {}))
  assert.ok(!sameJson(null, {}))
  assert.ok(!sameJson({ a: 1 }, { a: 1, b: 2 }))
  assert.ok(!sameJson({ a: 1, b: 2 }, { a: 1, c: 2 }))
  assert.ok(!sameJson({}, { constructor: 1 }))
  assert.ok(!sameJson({ toString: 1 }, { constructor: 1 }))
  assert.ok(sameJson(undefined, undefined))
  assert.ok(!sameJson(undefined, null))
})

function sorted(value: Json): Json {
  if (isJsonArray(value)) return value.map(sorted)
  if (!isJsonObject(value)) return value
  const keys = Object.keys(value).toSorted()
  return { sorted: keys.map((key) => [key, sorted(value[key] ?? null)]) }
}

test('arrays are not records', () => {
  assert.deepEqual([[], {}, null, 'a', undefined, 1].map(isRecord), [
    false,
    true,
    false,
    false,
    false,
    false,
  ])
})
