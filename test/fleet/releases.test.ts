import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { connectFleet, type FleetEngine } from '@echelon/fleet'
import { freshDatabase } from './fresh-database.ts'
import type { BusyRelease, BusyWork } from './busy-agent.ts'
import { Crew } from './crew.ts'

const OLD: BusyRelease = { name: 'one', version: 1 }
const NEW: BusyRelease = { name: 'two', version: 2 }
const STRICT: BusyRelease = { ...NEW, refusesOlder: true }

suite('two releases on one database', { timeout: 300_000 }, () => {
  /** A crew, and the servers of both releases. */
  async function fleet(t: Parameters<typeof Crew.on>[0], name: string) {
    const database = await freshDatabase(name)
    const crew = await Crew.on(t, database)
    const { store } = crew
    const old = await connectFleet({ database, store, release: OLD.name })
    const next = await connectFleet({ database, store, release: NEW.name })
    t.after(() => Promise.all([old.close(), next.close()]))
    return { crew, old, next }
  }

  const order = (
    engine: FleetEngine,
    run: string,
    work: BusyWork,
    session?: string,
  ): Promise<void> => {
    const task = {
      agent: 'busy',
      input: { text: JSON.stringify(work) },
      context: { caller: 'ada', ...(session !== undefined && { session }) },
      held: { maxCost: null, at: Date.now() },
    }
    return engine.start({ run, task, principal: 'ada', ...(session !== undefined && { session }) })
  }

  const answer = async ({ store }: Crew, engine: FleetEngine, run: string): Promise<void> => {
    const [request] = (await store.runs.find(run))?.requests ?? []
    await engine.answer(run, { request: request?.id ?? '', reply: 'yes' })
  }

  const ASKS = { steps: 2, ms: 0, asks: true }
  const QUICK = { steps: 1, ms: 0 }

  test('each performs the runs that it began, also after an answer to the other', async (t) => {
    const { crew, old, next } = await fleet(t, 'both')
    await Promise.all([crew.hire('a', { release: OLD }), crew.hire('b', { release: STRICT })])
    await order(old, 'of-old', ASKS)
    await order(next, 'of-new', ASKS)
    for (const run of ['of-old', 'of-new']) await crew.until(run, 'waiting')
    // The server of the new release takes the answer, and the worker of the old one goes on.
    await answer(crew, next, 'of-old')
    await answer(crew, old, 'of-new')
    for (const run of ['of-old', 'of-new']) await crew.until(run, 'ended')
    const versions = await Promise.all(
      ['of-old', 'of-new'].map(async (run) => (await crew.store.runs.find(run))?.version),
    )
    assert.deepEqual(versions, [1, 2])
  })

  test('the new one takes what the old one left and it can load, and nothing else', async (t) => {
    const { crew, old, next } = await fleet(t, 'left')
    await crew.hire('a', { release: OLD })
    await order(old, 'begun', ASKS)
    await crew.until('begun', 'waiting')
    await crew.dismiss('a')
    await answer(crew, old, 'begun')
    await order(old, 'not-begun', QUICK)
    await crew.hire('b', { release: STRICT })
    await order(next, 'own', QUICK)
    await crew.until('own', 'ended')
    assert.equal((await crew.store.runs.find('not-begun'))?.status, undefined)
    // It asks the doctor of each: what has not begun has no state yet.
    await crew.until('not-begun', 'ended')
    assert.equal((await crew.store.runs.find('not-begun'))?.version, 2)
    await wait(2000)
    assert.deepEqual(
      crew.actions.filter((key) => key.startsWith('begun')).length,
      1,
      'it waits for a worker of its own release',
    )
    // A release that can load it takes it. Workers of one release are alike, so the strict one stops.
    await crew.dismiss('b')
    await crew.hire('c', { release: NEW })
    await crew.until('begun', 'ended')
    assert.equal((await crew.store.runs.find('begun'))?.status, 'finished')
  })

  test('the turns of a session keep their order across releases', async (t) => {
    const { crew, old, next } = await fleet(t, 'session')
    await order(old, 'first', QUICK, 'ada/busy/s')
    await order(next, 'second', QUICK, 'ada/busy/s')
    await order(next, 'third', QUICK, 'ada/busy/s')
    await crew.hire('b', { release: NEW })
    await wait(500)
    assert.equal(crew.actions.length, 0, 'the first turn waits for its release')
    await crew.hire('a', { release: OLD })
    for (const run of ['first', 'second', 'third']) await crew.until(run, 'ended')
    assert.deepEqual(
      crew.actions.map((key) => key.slice(0, key.indexOf(':'))),
      ['first', 'second', 'third'],
    )
  })

  test('a worker that restarts as another release leaves the legs of its name to the old one', async (t) => {
    const { crew, old } = await fleet(t, 'renamed')
    await crew.hire('same', { release: OLD })
    await order(old, 'run', { steps: 20, ms: 50 })
    while (crew.actions.length < 3) await wait(10)
    await crew.kill('same')
    await crew.hire('same', { release: STRICT })
    await crew.hire('other', { release: OLD })
    await crew.until('run', 'ended')
    assert.equal((await crew.store.runs.find('run'))?.status, 'finished')
    assert.equal(new Set(crew.actions).size, crew.actions.length, 'no action is done twice')
  })
})
