import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import * as fc from 'fast-check'
import { isJson, type Json } from './json.ts'
import { jsonForm } from './json-form.ts'

class Order {
  readonly id = 7
  readonly #secret = 'kept'
  get total(): number {
    return this.#secret.length
  }
}

const circle: Record<string, unknown> = { name: 'a' }
circle['self'] = circle

const shared = { n: 1 }

const unreadable = {
  ok: 1,
  get bad(): never {
    throw new Error('no')
  },
}

const nested = (levels: number): unknown => (levels === 0 ? 'deepest' : [nested(levels - 1)])

/** One row for each line of the rule. */
const ROWS: readonly (readonly [what: string, value: unknown, form: Json])[] = [
  ['nothing', undefined, null],
  ['a function', () => 1, null],
  ['a symbol', Symbol('s'), null],
  ['absent fields', { a: undefined, b: () => 1, c: 1 }, { c: 1 }],
  ['absent items', [undefined, 1], [null, 1]],
  // oxlint-disable-next-line no-sparse-arrays -- what a tool may give
  ['holes', [, 1], [null, 1]],
  ['numbers that JSON lacks', [NaN, Infinity, -Infinity], [null, null, null]],
  ['a date', new Date(0), '1970-01-01T00:00:00.000Z'],
  ['an invalid date', new Date(NaN), null],
  ['a URL', new URL('https://example.org/a'), 'https://example.org/a'],
  ['an instance', new Order(), { id: 7 }],
  ['a big number', 12_345_678_901_234_567_890n, '12345678901234567890'],
  ['a map by names', new Map([['a', 1n]]), { a: '1' }],
  ['a map by anything', new Map([[1, 'a']]), [[1, 'a']]],
  ['a set', new Set([1, 'a']), [1, 'a']],
  ['a typed array', new Float64Array([0.5, 2]), [0.5, 2]],
  ['bytes', Buffer.from('ab'), [97, 98]],
  ['a buffer', new ArrayBuffer(12), '[12 bytes]'],
  ['boxed values', [Object(1), Object('a'), Object(false), Object(2n)], [1, 'a', false, '2']],
  [
    'an error',
    new TypeError('no', { cause: new Error('why') }),
    { name: 'TypeError', message: 'no', cause: { name: 'Error', message: 'why' } },
  ],
  ['a circle', circle, { name: 'a', self: '[circular]' }],
  ['the same twice', [shared, shared, 1n], [{ n: 1 }, { n: 1 }, '1']],
  ['what cannot be read', [unreadable], ['[unreadable]']],
  [
    'a proxy that throws',
    new Proxy(
      {},
      {
        ownKeys() {
          throw new Error('no')
        },
      },
    ),
    '[unreadable]',
  ],
  ['toJSON that throws', { toJSON: () => assert.fail() }, '[unreadable]'],
  ['toJSON that gives nothing', { toJSON: () => undefined }, null],
  [
    'a name of the prototype',
    JSON.parse('{"__proto__":{"a":1}}'),
    JSON.parse('{"__proto__":{"a":1}}'),
  ],
]

suite('the JSON form of a value', () => {
  for (const [what, value, form] of ROWS) {
    test(`holds ${what}`, () => {
      assert.deepEqual(jsonForm(value), form)
      assert.ok(isJson(jsonForm(value)))
    })
  }

  test('is the same object if the value is JSON already', () => {
    const value = { a: [1, { b: null }] }
    assert.equal(jsonForm(value), value)
  })

  test('cuts off a value nested more than 64 levels deep', () => {
    assert.ok(isJson(jsonForm(nested(100))))
    assert.match(JSON.stringify(jsonForm(nested(100))), /^\[{64}"\[too deep\]"\]{64}$/)
  })

  test('is the result of JSON.stringify wherever that has one', () => {
    const value = fc.anything({ withDate: true, withNullPrototype: true, withSparseArray: true })
    fc.assert(
      fc.property(value, (given) => {
        assert.equal(JSON.stringify(jsonForm(given)), JSON.stringify(given) ?? 'null')
      }),
      { numRuns: 2000 },
    )
  })

  test('never throws and is always JSON', () => {
    const value = fc.anything({
      withBigInt: true,
      withBoxedValues: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withTypedArray: true,
      withSparseArray: true,
      maxDepth: 4,
    })
    fc.assert(
      fc.property(value, (given) => {
        assert.ok(isJson(jsonForm(given)))
      }),
      { numRuns: 2000 },
    )
  })
})
