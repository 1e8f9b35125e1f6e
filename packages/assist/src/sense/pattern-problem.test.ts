import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { weighPatterns } from './own-words.ts'
import { patternProblem } from './pattern-problem.ts'

describe('a pattern of an intent', () => {
  test('made of words, choices, sets and limited repetitions is valid', () => {
    for (const pattern of [
      '\\b(?:football|offside|world cup)\\b',
      'kids? (?:are|is) asleep',
      '^stop[.! ]*$',
      '\\bbuy\\b.{0,40}\\bcrypto',
      '(?:very )?tired',
      '[a-z]+ing enough',
      '\\(sic\\)+',
    ]) {
      assert.equal(patternProblem(pattern), null, pattern)
    }
  })

  test('that is invalid, matches nothing, or may take forever is reported', () => {
    const cases: readonly (readonly [string, RegExp])[] = [
      ['(', /not a regular expression/],
      ['a*', /matches nothing at all/],
      ['(a+)+$', /repeats what repeats/],
      ['((a+))+$', /repeats what repeats/],
      ['(?:a{0,40}){0,40}b', /repeats what repeats/],
      ['(?:a|a)+$', /repeats a choice/],
      ['x.*y.*z', /repeats too much/],
      ['(?:a?){1000}b', /repeats too much/],
      ['(a)\\1', /refers to what it matched/],
      ['x'.repeat(301), /more than 300 characters/],
    ]
    for (const [pattern, problem] of cases) assert.match(patternProblem(pattern) ?? '', problem)
  })

  test('is found anywhere in a long text, in bounded time', () => {
    const text = `${'a '.repeat(9_000)}offside`
    assert.equal(weighPatterns(text, ['offside']).evidence, 'offside')
    assert.equal(weighPatterns('a'.repeat(20_000), ['aa?a?.*b']).confidence, 0)
  })
})
