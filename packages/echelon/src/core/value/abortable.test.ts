import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SetClock } from '../../testing/set-clock.ts'
import { pause, within } from './abortable.ts'

const never = new AbortController().signal

test('a pause ends after its time or when the signal aborts, and removes its timer and listener', async () => {
  const clock = new SetClock()
  const ends: string[] = []
  const own = new AbortController()
  const timed = pause(clock, 1000, never).then(() => ends.push('timed'))
  const endless = pause(clock, Infinity, own.signal).then(() => ends.push('endless'))
  await clock.advance(1000)
  await timed
  assert.deepEqual(ends, ['timed'])
  own.abort()
  await endless
  assert.deepEqual(ends, ['timed', 'endless'])
  await pause(clock, 1000, own.signal)
  const noNumber = pause(clock, NaN, never)
  await clock.advance(0)
  await noNumber
  assert.equal(clock.pending, 0)
})

test('work within its time limit returns its result, and late work returns undefined', async () => {
  const clock = new SetClock()
  assert.equal(await within(clock, 1000, Promise.resolve('done')), 'done')
  await assert.rejects(within(clock, 1000, Promise.reject(new Error('no'))), /no/)
  const { promise, reject } = Promise.withResolvers<string>()
  const late = within(clock, 1000, promise)
  await clock.advance(1000)
  assert.equal(await late, undefined)
  reject(new Error('nobody hears this'))
  await clock.advance(0)
  assert.equal(clock.pending, 0)
})
