import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, suite, test } from 'node:test'
import { folderFor, runCommand } from '../../cli/src/testing/run-command.ts'
import type { PostgresServer } from '../../toolchain/postgres-server.ts'
import { postgresServer } from '../postgres/server.ts'
import { freshDatabase } from './fresh-database.ts'
import { busyAgent } from './busy-agent.ts'
import { Crew } from './crew.ts'
import { workerHere } from './kit.ts'

/** A module of the busy agent for the doctor, which only looks at its version and how it loads. */
const moduleOf = (load: string): string => `export default { definition: {
  name: 'busy', version: 2, actors: {}, start: () => ({ state: 0 }), load: ${load},
  next: () => ({ type: 'finish', reason: 'done', result: null }), observe: (state) => ({ state }),
}, middlewares: [] }`

suite('a rolling deploy', { timeout: 300_000 }, () => {
  let postgres: PostgresServer
  before(async () => {
    postgres = await postgresServer()
  })

  test('asks the doctor of the new version, while workers of the old one finish its runs', async (t) => {
    const database = await freshDatabase('deploy')
    const crew = await Crew.on(t, database)
    const folder = folderFor(t)
    const doctor = async (name: string, load: string) => {
      writeFileSync(join(folder, name), moduleOf(load))
      return runCommand(['state', 'doctor', database, '--agent', name], folder)
    }
    await crew.hire('old')
    await crew.order('refused', { steps: 2, ms: 0, asks: true })
    await crew.until('refused', 'waiting')

    const refused = await doctor('strict.mjs', `() => { throw new Error('unknown state') }`)
    assert.equal(refused.status, 1, refused.stdout)
    assert.match(refused.stdout, /run refused {2}busy/)
    assert.match(refused.stdout, /\n0 of 1 would load: 1 refused\n$/)
    const output = `${refused.stdout}${refused.stderr}`
    assert.ok(!output.includes(postgres.password), 'no password is shown')
    await answered(crew, 'refused')
    assert.equal((await crew.store.runs.find('refused'))?.version, 1)

    await crew.order('loads', { steps: 2, ms: 0, asks: true })
    await crew.until('loads', 'waiting')
    const loads = await doctor('lenient.mjs', '(state) => state')
    assert.equal(loads.status, 0, loads.stdout)
    const next = await workerHere({
      database,
      name: 'new',
      agentsOn: (store) => [busyAgent(store, crew.file, { version: 2 })],
    })
    t.after(next.stop)
    await crew.kill('old')
    await answered(crew, 'loads')
    assert.equal(new Set(crew.actions).size, 2, 'no action is done twice')
  })
})

/** Answers what a run waits for, and waits until it ends. */
async function answered(crew: Crew, run: string): Promise<void> {
  const [request] = (await crew.store.runs.find(run))?.requests ?? []
  await crew.engine.answer(run, { request: request?.id ?? '', reply: 'yes' })
  await crew.until(run, 'ended')
  assert.equal((await crew.store.runs.find(run))?.status, 'finished')
}
