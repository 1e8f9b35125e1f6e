import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { IS_WHOLE } from '../share.ts'
import { freshDatabase } from './fresh-database.ts'
import { Crew } from './crew.ts'

/** Runs that wait, many times the slots of their worker. */
const WAITING = IS_WHOLE ? 1000 : 150

/** The run of an action's key. */
const runOf = (key: string): string => key.slice(0, key.indexOf(':'))

suite('the limits of a fleet', { timeout: 300_000 }, () => {
  test(`${WAITING} waiting runs hold no slots`, async (t) => {
    const crew = await Crew.on(t, await freshDatabase('waiting'), { atOncePerWorker: 10 })
    await crew.hire('one')
    const waiting = Array.from({ length: WAITING }, (_, n) => `waiting-${n}`)
    for (const run of waiting) await crew.order(run, { steps: 1, ms: 0, asks: true })
    for (const run of waiting) await crew.until(run, 'waiting')
    const began = performance.now()
    await crew.order('next', { steps: 1, ms: 0 })
    await crew.until('next', 'ended')
    assert.ok(performance.now() - began < 3000, 'it waits behind none of them')
    const [request] = (await crew.store.runs.find('waiting-100'))?.requests ?? []
    await crew.engine.answer('waiting-100', { request: request?.id ?? '', reply: 'yes' })
    await crew.until('waiting-100', 'ended')
  })

  test('hold on all workers together', async (t) => {
    const limits = { atOncePerWorker: 4, atOnce: 5, principals: { ada: { atOnce: 2 } } }
    const crew = await Crew.on(t, await freshDatabase('limits'), limits)
    await Promise.all(['one', 'two'].map((name) => crew.hire(name)))
    const runs = Array.from({ length: 20 }, (_, n) => `run-${n}`)
    for (const run of runs) await crew.order(run, { steps: 1, ms: 150 }, { principal: 'bob' })
    for (const run of runs) await crew.until(run, 'ended')
    assert.equal(crew.actions.length, 20)
    assert.ok(crew.mostAtOnce <= 5, `${crew.mostAtOnce} at once`)
    assert.ok(crew.mostAtOnce > 2, 'bob has no limit of his own')
  })

  test('hold for a principal on all workers together', async (t) => {
    const limits = { principals: { ada: { atOnce: 2 } } }
    const crew = await Crew.on(t, await freshDatabase('principal'), limits)
    await Promise.all(['one', 'two'].map((name) => crew.hire(name)))
    const runs = Array.from({ length: 10 }, (_, n) => `run-${n}`)
    for (const run of runs) await crew.order(run, { steps: 1, ms: 300 })
    for (const run of runs) await crew.until(run, 'ended')
    assert.ok(crew.mostAtOnce <= 2, `${crew.mostAtOnce} at once`)
    assert.equal(crew.mostAtOnce, 2, 'both slots are used')
  })

  test('a rate holds on all workers together', async (t) => {
    const limits = { rate: { legs: 5, seconds: 1 } }
    const crew = await Crew.on(t, await freshDatabase('rate'), limits)
    await Promise.all(['one', 'two'].map((name) => crew.hire(name)))
    const began = performance.now()
    const runs = Array.from({ length: 15 }, (_, n) => `run-${n}`)
    for (const run of runs) await crew.order(run, { steps: 1, ms: 0 })
    for (const run of runs) await crew.until(run, 'ended')
    assert.ok(performance.now() - began > 1900, 'three periods of five begin 2 seconds apart')
  })

  test('20 slots that contend for one session keep its order', async (t) => {
    const names = IS_WHOLE ? ['one', 'two', 'three', 'four'] : ['one', 'two']
    const atOncePerWorker = 20 / names.length
    const crew = await Crew.on(t, await freshDatabase('session'), { atOncePerWorker, pollMs: 20 })
    await Promise.all(names.map((name) => crew.hire(name)))
    const runs = Array.from(
      { length: IS_WHOLE ? 60 : 15 },
      (_, n) => `run-${String(n).padStart(2, '0')}`,
    )
    for (const run of runs) await crew.order(run, { steps: 2, ms: 2 }, { session: 'ada/busy/s' })
    for (const run of runs) await crew.until(run, 'ended')
    const expected = runs.flatMap((run) => [run, run])
    assert.deepEqual(crew.actions.map(runOf), expected)
  })
})
