import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RequestRate } from './request-rate.ts'

test('a user gets the requests of a minute, then must wait for the next', () => {
  let now = 0
  const rate = new RequestRate({ now: () => now })
  const ada = { name: 'ada', requestsPerMinute: 2 }
  rate.admit(ada)
  rate.admit(ada)
  assert.throws(() => rate.admit(ada), { status: 429, retryAfter: 30 })
  rate.admit({ name: 'bob', requestsPerMinute: 2 })
  now = 30_000
  rate.admit(ada)
  assert.throws(() => rate.admit(ada), { status: 429 })
})

test('zero requests a minute let nothing through, and no limit lets everything', () => {
  const rate = new RequestRate({ now: () => 0 })
  assert.throws(() => rate.admit({ name: 'ada', requestsPerMinute: 0 }), { status: 429 })
  for (let count = 0; count < 1000; count++) rate.admit({ name: 'bob' })
})
