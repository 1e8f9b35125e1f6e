import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { fleetFigures } from '@echelon/fleet'
import { createServer } from '@echelon/server'
import { freshDatabase } from './fresh-database.ts'
import { busyAgent } from './busy-agent.ts'
import { Crew } from './crew.ts'
import { workerHere } from './kit.ts'

/** The samples that a server on a database serves now, by their name and labels. */
async function scraped(
  { store }: Crew,
  database: string,
  recovered = (): number => 0,
): Promise<ReadonlyMap<string, number>> {
  const figures = fleetFigures(database)
  const { app } = createServer({
    agents: [],
    store,
    figures: [...figures.list, figures.recovered(recovered)],
  })
  const text = await (await app.request('/metrics')).text()
  await figures.close()
  const samples = text.split('\n').flatMap((line) => {
    const [, name, value] = /^(echelon_\S+) (\S+)$/.exec(line) ?? []
    return name === undefined ? [] : [[name, Number(value)] as const]
  })
  return new Map(samples)
}

const DEPTH = 'echelon_queue_depth{queue="legs"}'
const OLDEST = 'echelon_queue_oldest_seconds{queue="legs"}'

suite('the metrics of a fleet', { timeout: 300_000 }, () => {
  const crewOn = async (t: TestContext, name: string): Promise<[Crew, string]> => {
    const database = await freshDatabase(name)
    return [await Crew.on(t, database), database]
  }

  test('show how many legs wait, since when, and the runs by state', async (t) => {
    const [crew, database] = await crewOn(t, 'depth')
    const runs = ['a', 'b', 'c']
    for (const run of runs) await crew.order(run, { steps: 1, ms: 0, asks: true })
    await wait(300)
    const queued = await scraped(crew, database)
    assert.equal(queued.get(DEPTH), 3)
    const oldest = queued.get(OLDEST) ?? 0
    assert.ok(oldest >= 0.3 && oldest < 60, `${oldest} seconds`)
    await crew.hire('one')
    for (const run of runs) await crew.until(run, 'waiting')
    await crew.order('long', { steps: 100, ms: 50 })
    while (crew.actions.length === 0) await wait(20)
    const working = await scraped(crew, database)
    assert.equal(working.get(DEPTH), 0, 'nothing is queued')
    assert.equal(working.get('echelon_runs_unfinished{status="waiting"}'), 3)
    assert.equal(working.get('echelon_runs_unfinished{status="open"}'), 1)
    assert.equal(working.get('echelon_legs_working{worker="one"}'), 1)
    await crew.engine.cancel('long')
    await crew.until('long', 'ended')
  })

  test('count the legs of a worker that vanished', async (t) => {
    const [crew, database] = await crewOn(t, 'recovered')
    await crew.hire('gone')
    await crew.order('run', { steps: 20, ms: 50 })
    while (crew.actions.length === 0) await wait(20)
    await crew.kill('gone')
    const { worker, stop } = await workerHere({
      database,
      name: 'survivor',
      agentsOn: (store) => [busyAgent(store, crew.file)],
    })
    t.after(stop)
    const recovered = (): number => worker.recovered
    assert.equal((await scraped(crew, database, recovered)).get('echelon_recovered_legs'), 0)
    await crew.until('run', 'ended')
    assert.equal((await scraped(crew, database, recovered)).get('echelon_recovered_legs'), 1)
  })
})
