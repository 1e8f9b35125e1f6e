import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Effect } from '../../packages/echelon/src/core/agent/effect.ts'
import type { Clock } from '../../packages/echelon/src/core/agent/ports.ts'
import { startRun } from '../../packages/echelon/src/runtime/run.ts'
import { ask, performing, world } from './kit.ts'

const DAY = 86_400_000

test('[DD-21] a run that sleeps for a year of days ends at once on a manual clock', async () => {
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

test('an unanswered question expires on it too', async () => {
  const { clock, services } = world()
  const run = startRun(performing([ask('Well?', { expiresInMs: 7 * DAY })]), 'hi', services)
  const { result } = await clock.runUntil(run.result)
  assert.deepEqual(result, [{ type: 'unanswered' }])
})

test('a wait ends soon after a sleeping machine wakes; a clock set back makes no wait longer', async () => {
  const hour = 3_600_000
  for (const jump of [9 * hour, -9 * hour]) {
    const { clock, services } = world()
    // The offset of the time of day from the timers, which stop while the machine sleeps.
    let off = 0
    const jumping: Clock = {
      now: () => clock.now() + off,
      after: (ms, callback) => clock.after(ms, callback),
    }
    const until = clock.now() + 10 * hour
    const sleeping: Effect = { type: 'sleep', actor: 'all', untilMs: until }
    const run = startRun(performing([sleeping]), 'hi', { ...services, clock: jumping })
    await clock.advance(hour / 2)
    off = jump
    await clock.advance(jump > 0 ? hour : 9.5 * hour)
    assert.deepEqual((await run.result).result, [{ type: 'woke' }])
    assert.equal(clock.pending, 0)
  }
})
