import assert from 'node:assert/strict'
import test from 'node:test'
import { money } from './money.ts'

test('money has cents, and fractions of a cent to three digits', () => {
  const told = [0, 0.5, 0.025288, 0.0000123, 1.239, 1234.5, -0.00003].map(money)
  assert.deepEqual(told, [
    '$0',
    '$0.50',
    '$0.0253',
    '$0.0000123',
    '$1.24',
    '$1,234.50',
    '-$0.00003',
  ])
})

test('an unknown price is not nothing', () => {
  assert.deepEqual([money(null), money(undefined)], ['unknown', 'unknown'])
})
