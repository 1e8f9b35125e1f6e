import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import {
  meanDifference,
  meanOf,
  type Moments,
  NO_FIGURES,
  shareDifference,
  withFigure,
} from './difference.ts'

const close = (actual: number | null, expected: number, within = 5e-4): void =>
  assert.ok(actual !== null && Math.abs(actual - expected) < within, `${actual} is not ${expected}`)

const moments = (figures: readonly number[]): Moments => figures.reduce(withFigure, NO_FIGURES)

test('the interval of a difference of shares matches published tables', () => {
  // Newcombe 1998, table II, method 10.
  for (const [a, b, low, high] of [
    [{ yes: 56, of: 70 }, { yes: 48, of: 80 }, 0.0524, 0.3339],
    [{ yes: 9, of: 10 }, { yes: 3, of: 10 }, 0.1705, 0.809],
    [{ yes: 5, of: 56 }, { yes: 0, of: 29 }, -0.0381, 0.1926],
  ] as const) {
    const difference = shareDifference(a, b)
    close(difference.low, low)
    close(difference.high, high)
  }
})

test('the interval of a difference of means is Welch’s, with his and with equal variances', () => {
  // Of 1 to 5 and 3 to 7: variances 2.5, 8 degrees of freedom, t = 2.306.
  const { value, low, high } = meanDifference(moments([3, 4, 5, 6, 7]), moments([1, 2, 3, 4, 5]))
  close(value, 2)
  close(low, 2 - 2.306)
  close(high, 2 + 2.306)
  // Of three each, alike: 4 degrees of freedom, t = 2.776.
  const few = meanDifference(moments([1, 2, 3]), moments([1, 2, 3]))
  close(few.high, 2.776 * Math.sqrt(2 / 3), 0.01)
})

test('the interval of a mean matches published tables of Student’s distribution', () => {
  for (const [n, quantile] of [
    [3, 4.303],
    [4, 3.182],
    [6, 2.571],
    [11, 2.228],
    [31, 2.042],
  ] as const) {
    const figures = Array.from({ length: n }, (_, index) => index)
    const all = moments(figures)
    const half = (meanOf(all).high ?? 0) - all.mean
    const t = half / Math.sqrt(all.squares / (n - 1) / n)
    close(t, quantile, quantile * (n === 3 ? 0.01 : 0.002))
  }
  assert.deepEqual(meanOf(moments([4, 6])), { value: 5, low: null, high: null, n: 2 })
  assert.deepEqual(meanOf(NO_FIGURES), { value: null, low: null, high: null, n: 0 })
})

test('too few measurements give no bounds, and no measurements give no figure', () => {
  const nothing = { value: null, low: null, high: null }
  assert.deepEqual(shareDifference({ yes: 0, of: 0 }, { yes: 1, of: 2 }), nothing)
  assert.deepEqual(meanDifference(NO_FIGURES, moments([1])), nothing)
  assert.deepEqual(meanDifference(moments([3, 3]), moments([1])), {
    value: 2,
    low: null,
    high: null,
  })
  assert.deepEqual(meanDifference(moments([3, 4, 5]), moments([1, 2])), {
    value: 2.5,
    low: null,
    high: null,
  })
  assert.deepEqual(meanDifference(moments([3, 3, 3]), moments([1, 1, 1])), {
    value: 2,
    low: 2,
    high: 2,
  })
})

test('every interval contains its difference, and negates with it', () => {
  const count = fc
    .tuple(fc.nat(200), fc.integer({ min: 1, max: 200 }))
    .map(([yes, of]) => ({ yes: Math.min(yes, of), of }))
  fc.assert(
    fc.property(count, count, (a, b) => {
      const [one, other] = [shareDifference(a, b), shareDifference(b, a)]
      assert.ok(one.value !== null && one.low !== null && one.high !== null)
      assert.ok(one.low <= one.value + 1e-12 && one.value <= one.high + 1e-12)
      close(other.low, -one.high, 1e-9)
      assert.ok(one.low >= -1 - 1e-9 && one.high <= 1 + 1e-9)
    }),
  )
})

test('figures added one by one have the mean and variance of all of them', () => {
  const figures = fc.array(fc.double({ min: -1e3, max: 1e3, noNaN: true }), { minLength: 2 })
  fc.assert(
    fc.property(figures, (values) => {
      const { n, mean, squares } = moments(values)
      const whole = values.reduce((sum, each) => sum + each, 0) / values.length
      assert.equal(n, values.length)
      close(mean, whole, 1e-6)
      close(
        squares,
        values.reduce((sum, each) => sum + (each - whole) ** 2, 0),
        1e-3,
      )
    }),
  )
})
