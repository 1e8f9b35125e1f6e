import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SecondReading } from '../verification/second-reader.ts'
import { type Read, readerWith } from './in-tests.ts'

const TODAY = '2025-09-10'
const withSecond = (second: SecondReading | undefined): Read => readerWith(() => second)

test('[DD-8] a claim counts if the second reader gets the same value', () => {
  const read = withSecond({ kind: 'math', value: 345 })
  const claim = read('What is 15 * 23?', TODAY)
  assert.equal(claim.kind === 'math' && claim.value, 345)
})

test('[DD-8] a question is not checked if the second reader gets another value, another kind or nothing', () => {
  for (const second of [
    { kind: 'math', value: 346 },
    { kind: 'calendar', query: '2025-03-03' },
    { kind: 'stock', ticker: 'AAPL', rows: 30 },
    undefined,
  ] as const) {
    assert.equal(withSecond(second)('What is 15 * 23?', TODAY).kind, 'unknown')
  }
  const rows = withSecond({ kind: 'stock', ticker: 'AAPL', rows: 29 })
  assert.equal(rows('AAPL closing prices for the last 30 trading days', TODAY).kind, 'unknown')
})

test('[DD-8] a question for a prime counts if the second reader asks about the same number', () => {
  const ask = (second: SecondReading): string =>
    withSecond(second)('Is 1,009 a prime number?', TODAY).kind
  assert.equal(ask({ kind: 'prime', number: '1009' }), 'math')
  assert.equal(ask({ kind: 'prime', number: '1001' }), 'unknown')
  assert.equal(ask({ kind: 'math', value: 1009 }), 'unknown')
})

test('[DD-8] both readings of a date go into the claim, for the calendar to compute', () => {
  const read = withSecond({ kind: 'calendar', query: 'three weeks after March 3, 2025' })
  assert.deepEqual(read('What date is three weeks after March 3, 2025?', TODAY), {
    kind: 'calendar',
    query: '3 weeks after 2025-03-03',
    second: 'three weeks after March 3, 2025',
  })
})
