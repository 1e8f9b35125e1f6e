import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { SetClock } from '../testing/set-clock.ts'
import { Suspects } from './suspects.ts'

const never = (): Promise<boolean> => Promise.resolve(false)

suite('suspects', () => {
  /** Work that ends when it is told. */
  function suspectOf(suspects: Suspects, isCleared: () => Promise<boolean> = never) {
    const over = Promise.withResolvers<string>()
    const suspect = { hasBegun: false, end: over.resolve, fail: over.reject }
    const result = suspects.inTurn(isCleared, () => {
      suspect.hasBegun = true
      return over.promise
    })
    return Object.assign(suspect, { result })
  }
  const settle = (clock: SetClock): Promise<void> => clock.advance(0)

  test('work one after the other, in the order in which they came', async () => {
    const clock = new SetClock()
    const suspects = new Suspects(clock)
    const [first, second, third] = [1, 2, 3].map(() => suspectOf(suspects))
    await settle(clock)
    assert.deepEqual([first?.hasBegun, second?.hasBegun, third?.hasBegun], [true, false, false])
    first?.end('done')
    assert.equal(await first?.result, 'done')
    await settle(clock)
    assert.deepEqual([second?.hasBegun, third?.hasBegun], [true, false])
    second?.fail(new Error('broken'))
    await assert.rejects(async () => second?.result, /broken/)
    await settle(clock)
    assert.equal(third?.hasBegun, true)
    third?.end('done')
    await third?.result
    assert.equal(clock.pending, 0)
  })

  test('let the next one begin when they have made progress', async () => {
    const clock = new SetClock()
    const suspects = new Suspects(clock)
    let isCleared = false
    const first = suspectOf(suspects, async () => isCleared)
    const second = suspectOf(suspects)
    const third = suspectOf(suspects)
    await clock.advance(5000)
    assert.equal(second.hasBegun, false)
    isCleared = true
    await clock.advance(1000)
    assert.deepEqual([second.hasBegun, third.hasBegun], [true, false])
    first.end('done')
    await first.result
    await settle(clock)
    assert.equal(third.hasBegun, false, 'the turn of the first was over already')
  })

  test('let the next one begin after ten minutes, also if nobody can tell', async () => {
    const clock = new SetClock()
    const suspects = new Suspects(clock)
    suspectOf(suspects, () => Promise.reject(new Error('away')))
    const second = suspectOf(suspects)
    await settle(clock)
    await clock.advance(599_000)
    assert.equal(second.hasBegun, false)
    await clock.advance(2000)
    assert.equal(second.hasBegun, true)
  })

  test('do not begin in a process that stops', async () => {
    const suspects = new Suspects(new SetClock())
    const first = suspectOf(suspects)
    const second = suspectOf(suspects)
    suspects.close()
    assert.equal(await second.result, undefined)
    assert.equal(await suspectOf(suspects).result, undefined)
    first.end('done')
    assert.equal(await first.result, 'done')
  })
})
