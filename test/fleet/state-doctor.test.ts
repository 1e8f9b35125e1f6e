import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, suite, test, type TestContext } from 'node:test'
import { openStore } from '@echelon/store'
import { Client } from 'pg'
import { folderFor, type Ran, runCommand } from '../../cli/src/testing/run-command.ts'
import type { PostgresServer } from '../../toolchain/postgres-server.ts'
import counter from '../../examples/deploy/counter.ts'
import { postgresServer } from '../postgres/server.ts'

const DEPLOY = join(import.meta.dirname, '../../examples/deploy')
const COUNTER = join(DEPLOY, 'counter.ts')

const OTHER = `export default { name: 'other', version: 1, actors: {}, start: () => ({ state: 0 }),
  next: () => ({ type: 'finish', reason: 'done', result: null }), observe: (state) => ({ state }), load: () => 0 }`

async function query(database: string, text: string): Promise<readonly unknown[]> {
  const client = new Client({ connectionString: database })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

/** Leaves a run of the counter in a database that has done some steps. */
async function leaveRun(t: TestContext, database: string): Promise<void> {
  const store = await openStore(database)
  const home = process.cwd()
  const folder = folderFor(t)
  mkdirSync(join(folder, '.echelon'))
  process.chdir(folder)
  try {
    const context = { runId: 'left', caller: 'ada', made: null }
    const run = await counter({ store }).start({ text: '40' }, context)
    const suspended = { code: 'RUN_SUSPENDED' }
    const left = assert.rejects(run.outcome, suspended)
    await assert.rejects(async () => {
      for await (const { type } of run) if (type === 'tool-end') run.suspend?.()
    }, suspended)
    await left
  } finally {
    process.chdir(home)
    await store.close()
  }
}

suite('the state doctor before a deploy', { timeout: 300_000 }, () => {
  let postgres: PostgresServer
  before(async () => {
    postgres = await postgresServer()
  })

  /** The doctor, with the database in its environment. */
  const doctor = (folder: string, database: string, ...args: readonly string[]): Promise<Ran> =>
    runCommand(['state', 'doctor', ...args], folder, { env: { ECHELON_DATABASE: database } })

  test('loads the agents that workers run, from arguments and from the folder of agents', async (t) => {
    const database = await postgres.create('agents_of_workers')
    await leaveRun(t, database)
    const folder = folderFor(t)
    writeFileSync(join(folder, 'other.mjs'), OTHER)

    const without = await doctor(folder, database)
    assert.equal(without.status, 1, without.stderr)
    assert.match(without.stdout, /there is no agent counter here; name the module .* --agent/)

    for (const args of [
      [database, '--agent', COUNTER],
      ['--agent', 'other.mjs', '--agent', COUNTER],
    ]) {
      const named = await doctor(folder, database, ...args)
      assert.deepEqual([named.status, named.stderr], [0, ''], named.stdout)
      assert.equal(named.stdout, '1 of 1 would load, nothing changed\n')
    }

    writeFileSync(
      join(folder, 'config.yaml'),
      `server: { agents_folder: ${JSON.stringify(DEPLOY)} }\n`,
    )
    const inFolder = await doctor(folder, database)
    assert.deepEqual([inFolder.status, inFolder.stderr], [0, ''], inFolder.stdout)
    assert.equal(inFolder.stdout, '1 of 1 would load, nothing changed\n')
  })

  test('lets a first deploy pass, and creates nothing', async (t) => {
    const database = await postgres.create('first_deploy')
    const { status, stdout, stderr } = await doctor(folderFor(t), database)
    assert.deepEqual([status, stderr], [0, ''])
    assert.equal(
      stdout,
      'the database holds no store yet; the first worker or server creates it\nthere is nothing to load\n',
    )
    const found = await query(database, `select to_regnamespace('echelon') as schema`)
    assert.deepEqual(found, [{ schema: null }])
  })

  test('lets an upgrade of the store pass, and leaves it to the workers', async (t) => {
    const database = await postgres.create('upgrade')
    await leaveRun(t, database)
    // What version 2 added.
    await query(
      database,
      `drop table echelon.orders; drop index echelon.runs_unfinished, echelon.runs_by_wake;
       update echelon.echelon_versions set version = 1 where part = 'store'`,
    )
    const older =
      /^the store is of the older version 1, and the first worker or server upgrades it; /
    const folder = folderFor(t)
    const read = await doctor(folder, database, '--agent', COUNTER)
    assert.deepEqual([read.status, read.stderr], [0, ''], read.stdout)
    assert.match(read.stdout, older)
    assert.match(read.stdout, /were checked as they are\n1 of 1 would load, nothing changed\n$/)
    const refused = await doctor(folder, database)
    assert.equal(refused.status, 1, 'a run that does not load stops the deploy all the same')

    await query(database, 'alter table echelon.runs rename column session to conversation')
    const unread = await doctor(folder, database, '--agent', COUNTER)
    assert.deepEqual([unread.status, unread.stderr], [0, ''], unread.stdout)
    assert.match(unread.stdout, older)
    assert.match(unread.stdout, /; its runs were not checked\n/)
    const versions = await query(
      database,
      `select version from echelon.echelon_versions where part = 'store'`,
    )
    assert.deepEqual(versions, [{ version: '1' }], 'the doctor writes nothing')
  })
})
