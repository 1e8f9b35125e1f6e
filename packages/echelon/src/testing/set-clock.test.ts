import assert from 'node:assert/strict'
import { test } from 'node:test'
import { share } from '../../../../test/share.ts'
import { SetClock } from './set-clock.ts'

test('[DD-21] time stands still until it is advanced', async () => {
  const clock = new SetClock()
  assert.equal(clock.now(), Date.UTC(2025, 8, 8))
  await new Promise((resolve) => setTimeout(resolve, 2))
  assert.equal(clock.now(), Date.UTC(2025, 8, 8))
  await clock.advance(250)
  assert.equal(clock.now() - Date.UTC(2025, 8, 8), 250)
  assert.equal(new SetClock(5).now(), 5)
})

test('calls timers in the order they fall due, each at its own time', async () => {
  const clock = new SetClock(0)
  const log: [string, number][] = []
  const note = (name: string): void => void log.push([name, clock.now()])
  clock.after(30, () => note('late'))
  clock.after(10, () => {
    note('early')
    clock.after(5, () => note('chained'))
  })
  clock.after(10, () => note('early too'))
  clock.after(31, () => note('not yet'))
  await clock.advance(30)
  assert.deepEqual(log, [
    ['early', 10],
    ['early too', 10],
    ['chained', 15],
    ['late', 30],
  ])
  assert.equal(clock.pending, 1)
  assert.equal(clock.now(), 30)
})

test('finishes the work of a timer before calling the next one', async () => {
  const clock = new SetClock(0)
  const log: string[] = []
  clock.after(1, () => {
    void Promise.resolve()
      .then(() => undefined)
      .then(() => log.push('first and what followed'))
  })
  clock.after(2, () => log.push('second'))
  await clock.advance(2)
  assert.deepEqual(log, ['first and what followed', 'second'])
})

test('neither counts nor calls a cleared timer', async () => {
  const clock = new SetClock(0)
  let called = false
  const forget = clock.after(1, () => (called = true))
  assert.equal(clock.pending, 1)
  forget()
  forget()
  assert.equal(clock.pending, 0)
  await clock.advance(10)
  assert.equal(called, false)
})

test('advances exactly as far as a waiting promise needs', async () => {
  const clock = new SetClock(0)
  const wait = (ms: number) => new Promise<void>((resolve) => clock.after(ms, resolve))
  const work = async () => {
    await wait(86_400_000)
    await new Promise((resolve) => setTimeout(resolve, 5))
    await wait(1000)
    return 'done'
  }
  assert.equal(await clock.runUntil(work()), 'done')
  assert.equal(clock.now(), 86_401_000)
  assert.equal(clock.pending, 0)
})

test('passes on a rejection, and reports a promise that needs too long', async () => {
  const clock = new SetClock(0)
  const late = new Promise<void>((resolve) => clock.after(2000, resolve))
  await assert.rejects(clock.runUntil(late, 1000), /has not settled after 1000 ms/)
  await clock.runUntil(late, 1000)
  const fails = new Promise<void>((_, reject) => clock.after(1, () => reject(new Error('no'))))
  await assert.rejects(clock.runUntil(fails), /^Error: no$/)
})

test('ends a zero wait at the next turn of the clock', async () => {
  const clock = new SetClock(0)
  const called: number[] = []
  for (const ms of [0, -5, NaN]) clock.after(ms, () => called.push(ms))
  await clock.advance(0)
  assert.deepEqual(called, [0, -5, NaN])
})

test('[DD-21] fails on an endless retry loop, however short its waits', async () => {
  for (const ms of share([0, 1], 1)) {
    const clock = new SetClock(0)
    let isOver = false
    const again = (): void => void (isOver || clock.after(ms, again))
    again()
    const never = new Promise<never>(() => undefined)
    await assert.rejects(clock.runUntil(never), /has called 100000 timers/)
    isOver = true
  }
})
