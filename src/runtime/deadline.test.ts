import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { test } from 'node:test'
import { SetClock } from '../testing/set-clock.ts'
import { type Deadline, orAborted, pause, startDeadline } from './deadline.ts'

const listeners = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length

function setUp(
  runMs: number,
  timeoutMs?: number,
): { clock: SetClock; cancel: AbortController; deadline: Deadline } {
  const clock = new SetClock()
  const cancel = new AbortController()
  return {
    clock,
    cancel,
    deadline: startDeadline({ clock, cancel: cancel.signal, runMs, timeoutMs }),
  }
}

test("whichever comes first aborts and says why: the run's time, the own limit, a cancel", async () => {
  const cases = [
    [100, 200, 'seconds'],
    [200, 100, 'timeout'],
    [100, 100, 'seconds'],
    [100, undefined, 'seconds'],
    [Infinity, 100, 'timeout'],
  ] as const
  for (const [runMs, timeoutMs, cause] of cases) {
    const { clock, deadline } = setUp(runMs, timeoutMs)
    await clock.advance(99)
    assert.equal(deadline.cause(), undefined)
    assert.ok(!deadline.signal.aborted)
    await clock.advance(1)
    assert.equal(deadline.cause(), cause)
    assert.ok(deadline.signal.aborted)
  }
})

test('the first cause stays the cause', async () => {
  const { clock, cancel, deadline } = setUp(100)
  cancel.abort()
  await clock.advance(100)
  assert.equal(deadline.cause(), 'canceled')
  const canceled = new AbortController()
  canceled.abort()
  const late = startDeadline({ clock, cancel: canceled.signal, runMs: 5 })
  assert.ok(late.signal.aborted)
  assert.equal(late.cause(), 'canceled')
  late.release()
  assert.equal(clock.pending, 0)
})

test('[DD-22] a released deadline leaves no timer and no listener, and aborts no more', async () => {
  const { clock, cancel, deadline } = setUp(100, 50)
  assert.equal(clock.pending, 1)
  assert.equal(listeners(cancel.signal), 1)
  deadline.release()
  assert.equal(clock.pending, 0)
  assert.equal(listeners(cancel.signal), 0)
  await clock.advance(1000)
  cancel.abort()
  assert.ok(!deadline.signal.aborted)
})

test('without any limit there is no timer', () => {
  const { clock, deadline } = setUp(Infinity)
  assert.equal(clock.pending, 0)
  deadline.release()
})

test('a pause ends with its time or with the signal, and leaves nothing behind', async () => {
  const clock = new SetClock()
  const cancel = new AbortController()
  const log: string[] = []
  const one = pause(clock, 100, cancel.signal).then(() => log.push('one'))
  const two = pause(clock, 500, cancel.signal).then(() => log.push('two'))
  const endless = pause(clock, Infinity, cancel.signal).then(() => log.push('endless'))
  assert.equal(clock.pending, 2)
  await clock.advance(100)
  await one
  assert.deepEqual(log, ['one'])
  cancel.abort()
  await Promise.all([two, endless])
  assert.equal(clock.pending, 0)
  assert.equal(listeners(cancel.signal), 0)
  await pause(clock, Infinity, cancel.signal)
})

test('whoever ignores the signal is left behind, and its late failure harms nobody', async () => {
  const cancel = new AbortController()
  const { promise, reject } = Promise.withResolvers<number>()
  const given = orAborted(promise, cancel.signal)
  cancel.abort()
  await assert.rejects(given, { name: 'AbortError' })
  reject(new Error('late'))
  const later = orAborted(Promise.reject(new Error('later')), cancel.signal)
  await assert.rejects(later, { name: 'AbortError' })
  await new Promise((resolve) => setImmediate(resolve))
})

test('what is in time passes as it is, with no listener left', async () => {
  const { signal } = new AbortController()
  assert.equal(await orAborted(Promise.resolve(5), signal), 5)
  await assert.rejects(orAborted(Promise.reject(new Error('own')), signal), { message: 'own' })
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(listeners(signal), 0)
})
