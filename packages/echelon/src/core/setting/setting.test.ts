import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import * as fc from 'fast-check'
import { nearest } from '../value/nearest.ts'
import {
  type Kind,
  oneOf,
  orNull,
  problemWith,
  real,
  setting,
  text,
  texts,
  whole,
  yesOrNo,
} from './setting.ts'

interface Row {
  readonly kind: Kind<unknown>
  readonly fits: readonly unknown[]
  readonly not: readonly unknown[]
  /** Texts and the values that they give. */
  readonly texts: readonly (readonly [string, unknown])[]
}

const KINDS: Readonly<Record<string, Row>> = {
  'a whole number': {
    kind: whole(0, 9),
    fits: [0, 9, 3, -0],
    not: [-1, 10, 1.5, NaN, Infinity, 2 ** 60, '3', null, true, [3], 3n],
    texts: [
      ['7', 7],
      ['+7', 7],
      ['seven', 'seven'],
      ['0x7', '0x7'],
      ['', ''],
      ['null', 'null'],
      ['Infinity', 'Infinity'],
    ],
  },
  'a number': {
    kind: real(0),
    fits: [0, 0.5, 1e300],
    not: [-0.1, NaN, Infinity, '0.5', null, {}],
    texts: [
      ['.5', 0.5],
      ['1e-3', 0.001],
      ['30s', '30s'],
    ],
  },
  'yes or no': {
    kind: yesOrNo,
    fits: [true, false],
    not: ['true', 1, 0, null, 'yes'],
    texts: [
      ['TRUE', true],
      ['false', false],
      ['yes', 'yes'],
    ],
  },
  'a text': {
    kind: text(),
    fits: ['a', ' a '],
    not: ['', ' ', 1, null, ['a']],
    texts: [['a', 'a']],
  },
  'one of several': {
    kind: oneOf(['a', 'b']),
    fits: ['a', 'b'],
    not: ['c', '', 'A', null, ['a']],
    texts: [['b', 'b']],
  },
  'a list': {
    kind: texts(),
    fits: [[], ['a', 'b']],
    not: ['a', [''], [1], [null], null, {}],
    texts: [
      ['a, b,', ['a', 'b']],
      ['', []],
    ],
  },
  'a list or null': {
    kind: orNull(texts()),
    fits: [null, []],
    not: ['null', 'a'],
    texts: [
      ['null', null],
      // An empty list allows nothing and null allows everything: an empty text must not widen access.
      ['', []],
    ],
  },
  'a number or null': {
    kind: orNull(whole()),
    fits: [null, -3],
    not: [undefined, 'null', ''],
    texts: [
      ['null', null],
      ['', ''],
      ['-3', -3],
    ],
  },
}

suite('a kind of setting', () => {
  for (const [name, { kind, fits, not, texts }] of Object.entries(KINDS)) {
    test(`takes ${name}, and nothing else`, () => {
      for (const value of fits) assert.ok(kind.fits(value), String(value))
      for (const value of not) assert.ok(!kind.fits(value), String(value))
    })
    test(`reads ${name} from a text`, () => {
      for (const [from, value] of texts) assert.deepEqual(kind.fromText(from), value, from)
    })
  }

  test('reads back every number that it writes', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        assert.equal(
          real().fromText(String(number)),
          number === 0 ? Number(String(number)) : number,
        )
      }),
    )
  })
})

suite('what is said of a wrong value', () => {
  const row = setting(whole(1, 3), 2, 'a number of things')

  test('names and quotes the value, and says what it must be', () => {
    assert.equal(problemWith('a.b', row, 2), null)
    const must = 'it must be a whole number from 1 to 3'
    assert.equal(problemWith('a.b', row, 'x'), `a.b is "x"; ${must}`)
    assert.equal(problemWith('A_B', row, NaN), `A_B is NaN; ${must}`)
    assert.equal(problemWith('a.b', row, undefined), `a.b is undefined; ${must}`)
    assert.equal(
      problemWith('a.b', setting(orNull(real(0)), null, ''), -1),
      'a.b is -1; it must be a number of at least 0, or null',
    )
  })

  test("stays short, and handles values that JSON can't hold", () => {
    const cyclic: unknown[] = []
    cyclic.push(cyclic)
    for (const value of ['x'.repeat(9999), cyclic, 3n, () => 0, Symbol('x'), new Map()]) {
      const problem = problemWith('a.b', row, value)
      assert.ok(problem !== null && problem.length < 160)
    }
  })

  test('never repeats a secret', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        const problem = problemWith('a.b', { ...row, secret: true }, value)
        assert.ok(problem === null || problem === 'a.b must be a whole number from 1 to 3')
      }),
    )
  })
})

test('finds the nearest word, or none if no word is near enough', () => {
  const words = ['max_seconds', 'max_tokens']
  assert.equal(nearest('max_second', words), 'max_seconds')
  assert.equal(nearest('MAX_TOKEN', words), 'max_tokens')
  assert.equal(nearest('colour', words), null)
  assert.equal(nearest('max_calls', words, 0.9), null)
})
