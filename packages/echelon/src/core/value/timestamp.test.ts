import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { timestampIn } from './timestamp.ts'

const at = Date.UTC(2025, 8, 7, 18, 30, 15, 7)
const zone = fc.constantFrom(
  'UTC',
  'Asia/Bangkok',
  'Asia/Kathmandu',
  'America/New_York',
  'Pacific/Apia',
  'Australia/Lord_Howe',
)
const moment = fc.integer({ min: Date.UTC(1990, 0), max: Date.UTC(2050, 0) })

test('[DD-7] a timestamp is ISO 8601 with the offset of its zone', () => {
  assert.equal(timestampIn('Asia/Bangkok', at), '2025-09-08T01:30:15.007+07:00')
  assert.equal(timestampIn('UTC', at), '2025-09-07T18:30:15.007+00:00')
  assert.equal(timestampIn('America/St_Johns', at), '2025-09-07T16:00:15.007-02:30')
})

test('a timestamp keeps its moment', () => {
  fc.assert(
    fc.property(zone, moment, (timeZone, ms) => {
      assert.equal(Date.parse(timestampIn(timeZone, ms)), ms)
    }),
  )
})

test('moments of one second differ in their milliseconds alone, before and after a clock change', () => {
  const change = Date.UTC(2025, 10, 2, 6)
  const around = [change - 1000, change - 1, change, change + 999, change - 1]
  assert.deepEqual(
    around.map((ms) => timestampIn('America/New_York', ms)),
    [
      '2025-11-02T01:59:59.000-04:00',
      '2025-11-02T01:59:59.999-04:00',
      '2025-11-02T01:00:00.000-05:00',
      '2025-11-02T01:00:00.999-05:00',
      '2025-11-02T01:59:59.999-04:00',
    ],
  )
})

test('a fraction of a millisecond is dropped, also before 1970', () => {
  assert.equal(timestampIn('UTC', 0.9), '1970-01-01T00:00:00.000+00:00')
  assert.equal(timestampIn('UTC', -0.5), '1969-12-31T23:59:59.999+00:00')
})
