import assert from 'node:assert/strict'
import test from 'node:test'
import * as fc from 'fast-check'
import { lowerBound, upperBound } from './share-bound.ts'

const close = (actual: number, expected: number): void =>
  assert.ok(Math.abs(actual - expected) < 5.1e-5, `${actual} is not ${expected}`)

test('a bound of a share is Clopper and Pearson’s, as published tables have it', () => {
  // Newcombe 1998, table I, method 5: two-sided 95 % intervals, so that each side has 2.5 %.
  for (const [yes, of, low, high] of [
    [81, 263, 0.2527, 0.3676],
    [15, 148, 0.0578, 0.1617],
    [0, 20, 0, 0.1684],
    [1, 29, 0.0009, 0.1776],
  ] as const) {
    close(lowerBound(yes, of, 0.025), low)
    close(upperBound(yes, of, 0.025), high)
  }
})

test('no failure of n leaves 1 − .05^(1/n), about three of n', () => {
  for (const n of [1, 10, 149, 10_000]) close(upperBound(0, n), 1 - 0.05 ** (1 / n))
  assert.ok(upperBound(0, 149) < 0.02 && upperBound(0, 148) > 0.02)
})

test('nothing counted bounds nothing', () => {
  assert.deepEqual([upperBound(0, 0), lowerBound(0, 0)], [1, 0])
  assert.deepEqual([upperBound(5, 5), lowerBound(0, 5)], [1, 0])
})

test('bounds hold the share, tighten with n, and mirror each other', () => {
  const count = fc
    .integer({ min: 1, max: 400 })
    .chain((of) => fc.record({ of: fc.constant(of), yes: fc.integer({ min: 0, max: of }) }))
  fc.assert(
    fc.property(count, ({ yes, of }) => {
      const [low, high] = [lowerBound(yes, of), upperBound(yes, of)]
      assert.ok(low <= yes / of + 1e-9 && yes / of <= high + 1e-9)
      assert.ok(Math.abs(low - (1 - upperBound(of - yes, of))) < 1e-9)
      assert.ok(upperBound(10 * yes, 10 * of) <= high + 1e-9)
    }),
  )
})

test('a large count is bounded as the normal distribution has it', () => {
  const [yes, of] = [40_000, 100_000]
  const half = 1.645 * Math.sqrt((0.4 * 0.6) / of)
  assert.ok(Math.abs(upperBound(yes, of) - (0.4 + half)) < 1e-4)
})
