import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Effect } from '../../src/core/effect.ts'
import { startRun } from '../../src/runtime/run.ts'
import { ask, performing, world } from './kit.ts'

const DAY = 86_400_000

test('[DD-21] a run that sleeps for a year of days ends at once on a clock that is turned by hand', async () => {
  const { clock, services } = world()
  const began = clock.now()
  const days = Array.from({ length: 365 }, (_, day): Effect => ({
    type: 'sleep',
    actor: 'all',
    untilMs: began + (day + 1) * DAY,
  }))
  const { result } = await clock.runUntil(startRun(performing(days), 'hi', services).result)
  assert.equal(clock.now(), began + 365 * DAY)
  assert.deepEqual(new Set(result.map(({ type }) => type)), new Set(['woke']))
  assert.equal(clock.pending, 0)
})

test('a question that nobody answers expires on it, too', async () => {
  const { clock, services } = world()
  const run = startRun(performing([ask('Well?', { expiresInMs: 7 * DAY })]), 'hi', services)
  const { result } = await clock.runUntil(run.result)
  assert.deepEqual(result, [{ type: 'unanswered' }])
})
