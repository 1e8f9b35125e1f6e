import { EchelonError } from 'echelon/internal/value'
import type { Postgres, Queries } from '../connection/database.ts'
import { codeOf } from '../connection/failures.ts'
import { foreignSchema, newerSchema, olderStandby } from '../connection/unusable.ts'
import type { PostgresMigration } from './postgres-schema.ts'

/** The parts of a schema, which are created on their first use. */
export type Part = 'store' | 'knowledge'

/** Holds the version of each part. */
const VERSIONS = 'echelon_versions'

const UNDEFINED_TABLE = '42P01'

/**
 * Creates or upgrades a part of the schema. Any number of processes may do so at once: one does, and
 * the others wait for it.
 * @throws EchelonError STORE_UNUSABLE for a schema that is newer or of another program, or if the user
 * may not create it; nothing is changed then
 */
export async function migrate(
  db: Postgres,
  part: Part,
  migrations: readonly PostgresMigration[],
): Promise<void> {
  // Nearly always done already: one query and no lock.
  if ((await versionOf(db, part)) === migrations.length) return
  await db.transaction(async (queries) => {
    const { schema } = db.address
    await queries.all('select pg_advisory_xact_lock(hashtextextended($1, 0))', `echelon:${schema}`)
    await createSchema(db, queries)
    const found = await versionOf(queries, part)
    if (found > migrations.length) throw newerSchema(db.place, found, migrations.length)
    // One message for all: a new store is there sooner.
    await queries.run(
      migrations
        .slice(found)
        .flatMap((migration) => migration())
        .join(';\n'),
    )
    await queries.run(
      `insert into ${VERSIONS} (part, version) values ($1, $2)
       on conflict (part) do update set version = excluded.version`,
      part,
      migrations.length,
    )
  })
}

/**
 * Checks that a part can be read as it is.
 * @throws EchelonError STORE_UNUSABLE; its details have the `schema`, `absent` or `older`, if a process that writes
 * there would create or upgrade it
 */
export async function checkVersion(
  db: Postgres,
  part: Part,
  migrations: readonly PostgresMigration[],
  { readsOlder = false }: { readonly readsOlder?: boolean } = {},
): Promise<void> {
  const found = await versionOf(db, part)
  if (found > migrations.length) throw newerSchema(db.place, found, migrations.length)
  if (found === 0) throw nothingThere(db.place)
  if (found < migrations.length && !readsOlder) throw olderStandby(db.place, found)
}

/** Whether a part was ever created. */
export const hasPart = async (db: Postgres, part: Part): Promise<boolean> =>
  (await versionOf(db, part)) > 0

/** @returns 0 for a part that does not exist yet */
async function versionOf(queries: Queries, part: Part): Promise<number> {
  const isThere = await queries.get('select to_regclass($1) as found', VERSIONS)
  if (isThere?.['found'] === null) return 0
  try {
    const row = await queries.get(`select version from ${VERSIONS} where part = $1`, part)
    return Number(row?.['version'] ?? 0)
  } catch (error) {
    // Dropped between the two.
    if (codeOf(error) === UNDEFINED_TABLE) return 0
    throw error
  }
}

/** Tables without our versions are of somebody else. */
async function refuseForeign(db: Postgres, queries: Queries): Promise<void> {
  const { schema } = db.address
  const other = await queries.get(
    'select 1 from pg_catalog.pg_tables where schemaname = $1 limit 1',
    schema,
  )
  if (other !== undefined) throw foreignSchema(db.place, schema)
}

async function createSchema(db: Postgres, queries: Queries): Promise<void> {
  const { schema } = db.address
  const there = await queries.get(
    'select 1 from pg_catalog.pg_namespace where nspname = $1',
    schema,
  )
  // Even `if not exists` demands the right to create one.
  if (there === undefined) await queries.run(`create schema ${schema}`)
  const ours = await queries.get('select to_regclass($1) as found', VERSIONS)
  if (ours?.['found'] !== null) return
  await refuseForeign(db, queries)
  await queries.run(`create table ${VERSIONS} (part text primary key, version bigint not null)`)
}

const nothingThere = (place: string): EchelonError =>
  new EchelonError(
    'STORE_UNUSABLE',
    `${place} holds no store yet; the first run that is kept there creates it`,
    { details: { schema: 'absent' } },
  )
