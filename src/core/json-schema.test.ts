import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import * as fc from 'fast-check'
import type { Json, JsonObject } from './json.ts'
import { jsonSchemaCheck } from './json-schema.ts'

const ajv = new Ajv2020({ strict: false, validateFormats: false })

/** Of each keyword one that bites often: values are drawn from the same few. */
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

/** Written out: a field called then makes an object look like a promise. */
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
    // ajv forgets what it found before an empty list in a loop: there its answer is no measure.
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
  test('takes and refuses what ajv takes and refuses', () => {
    fc.assert(
      fc.property(schema, value, (inner, given) => {
        const whole = { properties: { it: inner } }
        const isFit = jsonSchemaCheck(whole)({ it: given }).length === 0
        assert.equal(isFit, ajv.compile(structuredClone(whole))({ it: given }))
      }),
      { numRuns: 3000 },
    )
  })

  test('follows references, to itself too', () => {
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

  test('that is made to keep a program busy is given up, and the value with it', () => {
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
    for (const [given, against] of busy) {
      const before = process.cpuUsage()
      assert.deepEqual(messagesOf(given, against), [': takes too long to check; write less'])
      const { user, system } = process.cpuUsage(before)
      assert.ok(user + system < 10e6, `${(user + system) / 1000} ms`)
    }
  })

  test('has no pattern that some text would keep busy, and none for a text too long for it', () => {
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

  test('of a stranger lets any text and any name pass where it has patterns', () => {
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

  test('names the place and says what was expected', () => {
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

  test('tells 20 problems at most', () => {
    const issues = jsonSchemaCheck({ items: { type: 'string' } })(
      Array.from({ length: 99 }, () => 1),
    )
    assert.equal(issues.length, 20)
  })

  test('with a constraint that is not checked is refused, not passed over', () => {
    const rows: readonly (readonly [schema: JsonObject, message: RegExp])[] = [
      [{ properties: { a: { unevaluatedProperties: false } } }, /unevaluatedProperties is not/],
      [{ items: [{}] }, /write it as prefixItems/],
      [{ anyOf: [{ $ref: 'https://example.org/s' }] }, /leads out of the schema/],
      [{ $ref: '#/$defs/none' }, /leads to nothing/],
      [{ pattern: '(' }, /is no regular expression/],
      [{ not: 1 }, /stands where a schema belongs/],
    ]
    for (const [given, message] of rows) {
      assert.throws(() => jsonSchemaCheck(given), { code: 'INVALID_DEFINITION', message })
    }
  })
})
