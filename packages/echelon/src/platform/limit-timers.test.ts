import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { mock, test } from 'node:test'
import { LimitTimers } from './limit-timers.ts'

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const nothing = (): void => undefined

/** Timers that only record their delays. */
function noted() {
  const set: number[] = []
  const cleared: number[] = []
  const timers = new LimitTimers((ms) => {
    set.push(ms)
    return () => void cleared.push(ms)
  })
  return { timers, set, cleared }
}

test('sets no timer for a wait that is cleared within the turn', async () => {
  const { timers, set, cleared } = noted()
  for (let call = 0; call < 100_000; call++) timers.set(300_000, nothing)()
  const kept = Array.from({ length: 1000 }, (_, call) => timers.set(100_000 + call, nothing))
  for (const clear of kept) clear()
  await turn()
  assert.deepEqual([set, cleared], [[], []])
})

test('sets the other timers after the turn, in order', async () => {
  const { timers, set, cleared } = noted()
  const clear = [1, 2, 3, 4, 5].map((minutes) => timers.set(minutes * 60_000, nothing))
  for (const place of [0, 2, 4, 2]) clear[place]?.()
  timers.set(360_000, nothing)
  assert.deepEqual(set, [])
  await turn()
  assert.deepEqual(set, [120_000, 240_000, 360_000])
  clear[1]?.()
  clear[0]?.()
  assert.deepEqual(cleared, [120_000])
  timers.set(420_000, nothing)
  await turn()
  assert.deepEqual(set, [120_000, 240_000, 360_000, 420_000])
})

test('counts a short wait from its start, however long the turn takes', async () => {
  const { timers, set } = noted()
  timers.set(50, nothing)
  timers.set(20, nothing)
  timers.set(60_000, nothing)
  const until = performance.now() + 30
  while (performance.now() < until);
  await turn()
  const [fifty = NaN, ...others] = set
  assert.ok(fifty <= 20, String(fifty))
  assert.deepEqual(others, [0, 60_000])
})

test('recovers when a fake setImmediate never calls back', async () => {
  const { timers, set } = noted()
  mock.timers.enable({ apis: ['setImmediate'] })
  timers.set(60_000, nothing)
  mock.timers.reset()
  await turn()
  assert.deepEqual(set, [])
  timers.set(120_000, nothing)
  await turn()
  assert.deepEqual(set, [60_000, 120_000])
})

test('calls back outside the async context of every caller', async () => {
  const context = new AsyncLocalStorage<string>()
  const timers = new LimitTimers((ms, callback) => {
    const timer = setTimeout(callback, ms)
    return () => clearTimeout(timer)
  })
  const seen = await context.run('one', () => {
    return new Promise((resolve) => timers.set(1, () => resolve(context.getStore())))
  })
  assert.equal(seen, undefined)
})
