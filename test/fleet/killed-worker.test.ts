import assert from 'node:assert/strict'
import { before, suite, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { seededRandom } from '../../packages/echelon/src/core/value/random.ts'
import type { PostgresServer } from '../../toolchain/postgres-server.ts'
import { postgresServer } from '../postgres/server.ts'
import { IS_WHOLE, SEED } from '../share.ts'
import { freshDatabase } from './fresh-database.ts'
import { Crew } from './crew.ts'
import { loadAhead } from './worker-pool.ts'

/** Rounds, each on a database of its own, so that none takes longer than a test may. */
const ROUNDS = IS_WHOLE ? 5 : 1
/** Kills of each of the two workers in a round: 100 in all rounds. */
const KILLS = IS_WHOLE ? 10 : 2
const STEPS = 8
/** Runs that are ordered before each kill. */
const RUNS = 6
/** The longest time from their order to the kill. */
const MOST_WAIT_MS = 300

/** Actions of a run by the outcome that its journal has for them. */
async function outcomesOf(crew: Crew, run: string): Promise<readonly string[]> {
  const entries = await crew.store.runs.read(run)
  return entries.flatMap((entry) =>
    entry.type === 'closed' && entry.seen.type === 'tools-called'
      ? entry.seen.outcomes.map(({ type }) => type)
      : [],
  )
}

/** Kills a worker at random points of the runs, and starts it again. @returns the runs that were ordered */
async function killedAtRandom(
  crew: Crew,
  name: string,
  random: () => number,
): Promise<readonly string[]> {
  const runs: string[] = []
  for (let kill = 0; kill < KILLS; kill++) {
    const added = Array.from({ length: RUNS }, (_, n) => `run-${name}-${kill}-${n}`)
    runs.push(...added)
    const work = () => ({ steps: STEPS, ms: 5 + Math.floor(random() * 20) })
    await Promise.all(added.map((run) => crew.order(run, work())))
    loadAhead(2)
    await wait(random() * MOST_WAIT_MS)
    await crew.kill(name)
    await crew.hire(name)
  }
  return runs
}

suite('workers that are killed', { timeout: 3_600_000 }, () => {
  let postgres: PostgresServer
  before(async () => {
    postgres = await postgresServer()
  })

  for (let round = 0; round < ROUNDS; round++) {
    test(`lose nothing and do no action twice (${round + 1} of ${ROUNDS})`, async (t) => {
      const random = seededRandom(SEED + round)
      const crew = await Crew.on(t, await freshDatabase(`killed-${round}`))
      const names = ['one', 'two']
      loadAhead(names.length)
      await Promise.all(names.map((name) => crew.hire(name)))
      const ordered = await Promise.all(names.map((name) => killedAtRandom(crew, name, random)))
      const runs = ordered.flat()
      for (const run of runs) await crew.until(run, 'ended')
      const { actions } = crew
      assert.equal(new Set(actions).size, actions.length, 'no action is done twice')
      let unknown = 0
      for (const run of runs) {
        const outcomes = await outcomesOf(crew, run)
        assert.equal(outcomes.length, STEPS, `${run}: every step is on record`)
        unknown += outcomes.filter((type) => type === 'unknown').length
      }
      // An action whose worker died in it may have been done or not.
      const all = runs.length * STEPS
      assert.ok(actions.length >= all - unknown && actions.length <= all)
      t.diagnostic(`${names.length * KILLS} kills, ${all} actions, ${unknown} of unknown outcome`)
    })
  }

  test('are replaced by the others, even if they never come back', async (t) => {
    const crew = await Crew.on(t, await freshDatabase('vanished'))
    await crew.hire('gone')
    await crew.order('run', { steps: 20, ms: 50 })
    await crew.until('run', 'working')
    await wait(200)
    await crew.kill('gone')
    await crew.hire('other')
    await crew.until('run', 'ended')
    const outcomes = await outcomesOf(crew, 'run')
    assert.equal(outcomes.length, 20)
    assert.equal(new Set(crew.actions).size, crew.actions.length)
  })

  test('a database that restarts in the middle costs time, not work', async (t) => {
    const crew = await Crew.on(t, await freshDatabase('restarted'))
    await Promise.all(['one', 'two'].map((name) => crew.hire(name)))
    const runs = Array.from({ length: 10 }, (_, n) => `run-${n}`)
    for (const run of runs) await crew.order(run, { steps: 20, ms: 30 })
    await wait(300)
    await postgres.crash()
    for (const run of runs) await crew.until(run, 'ended')
    for (const run of runs) assert.equal((await outcomesOf(crew, run)).length, 20)
    assert.equal(new Set(crew.actions).size, crew.actions.length, 'no action is done twice')
  })
})
