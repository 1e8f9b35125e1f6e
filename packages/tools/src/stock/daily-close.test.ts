import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isIsoDate } from './daily-close.ts'

test('a date is an existing day in ISO form', () => {
  for (const day of ['2018-05-11', '2016-02-29', '1970-01-01']) assert.ok(isIsoDate(day), day)
  const others = [
    '2018-02-30',
    '2017-02-29',
    '2018-13-01',
    '11.05.2018',
    '2018-5-1',
    '',
    '2018-05-11T00:00Z',
  ]
  for (const text of others) assert.ok(!isIsoDate(text), text)
})
