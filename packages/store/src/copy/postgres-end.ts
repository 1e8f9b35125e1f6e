import { EchelonError } from 'echelon/internal/value'
import type { Json } from 'echelon/runtime'
import { Postgres, type Queries } from '../postgres/connection/database.ts'
import { isGone } from '../postgres/runs/holder.ts'
import { ownerOf } from '../postgres/runs/run-rows.ts'
import { lockKnowledge } from '../postgres/knowledge/knowledge-rows.ts'
import { extensionSchema } from '../postgres/knowledge/vector-extension.ts'
import { checkVersion, hasPart, migrate } from '../postgres/schema/migrate.ts'
import {
  KNOWLEDGE_MIGRATIONS,
  type PostgresMigration,
  STORE_MIGRATIONS,
} from '../postgres/schema/postgres-schema.ts'
import {
  columnsOf,
  type CopiedPart,
  type CopiedRow,
  type CopiedTable,
  copiedValue,
} from './copied-tables.ts'
import { BATCH, type CopyEnd, type CopySource, type CopyTarget } from './copy-end.ts'
import { waitingOrders } from './waiting-orders.ts'
import { deriveFromRows } from './derived-knowledge.ts'

const MIGRATIONS: Readonly<Record<CopiedPart, readonly PostgresMigration[]>> = {
  store: STORE_MIGRATIONS,
  knowledge: KNOWLEDGE_MIGRATIONS,
}

export async function postgresSource(address: string): Promise<CopySource> {
  const db = new Postgres(address, { look: true })
  try {
    await db.reach()
    const hasKnowledge = await hasPart(db, 'knowledge')
    // Without either, the error is that of a store.
    const parts: readonly CopiedPart[] = [
      ...(!hasKnowledge || (await hasPart(db, 'store')) ? ['store' as const] : []),
      ...(hasKnowledge ? ['knowledge' as const] : []),
    ]
    for (const part of parts) await checkVersion(db, part, MIGRATIONS[part])
    const { queries, release } = await db.reserve()
    await queries.run('begin isolation level repeatable read read only')
    return {
      ...endOf(db.place, queries),
      parts,
      heldBy: () => heldBy(queries),
      waitingOrders: () => waitingOrders(queries, db.address.schema),
      close: () => closing(db, queries, release),
    }
  } catch (error) {
    await db.close()
    throw error
  }
}

export async function postgresTarget(
  address: string,
  parts: readonly CopiedPart[],
): Promise<CopyTarget> {
  const db = new Postgres(address)
  try {
    await db.reach()
    for (const part of parts) await migrate(db, part, MIGRATIONS[part])
    const { queries, release } = await db.reserve()
    await queries.run('begin')
    // No other process writes to it meanwhile. If another process works on it, this fails after a timeout.
    if (parts.includes('store'))
      await queries.run(`lock table ${LOCKED.join(', ')} in share row exclusive mode`)
    if (parts.includes('knowledge')) await lockKnowledge(queries)
    const extension = await extensionSchema(queries)
    return {
      ...endOf(db.place, queries),
      async put(table, rows) {
        await put(queries, table, rows)
        await deriveFromRows(queries, table, rows, extension)
      },
      commit: async () => {
        await countOn(queries, parts)
        await queries.run('commit')
      },
      close: () => closing(db, queries, release),
    }
  } catch (error) {
    await db.close()
    throw error
  }
}

/** The first write of any process goes to one of these. */
const LOCKED = ['runs', 'sessions', 'leases', 'memories', 'memory_writes', 'notes', 'audit']

/** Rolls back an open transaction, then closes the connection. */
async function closing(db: Postgres, queries: Queries, release: () => void): Promise<void> {
  await queries.run('rollback').catch(() => undefined)
  release()
  await db.close()
}

const endOf = (place: string, queries: Queries): Omit<CopyEnd, 'close'> => ({
  place,
  count: async (table) =>
    Number((await queries.get(`select count(*) as rows from ${table}`))?.['rows']),
  rows: (table) => rowsOf(queries, table),
})

async function heldBy(queries: Queries): Promise<string | undefined> {
  const held = await queries.all(
    'select name, holder from leases where holder is not null and expires_at > $1',
    Date.now(),
  )
  const live = held.find(({ holder }) => !isGone(String(holder)))
  return live && String(live['name'])
}

/** Files in the order in which they were recorded, lines in theirs. */
const ORDERS: Readonly<Partial<Record<CopiedTable, string>>> = { artifacts: 'nth', audit: 'n' }

async function* rowsOf(queries: Queries, table: CopiedTable): AsyncGenerator<readonly CopiedRow[]> {
  const columns = columnsOf(table)
  const order = ORDERS[table]
  await queries.run(
    `declare copied no scroll cursor for select ${columns.join(', ')} from ${table}
     ${order === undefined ? '' : `order by ${order}`}`,
  )
  try {
    for (;;) {
      const rows = await queries.all(`fetch ${BATCH} from copied`)
      if (rows.length === 0) return
      yield rows.map((row) => columns.map((column) => copiedValue(row[column])))
    }
  } finally {
    await queries.run('close copied')
  }
}

async function put(
  queries: Queries,
  table: CopiedTable,
  rows: readonly CopiedRow[],
): Promise<void> {
  const columns = [...columnsOf(table), ...(table === 'runs' ? ['owner'] : [])]
  const types = await typesOf(queries, table)
  const values = table === 'runs' ? rows.map((row) => [...row, ownerIn(row)]) : rows
  const lists = columns.map((_, nth) => values.map((row) => row[nth] ?? null))
  const given = columns.map((column, nth) => `$${nth + 1}::${types.get(column) ?? 'text'}[]`)
  await queries.run(
    `insert into ${table} (${columns.join(', ')}) select * from unnest(${given.join(', ')})`,
    ...lists,
  )
}

function ownerIn(row: CopiedRow): string | null {
  const columns = columnsOf('runs')
  const [made, session] = ['made_json', 'session'].map((name) => row[columns.indexOf(name)])
  try {
    const value: Json = JSON.parse(String(made))
    return ownerOf(value, typeof session === 'string' ? session : null)
  } catch {
    throw new EchelonError('STORE_DAMAGED', 'a run to copy is damaged; restore a backup first')
  }
}

async function typesOf(queries: Queries, table: CopiedTable): Promise<ReadonlyMap<string, string>> {
  const rows = await queries.all(
    `select column_name, data_type from information_schema.columns
     where table_schema = current_schema() and table_name = $1`,
    table,
  )
  return new Map(rows.map((row) => [String(row['column_name']), String(row['data_type'])]))
}

/** Tables whose rows are numbered, and what counts them. */
const COUNTED: Readonly<Record<CopiedPart, readonly (readonly [string, string, string])[]>> = {
  store: [
    ['notes', 'n', `pg_get_serial_sequence('notes', 'n')`],
    ['notes', 'changed_n', `'note_changes'`],
    ['audit', 'n', `pg_get_serial_sequence('audit', 'n')`],
  ],
  knowledge: [
    ['sources', 'n', `pg_get_serial_sequence('sources', 'n')`],
    ['chunks', 'n', `pg_get_serial_sequence('chunks', 'n')`],
  ],
}

/** Numbers continue after those of the copied rows. */
async function countOn(queries: Queries, parts: readonly CopiedPart[]): Promise<void> {
  for (const [table, column, sequence] of parts.flatMap((part) => COUNTED[part])) {
    await queries.all(
      `select setval(${sequence}, max(${column})) from ${table} having max(${column}) is not null`,
    )
  }
}
