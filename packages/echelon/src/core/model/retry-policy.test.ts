import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import type { Problem } from './problem.ts'
import { DEFAULT_RETRY, waitBeforeRetry } from './retry-policy.ts'

/** A policy that never gives up must fail a test instead of blocking it. */
const LIMIT = { timeout: 10_000 }

const problem = (attempts: number, more: Partial<Problem> = {}): Problem => ({
  code: 'unavailable',
  message: '',
  retryable: true,
  attempts,
  ...more,
})

test(
  '[R21.1] [R21.2] [R13.2] [DD-12] two retries, after half a second and after one second',
  LIMIT,
  () => {
    const middle = 0.5
    assert.equal(waitBeforeRetry(DEFAULT_RETRY, problem(1), middle), 500)
    assert.equal(waitBeforeRetry(DEFAULT_RETRY, problem(2), middle), 1000)
    assert.equal(waitBeforeRetry(DEFAULT_RETRY, problem(3), middle), undefined)
  },
)

test('[R21.4] [DD-12] jitter spreads each wait evenly by up to a fifth either way', LIMIT, () => {
  assert.equal(waitBeforeRetry(DEFAULT_RETRY, problem(1), 0), 400)
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      fc.constantFrom(1, 2),
      (random, attempts) => {
        const wait = waitBeforeRetry(DEFAULT_RETRY, problem(attempts), random)
        const steady = attempts * 500
        assert.ok(wait !== undefined && wait >= 0.8 * steady && wait <= 1.2 * steady)
        assert.ok(Math.abs(wait - steady * (0.8 + 0.4 * random)) < 1e-9)
      },
    ),
  )
})

test('[R4.3] [DD-12] a retry never comes earlier than the provider asked', LIMIT, () => {
  const later = problem(1, { code: 'rate-limit', retryAfterMs: 7000 })
  assert.equal(waitBeforeRetry(DEFAULT_RETRY, later, 0), 7000)
  const sooner = problem(1, { code: 'rate-limit', retryAfterMs: 10 })
  assert.equal(waitBeforeRetry(DEFAULT_RETRY, sooner, 0), 400)
  const tooLate = problem(3, { retryAfterMs: 1 })
  assert.equal(waitBeforeRetry(DEFAULT_RETRY, tooLate, 0), undefined)
})

test(
  '[DD-12] a call is not retried if the provider asks for a wait of more than a minute',
  LIMIT,
  () => {
    const minute = problem(1, { code: 'rate-limit', retryAfterMs: 60_000 })
    assert.equal(waitBeforeRetry(DEFAULT_RETRY, minute, 0), 60_000)
    const hour = problem(1, { code: 'rate-limit', retryAfterMs: 3_600_000 })
    assert.equal(waitBeforeRetry(DEFAULT_RETRY, hour, 0), undefined)
    const patient = { ...DEFAULT_RETRY, longestWaitMs: 4_000_000 }
    assert.equal(waitBeforeRetry(patient, hour, 0), 3_600_000)
  },
)

test('[DD-12] a permanent failure is not retried', LIMIT, () => {
  const hopeless = problem(1, { code: 'quota', retryable: false, retryAfterMs: 1 })
  assert.equal(waitBeforeRetry(DEFAULT_RETRY, hopeless, 0.5), undefined)
})

test('custom policies are followed', LIMIT, () => {
  const policy = { retries: 3, baseMs: 10, factor: 3, jitter: 0 }
  const waits = [1, 2, 3, 4].map((attempts) => waitBeforeRetry(policy, problem(attempts), 0.9))
  assert.deepEqual(waits, [10, 30, 90, undefined])
  assert.equal(waitBeforeRetry({ ...policy, retries: 0 }, problem(1), 0.9), undefined)
})

test('backoff stops growing at the maximum wait, and retries continue', LIMIT, () => {
  const policy = { retries: 9, baseMs: 1000, factor: 10, jitter: 0, longestWaitMs: 5000 }
  const waits = [1, 2, 3, 9].map((attempts) => waitBeforeRetry(policy, problem(attempts), 0.5))
  assert.deepEqual(waits, [1000, 5000, 5000, 5000])
})
