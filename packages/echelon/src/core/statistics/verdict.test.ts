import assert from 'node:assert/strict'
import test from 'node:test'
import { upperBound } from './share-bound.ts'
import { furtherCases, verdictOf } from './verdict.ts'

test('an interval passes, fails, or leaves a threshold open', () => {
  const interval = { low: 0.8, high: 0.9 }
  assert.equal(verdictOf(interval, 'at least', 0.8), 'PASS')
  assert.equal(verdictOf(interval, 'at least', 0.85), 'INCONCLUSIVE')
  assert.equal(verdictOf(interval, 'at least', 0.91), 'FAIL')
  assert.equal(verdictOf(interval, 'at most', 0.9), 'PASS')
  assert.equal(verdictOf(interval, 'at most', 0.85), 'INCONCLUSIVE')
  assert.equal(verdictOf(interval, 'at most', 0.7), 'FAIL')
})

test('an unknown bound decides nothing', () => {
  assert.equal(verdictOf({ low: null, high: null }, 'at least', 0), 'INCONCLUSIVE')
  assert.equal(verdictOf({ low: null, high: 0.1 }, 'at least', 0.5), 'FAIL')
})

test('a sum that is off in its last digits is on its threshold', () => {
  assert.equal(verdictOf({ low: 0.1 + 0.2, high: 1 }, 'at most', 1), 'PASS')
  assert.equal(verdictOf({ low: 0, high: 0.1 + 0.2 }, 'at most', 0.3), 'PASS')
})

test('the further cases are the fewest that decide', () => {
  const decides = (n: number): boolean => upperBound(0, n) <= 0.02
  assert.equal(furtherCases(0, decides), 149)
  assert.equal(furtherCases(100, decides), 49)
  assert.equal(furtherCases(200, decides), 0)
  assert.equal(
    furtherCases(10, () => false),
    undefined,
  )
})
