import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { test } from 'node:test'
import { SetClock } from '../../testing/set-clock.ts'
import { type Canceler, Deadline, pause } from './deadline.ts'

const listeners = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length

interface Given {
  readonly clock: SetClock
  readonly canceler: Canceler & { isCanceled: boolean; deadlines: Set<Deadline> }
  readonly deadline: Deadline
}

function setUp(msLeft: number, timeoutMs: number | undefined): Given {
  const clock = new SetClock()
  const canceler = { clock, msLeft, isCanceled: false, deadlines: new Set<Deadline>() }
  return { clock, canceler, deadline: new Deadline(canceler, timeoutMs) }
}

const forever = (): Promise<never> => new Promise(() => undefined)
const isGivenUp = { name: 'AbortError' }

test("the earlier of the run's time and the effect's own limit aborts and is reported", async () => {
  const cases = [
    [100, 200, 'seconds'],
    [200, 100, 'timeout'],
    [100, 100, 'seconds'],
    [100, Infinity, 'seconds'],
    [Infinity, 100, 'timeout'],
  ] as const
  for (const [msLeft, timeoutMs, cause] of cases) {
    const { clock, deadline } = setUp(msLeft, timeoutMs)
    const { signal } = deadline
    const given = assert.rejects(deadline.race(forever()), isGivenUp)
    await clock.advance(99)
    assert.equal(deadline.cause, undefined)
    assert.ok(!signal.aborted)
    await clock.advance(1)
    await given
    assert.equal(deadline.cause, cause)
    assert.ok(signal.aborted)
  }
})

test('a cancel aborts every deadline of the run, and the first cause stays', async () => {
  const { clock, canceler, deadline } = setUp(100, Infinity)
  const given = assert.rejects(deadline.race(forever()), isGivenUp)
  for (const one of canceler.deadlines) one.abort('canceled')
  await given
  await clock.advance(100)
  assert.equal(deadline.cause, 'canceled')
  canceler.isCanceled = true
  const late = new Deadline(canceler, 5)
  assert.equal(late.cause, 'canceled')
  assert.ok(late.signal.aborted, 'though it is asked for only now')
  await assert.rejects(late.race(forever()), isGivenUp)
  for (const one of [deadline, late]) one.release()
  assert.equal(clock.pending, 0)
})

test('[DD-22] a released deadline has no timer and ignores a cancel', async () => {
  const { clock, canceler, deadline } = setUp(100, 50)
  assert.equal(clock.pending, 0, 'nobody waits yet')
  assert.equal(await deadline.race(Promise.resolve(5)), 5)
  assert.equal(clock.pending, 1)
  assert.equal(canceler.deadlines.size, 1)
  deadline.release()
  assert.equal(clock.pending, 0)
  assert.equal(canceler.deadlines.size, 0)
  await clock.advance(1000)
  assert.ok(!deadline.signal.aborted)
})

test('a call without a limit sets no timer', () => {
  for (const [msLeft, timeoutMs] of [
    [Infinity, Infinity],
    [100, undefined],
  ] as const) {
    const { clock, deadline } = setUp(msLeft, timeoutMs)
    void deadline.race(forever())
    assert.equal(clock.pending, 0)
    deadline.release()
  }
})

test("a caller's signal replaces the cancel", async () => {
  const { canceler } = setUp(Infinity, Infinity)
  canceler.deadlines.clear()
  const own = new AbortController()
  const deadline = new Deadline(canceler, Infinity, own.signal)
  assert.equal(canceler.deadlines.size, 0, 'a cancel does not reach it')
  const given = assert.rejects(deadline.race(forever()), isGivenUp)
  own.abort()
  await given
  assert.equal(deadline.cause, 'canceled')
  deadline.release()
  assert.equal(listeners(own.signal), 0)
  assert.equal(new Deadline(canceler, Infinity, own.signal).cause, 'canceled')
})

test('a pause ends after its time or with the signal, and removes its timer', async () => {
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

test('work that ignores the signal is abandoned, and its late failure has no effect', async () => {
  const { deadline } = setUp(Infinity, Infinity)
  const { promise, reject } = Promise.withResolvers<number>()
  const given = deadline.race(promise)
  deadline.abort('canceled')
  await assert.rejects(given, isGivenUp)
  reject(new Error('late'))
  await assert.rejects(deadline.race(Promise.reject(new Error('later'))), isGivenUp)
  await new Promise((resolve) => setImmediate(resolve))
})

test('work in time returns its own result', async () => {
  const { deadline } = setUp(Infinity, Infinity)
  assert.equal(await deadline.race(Promise.resolve(5)), 5)
  await assert.rejects(deadline.race(Promise.reject(new Error('own'))), { message: 'own' })
})

test('a reply from a person after the effect is over leaves no timer behind', async () => {
  const { clock, deadline } = setUp(Infinity, 100)
  const { promise: reply, resolve: answer } = Promise.withResolvers<string>()
  const asking = deadline.untimed(reply)
  deadline.release()
  answer('late')
  assert.equal(await asking, 'late')
  assert.equal(clock.pending, 0)
})
