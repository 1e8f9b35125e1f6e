import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { canonicalJson } from './canonical-json.ts'
import { isJson } from './json.ts'

test('writes the example of RFC 8785 as the RFC does', () => {
  const value = {
    numbers: [333333333.3333333, 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
    string: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"/',
    literals: [null, true, false],
  }
  assert.equal(
    canonicalJson(value),
    String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
  )
})

test('property: its output parses and serializes to the same text, in any field order', () => {
  fc.assert(
    fc.property(fc.jsonValue({ depthSize: 'medium' }), (value) => {
      assert.ok(isJson(value))
      const written = canonicalJson(value)
      assert.equal(canonicalJson(JSON.parse(written)), written)
    }),
  )
  fc.assert(
    fc.property(fc.uniqueArray(fc.string(), { minLength: 1 }), (names) => {
      const forth = Object.fromEntries(names.map((name) => [name, name]))
      const back = Object.fromEntries(names.toReversed().map((name) => [name, name]))
      assert.equal(canonicalJson(forth), canonicalJson(back))
    }),
  )
})

test('leaves out a field without a value', () => {
  const value = Object.fromEntries([
    ['b', 1],
    ['a', undefined],
  ])
  assert.ok(isJson(value))
  assert.equal(canonicalJson(value), '{"b":1}')
})
