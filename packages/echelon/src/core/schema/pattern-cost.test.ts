import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { waysToMatch } from './pattern-cost.ts'

suite('the ways in which a pattern can match', () => {
  test('counts the ways to match', () => {
    const ways: readonly (readonly [string, number])[] = [
      ['O-\\d{5}', 1],
      ['[A-Z]{2,4}', 3],
      ['a?b?', 4],
      ['a|b|cd?', 4],
      ['(?:ab?){2}', 4],
      ['[(|*]\\)\\p{L}x*', 101],
      ['(?<year>\\d{4})-\\d\\d', 1],
      ['(?:-[a-z]+)*', 101],
      ['(?<host>[a-z0-9-]+\\.)+', 101],
    ]
    for (const [pattern, count] of ways) assert.equal(waysToMatch(pattern, 100), count, pattern)
  })

  test('returns huge counts for nested repetitions', () => {
    for (const pattern of [
      '(a+)+',
      '(?:a|a)*',
      '(?:\\w+\\s?)*',
      'a*a*a*a*',
      '(x?){1000}',
      '(?:(?:a?){9}){9}',
      '(?:-[a-z-]+)*',
      '(?:,a*a*)*',
      '(?:[^a]+,)*',
      '(?:.+,)*',
    ]) {
      assert.ok(waysToMatch(pattern, 2_000) > 1e9, pattern)
    }
  })

  test("returns infinity for patterns that it can't count", () => {
    for (const pattern of ['(a)\\1', '(?<x>a)\\k<x>', '(a', 'a)', '[a', '('.repeat(5000)]) {
      assert.equal(waysToMatch(pattern, 2_000), Infinity, pattern)
    }
  })
})
