import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { movingAverage } from './moving-average.ts'

test('every average is within 1e-6 of the true mean, also after a billion', () => {
  const thousandths = fc.integer({ min: -(10 ** 12), max: 10 ** 12 })
  fc.assert(
    fc.property(fc.array(thousandths, { maxLength: 60 }), (values) => {
      const averages = movingAverage(
        values.map((value) => value / 1000),
        7,
      )
      assert.equal(averages.length, values.length)
      averages.forEach((average, last) => {
        const window = values.slice(Math.max(0, last - 6), last + 1).map(BigInt)
        const sum = window.reduce((a, b) => a + b, 0n)
        if (last < 6) assert.equal(average, null)
        // Whole thousandths add up exactly, and the quotient's error is far below the bound.
        else assert.ok(Math.abs((average ?? NaN) - Number(sum) / 7000) <= 1e-6)
      })
    }),
  )
})
