import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { connectFleet, type FleetLimits } from '@echelon/fleet'
import { openStore } from '@echelon/store'
import { freshDatabase } from './fresh-database.ts'
import { busyAgent } from './busy-agent.ts'
import { Crew } from './crew.ts'
import { workerHere } from './kit.ts'

const LIMITED: FleetLimits = { principals: { ada: { atOnce: 3 } } }
const RUNS = ['a', 'b', 'c', 'd', 'e', 'f']

suite('limits that are changed', { timeout: 300_000 }, () => {
  for (const [how, limits, most] of [
    ['removed', {}, RUNS.length],
    ['lowered', { principals: { ada: { atOnce: 1 } } }, 1],
  ] as const) {
    test(`let pass what was queued before they were ${how}`, async (t) => {
      const database = await freshDatabase(how)
      const crew = await Crew.on(t, database, LIMITED)
      for (const run of RUNS) await crew.order(run, { steps: 1, ms: 50 })
      const agentsOn: Parameters<typeof workerHere>[0]['agentsOn'] = (store) => [
        busyAgent(store, crew.file),
      ]
      const worker = await workerHere({ database, limits, agentsOn })
      t.after(worker.stop)
      for (const run of RUNS) await crew.until(run, 'ended')
      assert.equal(crew.actions.length, RUNS.length)
      assert.ok(crew.mostAtOnce <= most)
    })
  }

  test('let pass what a server orders that has limits its workers do not know yet', async (t) => {
    const database = await freshDatabase('added')
    const crew = await Crew.on(t, database)
    await crew.hire('old')
    const engine = await connectFleet({ database, store: crew.store, limits: LIMITED })
    t.after(() => engine.close())
    const task = {
      agent: 'busy',
      input: { text: '{"steps":1,"ms":0}' },
      context: { caller: 'ada' },
      held: { maxCost: null, at: Date.now() },
    }
    await engine.start({ run: 'new', task, principal: 'ada' })
    await crew.until('new', 'ended')
  })

  test('are refused if nothing could ever begin', async (t) => {
    const database = await freshDatabase('none')
    const store = await openStore(database)
    t.after(() => store.close())
    for (const limits of [
      { atOncePerWorker: 0 },
      { principals: { ada: { atOnce: 0 } } },
      { rate: { legs: 0.5, seconds: 1 } },
    ]) {
      await assert.rejects(connectFleet({ database, store, limits }), { code: 'INVALID_CONFIG' })
    }
  })
})
