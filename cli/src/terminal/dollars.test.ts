import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dollars } from './dollars.ts'

test('money has cents, and as many digits more as a small amount needs', () => {
  const amounts = [0, 12.345, 0.01, 0.0012, 0.000001, 0.0000001, 0.000000123]
  assert.deepEqual(amounts.map(dollars), [
    '$0.00',
    '$12.35',
    '$0.01',
    '$0.001200',
    '$0.000001',
    '$0.0000001',
    '$0.00000012',
  ])
})
