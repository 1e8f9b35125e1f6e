import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isMultiple } from './multiple.ts'

test('compares multiples by their decimal notation', () => {
  const rows: readonly (readonly [value: number, unit: number, is: boolean])[] = [
    [0.07, 0.01, true],
    [19.99, 0.01, true],
    [-19.99, 0.01, true],
    [19.995, 0.01, false],
    [0.0075, 0.0001, true],
    [0.00751, 0.0001, false],
    [12_391_239_123, 1e-8, true],
    [1e308, 0.5, true],
    [1e308, 0.123456789, false],
    [5e-324, 5e-324, true],
    [1.7976931348623157e308, 5e-324, true],
    [0, 0.01, true],
    [4, 2, true],
    [5, 2, false],
    [1, 0, false],
    [1.5, 0, false],
    [Infinity, 0.5, false],
  ]
  for (const [value, unit, is] of rows)
    assert.equal(isMultiple(value, unit), is, `${value} ${unit}`)
})
