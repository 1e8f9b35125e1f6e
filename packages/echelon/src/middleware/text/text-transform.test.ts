import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { testRun } from '../../testing/middleware-run.ts'
import { transformText, type TextTransformOptions } from './text-transform.ts'

/** The result for a text that arrives in these pieces, and what was shown after each piece. */
function said(options: TextTransformOptions, pieces: readonly string[]): readonly string[] {
  const voice = transformText(options).stream?.(testRun())
  assert.ok(voice !== undefined)
  return [...pieces.map((piece) => voice.text(piece)), voice.end?.() ?? '']
}

const through = (options: TextTransformOptions, ...pieces: readonly string[]): string =>
  said(options, pieces).join('')

describe('[C-34] changing the text of an answer while it streams', () => {
  test('replaces texts and patterns, also across pieces', () => {
    const replace = [
      { find: 'colour', with: 'color' },
      { find: /\bfoo(\d+)\b/i, with: (found: string) => `<${found.toLowerCase()}>` },
      { find: ' (sic)' },
    ]
    const pieces = ['The col', 'our of F', 'OO', '17 (s', 'ic), not food1']
    assert.equal(through({ replace }, ...pieces), 'The color of <foo17>, not food1')
  })

  test('a mask keeps the end', () => {
    assert.equal(
      through({ mask: [/\d{4}-\d{4}/, 'secret'], keep: 4 }, 'card 1234-5', '678, secret'),
      'card *****5678, **cret',
    )
  })

  test('shows nothing after a cut marker', () => {
    const options = { cutAt: ['###', '<end>'], replace: [{ find: 'a', with: 'b' }] }
    assert.equal(
      through(options, 'banana #', '# an', 'd ##', '# more', ' a <end>'),
      'bbnbnb ## bnd ',
    )
  })

  test('does not search its own replacements', () => {
    assert.equal(through({ replace: [{ find: 'a', with: 'aa' }] }, 'aba'), 'aabaa')
  })

  test('holds back only text that may still become a match', () => {
    assert.deepEqual(said({ cutAt: '###' }, ['one ', 'two #', ' three']), [
      'one ',
      'two ',
      '# three',
      '',
    ])
    const [first] = said({ mask: [/\d+/], longest: 8 }, ['x'.repeat(100)])
    assert.equal(first?.length, 93)
  })

  test('cuts a match longer than the maximum', () => {
    assert.equal(through({ mask: [/\d+/], longest: 4 }, '1234567 x'), '******* x')
    assert.equal(through({ mask: [/\d{5}/], longest: 4 }, '12345'), '12345')
  })
})

const TEXT = fc.string({ unit: fc.constantFrom('a', 'b', '#', '1', '2', ' ', '\u{1f600}', 'ä') })

test('[C-34] the result is the same for any chunking', () => {
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

test('[C-34] what is shown never ends in half a surrogate pair', () => {
  fc.assert(
    fc.property(TEXT, (text) => {
      for (const piece of said({ mask: ['1'] }, text.split(''))) assert.ok(piece.isWellFormed())
    }),
  )
})

test('rejects invalid options', () => {
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
