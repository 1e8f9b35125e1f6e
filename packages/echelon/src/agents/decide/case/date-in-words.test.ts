import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { dateIn, dateInWords } from './date-in-words.ts'
import { timestampIn } from '../../../core/value/timestamp.ts'

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

test('[R9.5] the day of a moment follows the time zone', () => {
  assert.equal(dateIn('UTC', at), '2025-09-07')
  assert.equal(dateIn('Asia/Bangkok', at), '2025-09-08')
  fc.assert(
    fc.property(zone, moment, (timeZone, ms) => {
      assert.equal(dateIn(timeZone, ms), timestampIn(timeZone, ms).slice(0, 10))
    }),
  )
})

test('a date in words has no leading zero', () => {
  assert.equal(dateInWords('2025-09-08'), 'Monday, September 8, 2025')
  assert.equal(dateInWords('2024-02-29'), 'Thursday, February 29, 2024')
})
