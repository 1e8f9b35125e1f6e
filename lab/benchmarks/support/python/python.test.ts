import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { PyError } from './value.ts'
import { round2 } from './arithmetic.ts'
import { calculate } from './calculate.ts'
import { sha256, tupleText } from './hash.ts'
import { dumps, parsePython } from './json.ts'
import { floatText, repr } from './text.ts'

/** Every kind of leaf; what follows of it was printed by CPython 3.11. */
const LEAVES = String.raw`{"b": [1, 1.0, -0.0, 1e+16, 1e-05, 2.675, null, true, false], "a": {"x": []}, "c": ["it's", "say \"hi\"", "both ' and \"", "tab\tnew\nback\\", "\u001b\u200b\udb40\udc01 \u00e9\ud83d\ude00\u00a0\u007f"]}`

suite('what Python prints', () => {
  test('json.dumps prints what json.loads read, ints and floats apart, keys in their order', () => {
    assert.equal(dumps(parsePython(LEAVES)), LEAVES)
    const numbered =
      '{"20": 1, "3": {"x": ": \\"y\\": "}, "100": 250.0, "__proto__": 12345678901234567890}'
    assert.equal(dumps(parsePython(numbered)), numbered)
    assert.equal(
      dumps(parsePython('{"b":1,"a":"é"}'), { sortKeys: true, item: ',', key: ':', ascii: false }),
      '{"a":"é","b":1}',
    )
  })

  test('str of sorted tuples, and its hash', () => {
    const wanted = String.raw`(('a', (('x', ()),)), ('b', (1, 1.0, -0.0, 1e+16, 1e-05, 2.675, None, True, False)), ('c', ("it's", 'say "hi"', 'both \' and "', 'tab\tnew\nback\\', '\x1b\u200b\U000e0001 é😀\xa0\x7f')))`
    const leaves = parsePython(LEAVES)
    assert.equal(tupleText(leaves), wanted)
    assert.equal(
      sha256(tupleText(leaves)),
      'bb732cdcfa4075873bdff21ac2d7216076293ef1c8952b727ea78d8eb3db3949',
    )
    assert.equal(
      tupleText(parsePython('{"a": {"b": 1, "c": []}}')),
      "(('a', (('b', 1), ('c', ()))),)",
    )
    assert.equal(repr(parsePython('{"a": [1, "b"]}')), "{'a': [1, 'b']}")
  })

  test('floats and their rounding', () => {
    const floats = [100000, 1e15, 1e22, 0.0001, 0.00001234, -2.5e-7, 12.319999999999993, 1e300]
    assert.deepEqual(floats.map(floatText), [
      '100000.0',
      '1000000000000000.0',
      '1e+22',
      '0.0001',
      '1.234e-05',
      '-2.5e-07',
      '12.319999999999993',
      '1e+300',
    ])
    const given = [2.675, 0.125, 0.375, -0.125, 1.005, 12.319999999999993, 1e22, 5n]
    assert.deepEqual(given.map(round2), [2.67, 0.12, 0.38, -0.12, 1, 12.32, 1e22, 5n])
  })
})

/** Each with what CPython 3.11 makes of it. */
const EXPRESSIONS: Readonly<Record<string, string>> = {
  '152 + 103': '255.0',
  ' 1': '1.0',
  '00': '0.0',
  '2**-1': '0.5',
  '2**0.5': '1.41',
  '-2**2': '-4.0',
  '2--2': '4.0',
  '3.': '3.0',
  '.5': '0.5',
  '7//2': '3.0',
  '-7//2': '-4.0',
  '7.5//2': '3.0',
  '1/3*3.0': '1.0',
  '(2 + 3) * 4.25': '21.25',
}

const MISTAKES: Readonly<Record<string, string>> = {
  '1/0': 'division by zero',
  '1.0/0': 'float division by zero',
  '1//0': 'integer division or modulo by zero',
  '1.0//0': 'float floor division by zero',
  '0**-1': '0.0 cannot be raised to a negative power',
  '10**400': 'int too large to convert to float',
  '10**400/1': 'integer division result too large for a float',
  '10.0**400': "(34, 'Numerical result out of range')",
  '(-8)**0.5': "float() argument must be a string or a real number, not 'complex'",
  '': 'invalid syntax (<string>, line 0)',
  '1 2': 'invalid syntax (<string>, line 1)',
  '(1 2)': 'invalid syntax. Perhaps you forgot a comma? (<string>, line 1)',
  '1+': 'invalid syntax (<string>, line 1)',
  '.': 'invalid syntax (<string>, line 1)',
  '1 .5': 'invalid syntax (<string>, line 1)',
  '2***3': 'invalid syntax (<string>, line 1)',
  '(1': "'(' was never closed (<string>, line 1)",
  '1)': "unmatched ')' (<string>, line 1)",
  '07': 'leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal integers (<string>, line 1)',
  '(2)(3)': "'int' object is not callable",
  '2.5(3)': "'float' object is not callable",
}

suite('what Python calculates', () => {
  for (const [expression, wanted] of Object.entries(EXPRESSIONS)) {
    test(`${expression} is ${wanted}`, () => assert.equal(calculate(expression), wanted))
  }
  for (const [expression, wanted] of Object.entries(MISTAKES)) {
    test(`${expression} raises: ${wanted}`, () => {
      assert.throws(
        () => calculate(expression),
        (error) => error instanceof PyError && error.message === wanted,
      )
    })
  }
})
