import { connectFleet } from '@echelon/fleet'
import { openStore } from '@echelon/store'
import { postgresServer } from '../postgres/server.ts'

const PREPARED = 'prepared'
let prepared: Promise<void> | undefined

/** Creates a database that has the tables of a fleet: copying them takes a tenth of the time of making them. */
export async function freshDatabase(name: string): Promise<string> {
  await (prepared ??= prepare())
  return (await postgresServer()).create(name, PREPARED)
}

async function prepare(): Promise<void> {
  const database = await (await postgresServer()).create(PREPARED)
  const store = await openStore(database)
  const engine = await connectFleet({ database, store, limits: {} })
  await engine.close()
  await store.close()
}
