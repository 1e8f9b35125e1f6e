import assert from 'node:assert/strict'
import { before, suite, test, type TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { PostgresServer } from '../../toolchain/postgres-server.ts'
import { postgresServer } from '../postgres/server.ts'
import { Crew } from './crew.ts'

const GIVE_UP_AFTER = 5

suite('a run that ends its own worker', { timeout: 300_000 }, () => {
  let postgres: PostgresServer
  before(async () => {
    postgres = await postgresServer()
  })

  /** Starts a worker again under its name each time it dies, until nothing is left to do. */
  async function supervised(crew: Crew, isDone: () => Promise<boolean>): Promise<number> {
    let deaths = 0
    for (;;) {
      // It may die before it says that it has started.
      await crew.hire('one', { giveUpAfter: GIVE_UP_AFTER }).catch(() => undefined)
      const over = new AbortController()
      const death = crew.death('one').then(() => 'died' as const)
      const done = until(isDone, over.signal)
      const end = await Promise.race([death, done])
      over.abort()
      if (end !== 'died') return deaths
      deaths++
      assert.ok(deaths < 3 * GIVE_UP_AFTER, 'it is interrupted without end')
    }
  }

  async function until(isDone: () => Promise<boolean>, signal: AbortSignal): Promise<'done'> {
    while (!signal.aborted && !(await isDone())) await wait(20)
    return 'done'
  }

  const crewOn = async (t: TestContext, name: string): Promise<Crew> =>
    Crew.on(t, await postgres.create(name))

  const places = (crew: Crew, runs: readonly string[]) =>
    Promise.all(runs.map(async (run) => (await crew.engine.status(run))?.type))

  test('in a tool is given up, and the other runs of the worker end', async (t) => {
    const crew = await crewOn(t, 'deadly-tool')
    const others = Array.from({ length: 6 }, (_, nth) => `other-${nth}`)
    // Each of their steps takes longer than the worker lives beside the deadly run.
    for (const run of others) await crew.orderDeadly(run, { steps: 3, ms: 900 })
    // They are nearer to being given up than the deadly run: their worker was killed twice before.
    for (let kill = 0; kill < 2; kill++) {
      await crew.hire('one', { giveUpAfter: GIVE_UP_AFTER })
      for (const run of others) await crew.until(run, 'working')
      await wait(300)
      await crew.kill('one')
    }
    await crew.orderDeadly('deadly', { steps: 1, ms: 10, dies: 'tool' })
    const all = ['deadly', ...others]
    const deaths = await supervised(crew, async () =>
      (await places(crew, all)).every((place) => place === 'failed' || place === 'ended'),
    )
    assert.deepEqual(await places(crew, all), ['failed', ...others.map(() => 'ended')])
    const summary = await crew.store.runs.find('deadly')
    assert.equal(summary?.status, 'failed')
    assert.match(
      summary?.reason ?? '',
      /given up at step 1: its process died 5 times in a row in deadly; mend .* fork the run at step 1/,
    )
    assert.equal(deaths, GIVE_UP_AFTER, 'it ended the worker no more often')
    for (const run of others) assert.equal((await crew.store.runs.find(run))?.status, 'finished')
  })

  test('before its journal begins is given up, and orders behind it are performed', async (t) => {
    const crew = await crewOn(t, 'deadly-start')
    const others = Array.from({ length: 4 }, (_, nth) => `other-${nth}`)
    await crew.orderDeadly('deadly', { steps: 1, ms: 10, dies: 'start' })
    for (const run of others) await crew.orderDeadly(run, { steps: 1, ms: 50 })
    const all = ['deadly', ...others]
    const deaths = await supervised(crew, async () =>
      (await places(crew, all)).every((place) => place === 'failed' || place === 'ended'),
    )
    assert.deepEqual(await places(crew, all), ['failed', ...others.map(() => 'ended')])
    const place = await crew.engine.status('deadly')
    assert.match(place?.type === 'failed' ? place.reason : '', /given up before its first step/)
    assert.equal(await crew.store.runs.find('deadly'), undefined)
    assert.ok(deaths >= GIVE_UP_AFTER && deaths <= GIVE_UP_AFTER + 1, `${deaths} deaths`)
  })
})
