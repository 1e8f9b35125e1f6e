import { DBOS } from '@dbos-inc/dbos-sdk'
import { Client } from 'pg'
import { createBeats } from './beats.ts'
import { createDeaths } from './worker/queue-rows.ts'
import type { FleetDatabase } from './database-address.ts'

const RETRY_MS = 50

/**
 * Creates or upgrades the tables of the queues. Any number of processes may do so at once: one does, and the
 * others wait for it.
 */
export async function createQueues({ url, engineUrl, queues }: FleetDatabase): Promise<void> {
  const client = new Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    // Asked again and again: a statement that waits for the lock would hold up the indexes that are built.
    while (!(await isLocked(client, queues))) {
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
    await DBOS.migrate(engineUrl, { schemaName: queues })
    await client.query(createBeats(queues))
    await client.query(createDeaths(queues))
    if (await isSortedByLanguage(client)) await client.query(createIds(queues))
  } finally {
    await client.end()
  }
}

/** DBOS looks for ids by what they begin with; only an index by bytes can. */
const createIds = (queues: string): string =>
  `create index concurrently if not exists echelon_ids on "${queues}".workflow_status (workflow_uuid text_pattern_ops)`

/** A database that sorts by bytes needs no second index. */
async function isSortedByLanguage(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ sorted: boolean }>(`select 'a' < 'B' as sorted`)
  return rows[0]?.sorted === true
}

/** The session holds the lock, so it is released even if this process dies. */
async function isLocked(client: Client, queues: string): Promise<boolean> {
  const { rows } = await client.query<{ held: boolean }>(
    'select pg_try_advisory_lock(hashtextextended($1, 0)) as held',
    [`${queues}/migrate`],
  )
  return rows[0]?.held === true
}
