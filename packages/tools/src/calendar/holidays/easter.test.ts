import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { easter } from './easter.ts'

// Computed by python-dateutil; includes the earliest and the latest possible day.
const SUNDAYS = [
  '1598-03-22',
  '1818-03-22',
  '1886-04-25',
  '1943-04-25',
  '1961-04-02',
  '2000-04-23',
  '2008-03-23',
  '2024-03-31',
  '2025-04-20',
  '2038-04-25',
  '2285-03-22',
]

for (const sunday of SUNDAYS) {
  test(`Easter ${sunday}`, () => equal(easter(Number(sunday.slice(0, 4)))?.toString(), sunday))
}

test('no Easter before the Gregorian calendar', () => equal(easter(1582), undefined))
