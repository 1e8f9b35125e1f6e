import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { freshDatabase } from './fresh-database.ts'
import { Crew } from './crew.ts'

const STEPS = 30

suite('a worker whose process is stopped', { timeout: 300_000 }, () => {
  test('loses its run to another, and does nothing twice when it goes on', async (t) => {
    const crew = await Crew.on(t, await freshDatabase('frozen'))
    await crew.hire('frozen')
    await crew.order('run', { steps: STEPS, ms: 50 })
    while (crew.actions.length < 5) await wait(10)
    crew.freeze('frozen')
    const before = crew.actions.length
    await crew.hire('other')
    const began = performance.now()
    await crew.until('run', 'ended')
    const took = performance.now() - began
    assert.ok(took > 20_000, 'its lease is not taken from it before that is over')
    assert.ok(took < 60_000, `another worker had it after ${took.toFixed(0)} ms`)
    const done = crew.actions.length
    assert.ok(done > before)
    crew.thaw('frozen')
    // Longer than what it had begun, and than the pause after which it gives up.
    await wait(3000)
    const { actions } = crew
    assert.equal(new Set(actions).size, actions.length, 'no action is done twice')
    assert.equal(actions.length, done, 'it does nothing more')
    const entries = await crew.store.runs.read('run')
    assert.equal(entries.filter(({ type }) => type === 'ended').length, 1)
    const outcomes = entries.flatMap((entry) =>
      entry.type === 'closed' && entry.seen.type === 'tools-called' ? entry.seen.outcomes : [],
    )
    assert.equal(outcomes.length, STEPS)
    const unknown = outcomes.filter(({ type }) => type === 'unknown').length
    assert.ok(actions.length >= STEPS - unknown && actions.length <= STEPS)
    // It is a worker like any other again.
    await crew.kill('other')
    await crew.order('next', { steps: 1, ms: 0 })
    await crew.until('next', 'ended')
  })
})
