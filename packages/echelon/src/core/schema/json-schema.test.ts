import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import * as fc from 'fast-check'
import { IS_WHOLE, share } from '../../../../../test/share.ts'
import { isJsonObject, type Json, type JsonObject } from '../value/json.ts'
import { jsonSchemaCheck } from './json-schema.ts'
import { plainSchema } from './plain-schema.ts'

const ajv = new Ajv2020({ strict: false, validateFormats: false })

/** For each keyword one value that often fails: test values come from the same few. */
const KEYWORDS: readonly JsonObject[] = [
  { type: 'object' },
  { type: ['string', 'null'] },
  { type: 'integer' },
  { type: 'boolean' },
  { type: 'array' },
  { enum: [1, 'a', [1], { a: 1 }] },
  { const: { a: 1, b: [1] } },
  { minimum: 1, maximum: 2 },
  { exclusiveMinimum: 0, exclusiveMaximum: 2 },
  { multipleOf: 0.5 },
  { minLength: 1, maxLength: 2 },
  { pattern: '^a' },
  { minItems: 1, maxItems: 2 },
  { uniqueItems: true },
  { required: ['a'] },
  { dependentRequired: { a: ['b'] } },
  { minProperties: 1, maxProperties: 1 },
  { additionalProperties: false },
  { format: 'date', title: 'said of it', default: 1 },
]

/** Spelled out, because a field named `then` makes an object look like a promise. */
const conditional = ([condition, yes, no]: readonly [Json, Json, Json]): Json =>
  JSON.parse(
    `{"if":${JSON.stringify(condition)},"then":${JSON.stringify(yes)},"else":${JSON.stringify(no)}}`,
  )

const leaf = fc.constantFrom(...KEYWORDS)
const { schema } = fc.letrec<{ schema: Json }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.boolean(),
    tie('schema').map((a) => ({ properties: { a }, additionalProperties: a })),
    tie('schema').map((a) => ({ properties: { b: a }, patternProperties: { '^[ab]$': a } })),
    tie('schema').map((a) => ({ propertyNames: { maxLength: 1 }, items: a })),
    tie('schema').map((a) => ({ prefixItems: [a, true], items: { type: 'integer' } })),
    // ajv loses earlier results before an empty list in a loop, so its answer can't be compared.
    tie('schema').map((a) => ({ minItems: 1, contains: a })),
    tie('schema').map((a) => ({ not: a })),
    fc.array(tie('schema'), { minLength: 1, maxLength: 3 }).map((all) => ({ allOf: all })),
    fc.array(tie('schema'), { minLength: 1, maxLength: 3 }).map((all) => ({ anyOf: all })),
    fc.array(tie('schema'), { minLength: 1, maxLength: 3 }).map((all) => ({ oneOf: all })),
    fc.tuple(tie('schema'), leaf, leaf).map(conditional),
    tie('schema').map((a) => ({ $defs: { a }, type: 'object', properties: { a: true } })),
  ),
}))

const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<Json>(null, true, 0, 1, 1.5, 2, 3, '', 'a', 'ab', 'b', '\u{1f600}\u{1f600}'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'cc'), tie('value'), {
      maxKeys: 3,
      noNullPrototype: true,
    }),
  ),
}))

const messagesOf = (given: JsonObject, against: Json): readonly string[] =>
  jsonSchemaCheck(given)(against).map(({ path, message }) => `${path.join('.')}: ${message}`)

suite('a JSON Schema', () => {
  test('accepts and rejects the same values as ajv', () => {
    fc.assert(
      fc.property(schema, value, (inner, given) => {
        const whole = { properties: { it: inner } }
        const isFit = jsonSchemaCheck(whole)({ it: given }).length === 0
        assert.equal(isFit, ajv.compile(structuredClone(whole))({ it: given }))
      }),
      { numRuns: IS_WHOLE ? 3000 : 100 },
    )
  })

  test('follows references, including circular ones', () => {
    const tree: JsonObject = {
      type: 'object',
      required: ['name'],
      properties: { name: { $ref: '#/$defs/a~1b' }, next: { $ref: '#' } },
      $defs: { 'a/b': { type: 'string' } },
    }
    assert.deepEqual(messagesOf(tree, { name: 'a', next: { name: 'b' } }), [])
    assert.deepEqual(messagesOf(tree, { name: 'a', next: { name: 1, next: {} } }), [
      'next.name: expected string',
      'next.next.name: is required',
    ])
    const forever = { allOf: [{ $ref: '#' }] }
    assert.deepEqual(messagesOf(forever, 1), [': is nested too deeply'])
  })

  test('gives up on a schema that would keep a program busy, and rejects the value', () => {
    const twice = (word: string, levels: number): JsonObject => ({
      $ref: '#/$defs/d0',
      $defs: Object.fromEntries(
        Array.from({ length: levels }, (_, level): [string, Json] => {
          const next: Json = { $ref: `#/$defs/d${level + 1}` }
          return [`d${level}`, level + 1 < levels ? { [word]: [next, next] } : { type: 'number' }]
        }),
      ),
    })
    const tree = { items: { anyOf: [{ $ref: '#' }, { $ref: '#' }] }, type: 'array' }
    const deep = Array.from({ length: 50 }).reduce<Json>((inner) => [inner], 'end')
    const texts = Array.from({ length: 50_000 }, (_, index) => `${index}`)
    const busy: readonly (readonly [JsonObject, Json])[] = [
      [twice('anyOf', 60), 'a'],
      [twice('oneOf', 60), 1],
      [tree, deep],
      [{ contains: { enum: texts } }, texts.map((text) => `${text}.`)],
      [{ anyOf: Array.from({ length: 2000 }, () => ({ uniqueItems: true, maxItems: 1 })) }, texts],
    ]
    for (const [given, against] of share(busy, 2)) {
      const before = process.cpuUsage()
      assert.deepEqual(messagesOf(given, against), [': takes too long to check; write less'])
      const { user, system } = process.cpuUsage(before)
      assert.ok(user + system < 10e6, `${(user + system) / 1000} ms`)
    }
  })

  const nested = (levels: number, wrap: (inner: Json) => Json): Json =>
    Array.from({ length: levels }).reduce<Json>((inner) => wrap(inner), true)

  test('rejects a schema without a nesting limit, and values nested too deeply', () => {
    const inObject = (inner: Json): JsonObject => ({ not: inner })
    const schemas: readonly JsonObject[] = [
      inObject(nested(20_000, inObject)),
      { items: nested(20_000, (items) => ({ items })) },
      { enum: [nested(20_000, (inner) => [inner])] },
      { const: nested(20_000, (inner) => [inner]) },
      { default: nested(20_000, (inner) => [inner]) },
    ]
    for (const given of schemas) {
      const refused = { code: 'INVALID_DEFINITION', message: /nested more than 200 levels deep/ }
      assert.throws(() => jsonSchemaCheck(given), refused)
      assert.throws(() => plainSchema('a', given), refused)
    }
    const deep = nested(20_000, (inner) => [inner])
    for (const given of [{}, { uniqueItems: true }, { const: [] }, { enum: [[[1]]] }]) {
      assert.deepEqual(messagesOf(given, [deep, deep]), [': is nested too deeply'])
    }
    const fine = nested(190, (inner) => [inner])
    assert.deepEqual(messagesOf({ const: fine }, fine), [])
  })

  test('stops on parts that are shared many times, without references too', () => {
    const shared = nested(30, (one) => ({ oneOf: [one, one] }))
    assert.ok(isJsonObject(shared))
    const refused = { code: 'INVALID_DEFINITION', message: /too large as it is written out/ }
    assert.throws(() => jsonSchemaCheck(shared), refused)
    assert.throws(() => plainSchema('a', { type: 'object', not: shared }), refused)
    assert.throws(() => jsonSchemaCheck({ default: nested(30, (one) => [one, one]) }), refused)
    const value = nested(30, (one) => [one, one])
    assert.deepEqual(messagesOf({ uniqueItems: true }, value), [
      ': takes too long to check; write less',
    ])
    const round: Record<string, Json> = {}
    round['not'] = round
    assert.throws(() => jsonSchemaCheck(round), { code: 'INVALID_DEFINITION' })
  })

  test('counts long lists of names, values and types', () => {
    const names = Array.from({ length: 20_000 }, (_, index) => `n${index}`)
    const fields = (of: Json): JsonObject => Object.fromEntries(names.map((name) => [name, of]))
    const wide = fields(1)
    const many = Array.from({ length: 20_000 }, () => ({ n0: 1 }))
    const rows: readonly (readonly [JsonObject, Json])[] = [
      [{ items: { dependentRequired: fields([]) } }, many],
      [{ items: { anyOf: [{ required: names }, true] } }, many],
      [{ items: { patternProperties: fields(true) } }, many],
      [{ items: { allOf: names.map(() => true) } }, many],
      [{ items: { anyOf: [{ type: names }, true] } }, many],
      [{ items: { anyOf: [{ enum: [names.join('')] }, true] } }, many],
      [{ enum: many }, wide],
    ]
    for (const [given, against] of share(rows, 2)) {
      const [issue] = jsonSchemaCheck(given, { patterns: 'passed' })(against)
      assert.equal(issue?.message, 'takes too long to check; write less')
    }
  })

  test('is checked behind every reference', () => {
    const to = (inner: Json): JsonObject => ({ $ref: '#/example/a', example: { a: inner } })
    assert.throws(() => jsonSchemaCheck(to({ pattern: '(' })), { code: 'INVALID_DEFINITION' })
    assert.throws(() => jsonSchemaCheck(to({ unevaluatedItems: false })), /is not supported/)
    assert.throws(() => jsonSchemaCheck(to(1)), /is in the place of a schema/)
    const chain = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, at): [string, Json] => [
        `a${at}`,
        { $ref: `#/example/a${at + 1}` },
      ]),
    )
    const long = { $ref: '#/example/a0', example: { ...chain, a20000: {} } }
    assert.deepEqual(messagesOf(long, 1), [': is nested too deeply'])
  })

  test('accepts prices as multiples of a cent', () => {
    for (const price of [0.07, 19.99, 4.35, 1.1, 1e21]) {
      assert.deepEqual(messagesOf({ multipleOf: 0.01 }, price), [])
    }
    assert.deepEqual(messagesOf({ multipleOf: 0.01 }, 0.075), [': is not a multiple of 0.01'])
  })

  test('rejects patterns that could run for too long, and texts too long for a pattern', () => {
    for (const pattern of [
      '(a+)+$',
      '(?:a|a)*$',
      '(a)\\1',
      '(?:x{900}){900}{900}',
      '(?:\\w+\\s?)*$',
    ]) {
      assert.throws(() => jsonSchemaCheck({ pattern }), /JSON Schema cannot be used: the pattern/)
      assert.throws(
        () => jsonSchemaCheck({ patternProperties: { [pattern]: true } }),
        /the pattern/,
      )
      assert.deepEqual(jsonSchemaCheck({ pattern }, { patterns: 'passed' })('b'), [])
    }
    const mail = { pattern: '^[^@\\s]+@(?:[a-z0-9-]+\\.)+[a-z]{2,}$' }
    assert.deepEqual(messagesOf(mail, 'ada@mail.example.org'), [])
    assert.deepEqual(messagesOf({ pattern: '^[a-z]+(?:-[a-z]+)*$' }, 'a-b-'.repeat(9)), [
      ': does not match "^[a-z]+(?:-[a-z]+)*$"',
    ])
    assert.deepEqual(messagesOf({ pattern: 'x.*y.*z' }, 'xy'.repeat(5000)), [
      ': takes too long to check; write less',
    ])
  })

  test('skips patterns in a schema from an untrusted source', () => {
    const check = jsonSchemaCheck(
      {
        properties: { pattern: { pattern: '(' } },
        patternProperties: { '(': false },
        additionalProperties: false,
      },
      { patterns: 'passed' },
    )
    assert.deepEqual(check({ pattern: 'a', other: 1 }), [])
  })

  test('names the place and what was expected', () => {
    const rows: readonly (readonly [schema: JsonObject, value: Json, message: string])[] = [
      [{ type: ['string', 'null'] }, 1, ': expected string or null'],
      [{ items: { enum: ['a', 1] } }, ['b'], '0: expected one of "a", 1'],
      [{ required: ['city'] }, {}, 'city: is required'],
      [{ additionalProperties: false }, { a: 1 }, 'a: is not a known property'],
      [
        { additionalProperties: { contains: {} } },
        { a: [1], b: [] },
        'b: lacks an item that it needs',
      ],
      [{ maxLength: 1 }, 'ab', ': has 2 characters and may have 1'],
      [{ oneOf: [true, {}] }, 1, ': fits several of the forms, of which only one may fit'],
    ]
    for (const [given, against, message] of rows) {
      assert.deepEqual(messagesOf(given, against), [message])
    }
  })

  test('reports at most 20 problems', () => {
    const issues = jsonSchemaCheck({ items: { type: 'string' } })(
      Array.from({ length: 99 }, () => 1),
    )
    assert.equal(issues.length, 20)
  })

  test('rejects constraints that are not supported instead of ignoring them', () => {
    const rows: readonly (readonly [schema: JsonObject, message: RegExp])[] = [
      [{ properties: { a: { unevaluatedProperties: false } } }, /unevaluatedProperties is not/],
      [{ items: [{}] }, /write it as prefixItems/],
      [{ anyOf: [{ $ref: 'https://example.org/s' }] }, /leads out of the schema/],
      [{ $ref: '#/$defs/none' }, /leads to nothing/],
      [{ pattern: '(' }, /is not a regular expression/],
      [{ not: 1 }, /is in the place of a schema/],
    ]
    for (const [given, message] of rows) {
      assert.throws(() => jsonSchemaCheck(given), { code: 'INVALID_DEFINITION', message })
    }
  })
})
