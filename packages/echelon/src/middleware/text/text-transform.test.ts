import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { testHost } from '../../testing/middleware-host.ts'
import { transformText, type TextTransformOptions } from './text-transform.ts'

/** What becomes of a text that comes in these pieces, and after which piece what was said. */
function said(options: TextTransformOptions, pieces: readonly string[]): readonly string[] {
  const voice = transformText(options).stream?.(testHost())
  assert.ok(voice !== undefined)
  return [...pieces.map((piece) => voice.text(piece)), voice.end?.() ?? '']
}

const through = (options: TextTransformOptions, ...pieces: readonly string[]): string =>
  said(options, pieces).join('')

describe('[C-34] the text of an answer is changed as it comes', () => {
  test('a text and a pattern are replaced, also where pieces meet', () => {
    const replace = [
      { find: 'colour', with: 'color' },
      { find: /\bfoo(\d+)\b/i, with: (found: string) => `<${found.toLowerCase()}>` },
      { find: ' (sic)' },
    ]
    const pieces = ['The col', 'our of F', 'OO', '17 (s', 'ic), not food1']
    assert.equal(through({ replace }, ...pieces), 'The color of <foo17>, not food1')
  })

  test('what is masked keeps its end', () => {
    assert.equal(
      through({ mask: [/\d{4}-\d{4}/, 'secret'], keep: 4 }, 'card 1234-5', '678, secret'),
      'card *****5678, **cret',
    )
  })

  test('from a marker on nothing is said, whatever follows', () => {
    const options = { cutAt: ['###', '<end>'], replace: [{ find: 'a', with: 'b' }] }
    assert.equal(
      through(options, 'banana #', '# an', 'd ##', '# more', ' a <end>'),
      'bbnbnb ## bnd ',
    )
  })

  test('what was written instead is not looked at again', () => {
    assert.equal(through({ replace: [{ find: 'a', with: 'aa' }] }, 'aba'), 'aabaa')
  })

  test('no more is held back than may still become a find', () => {
    assert.deepEqual(said({ cutAt: '###' }, ['one ', 'two #', ' three']), [
      'one ',
      'two ',
      '# three',
      '',
    ])
    const [first] = said({ mask: [/\d+/], longest: 8 }, ['x'.repeat(100)])
    assert.equal(first?.length, 93)
  })

  test('a pattern longer than the longest is taken for its beginning', () => {
    assert.equal(through({ mask: [/\d+/], longest: 4 }, '1234567 x'), '******* x')
    assert.equal(through({ mask: [/\d{5}/], longest: 4 }, '12345'), '12345')
  })
})

const TEXT = fc.string({ unit: fc.constantFrom('a', 'b', '#', '1', '2', ' ', '\u{1f600}', 'ä') })

test('[C-34] however a text is cut into pieces, the result is the same', () => {
  const options: TextTransformOptions = {
    replace: [
      { find: 'ab', with: 'X' },
      { find: /\bb+(?=\d)/u, with: 'Y' },
    ],
    mask: [/[12]{2,}/, /\u{1f600}\u{1f600}/u],
    keep: 1,
    cutAt: '##1',
    longest: 5,
  }
  const cuts = fc.array(fc.nat({ max: 40 }), { maxLength: 12 })
  fc.assert(
    fc.property(TEXT, cuts, (text, places) => {
      const sorted = [0, ...places.toSorted((a, b) => a - b), text.length]
      const pieces = sorted.map((from, index) => text.slice(from, sorted[index + 1]))
      assert.equal(through(options, ...pieces), through(options, text))
    }),
    { numRuns: 2000 },
  )
})

test('[C-34] what is said never ends in half a character', () => {
  fc.assert(
    fc.property(TEXT, (text) => {
      for (const piece of said({ mask: ['1'] }, text.split(''))) assert.ok(piece.isWellFormed())
    }),
  )
})

test('options that cannot work are refused', () => {
  const invalid = { code: 'INVALID_CONFIG', message: /^transformText: / }
  for (const options of [
    {},
    { mask: [''] },
    { cutAt: '' },
    { mask: ['x'], keep: -1 },
    { mask: [/x/], longest: 5000 },
  ]) {
    assert.throws(() => transformText(options), invalid)
  }
})
