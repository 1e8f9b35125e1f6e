import assert from 'node:assert/strict'
import test from 'node:test'
import * as fc from 'fast-check'
import { mean, quantile, share } from './intervals.ts'

const close = (actual: number | null, expected: number): void =>
  assert.ok(actual !== null && Math.abs(actual - expected) < 5e-4, `${actual} is not ${expected}`)

test('[R26.4] the interval of a share is Wilson’s, as in published tables', () => {
  // Newcombe 1998, table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29.
  for (const [count, n, low, high] of [
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ] as const) {
    const estimate = share(count / n, n)
    close(estimate.low, low)
    close(estimate.high, high)
  }
})

test('a mean has the interval of its standard error', () => {
  const { value, low, high, n } = mean([2, 4, 4, 4, 5, 5, 7, 9])
  assert.deepEqual([value, n], [5, 8])
  close(low, 5 - 1.959964 * Math.sqrt(32 / 7 / 8))
  close(high, 5 + 1.959964 * Math.sqrt(32 / 7 / 8))
  assert.deepEqual(mean([3]), { value: 3, low: null, high: null, n: 1 })
})

test('a quantile is one of the values, with an interval of order statistics', () => {
  const values = Array.from({ length: 100 }, (_, index) => index + 1)
  assert.equal(quantile(values, 0.95).value, 95)
  assert.equal(quantile(values, 0.5).value, 50)
  assert.deepEqual(
    [quantile(values, 0.5).low, quantile(values, 0.5).high],
    [40, 61],
    'the ranks that Campbell and Gardner 1988 give for a median of 100',
  )
  assert.equal(quantile(values.slice(0, 10), 0.95).high, null, 'ten values do not bound a p95')
})

test('without measurements a figure is null, never 0', () => {
  for (const estimate of [share(0, 0), mean([]), quantile([], 0.95)]) {
    assert.deepEqual(estimate, { value: null, low: null, high: null, n: 0 })
  }
})

test('every interval contains its figure', () => {
  const figures = fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { minLength: 2 })
  fc.assert(
    fc.property(figures, fc.double({ min: 0, max: 1, noNaN: true }), (values, part) => {
      for (const { value, low, high } of [
        share(part, values.length),
        mean(values),
        quantile(values, part),
      ]) {
        assert.ok(value !== null)
        assert.ok(low === null || low <= value + 1e-9)
        assert.ok(high === null || high >= value - 1e-9)
      }
    }),
  )
})
