import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysIn } from './day.ts'

test('the day of a timestamp depends on the zone', () => {
  const ts = '2026-11-22T20:30:00.000+00:00'
  assert.equal(daysIn('UTC')(ts), '2026-11-22')
  assert.equal(daysIn('Asia/Bangkok')(ts), '2026-11-23')
  assert.equal(daysIn('America/Los_Angeles')('2026-11-22T03:00:00+07:00'), '2026-11-21')
  assert.equal(daysIn('UTC')('2027-01-02T03:04:05Z'), '2027-01-02')
  assert.throws(() => daysIn('Mars/Base'), { code: 'INVALID_CONFIG' })
})
