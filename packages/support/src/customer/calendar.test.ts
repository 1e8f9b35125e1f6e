import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayInWords, daysIn, weekdayOf } from './calendar.ts'

const NOW = Date.UTC(2025, 9, 18, 12)
const read = (text: string, spoken: readonly number[] = []): readonly string[] =>
  daysIn(text, NOW, spoken).map((day) => `${dayInWords(day)} ${weekdayOf(day)}`)

test('a day is read in each form, in the nearest year', () => {
  assert.deepEqual(read('Oct 20'), ['Oct 20 Monday'])
  assert.deepEqual(read('the 20th of October, or the 2nd of january'), [
    'Oct 20 Monday',
    'Jan 2 Friday',
  ])
  assert.deepEqual(read('Sept. 3rd, 2024'), ['Sep 3 Tuesday'])
})

test('a day without a month is the one that was spoken of, or the next', () => {
  assert.deepEqual(read('the 9th', [Date.UTC(2025, 9, 9)]), ['Oct 9 Thursday'])
  assert.deepEqual(read('the 9th'), ['Nov 9 Sunday'])
  assert.deepEqual(read('the 31st'), ['Oct 31 Friday'])
})

test('other words, and days that do not exist, are not read', () => {
  assert.deepEqual(read('maybe 20, market 5, 3 decent mugs, Feb 30, 20'), [])
})
