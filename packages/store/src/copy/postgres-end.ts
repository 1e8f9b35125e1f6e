import { EchelonError } from 'echelon/internal/value'
import type { Json } from 'echelon/runtime'
import { Postgres, type Queries } from '../postgres/connection/database.ts'
import { isGone } from '../postgres/runs/holder.ts'
import { ownerOf } from '../postgres/runs/run-rows.ts'
import { checkVersion, migrate } from '../postgres/schema/migrate.ts'
import { STORE_MIGRATIONS } from '../postgres/schema/postgres-schema.ts'
import { columnsOf, type CopiedRow, type CopiedTable, copiedValue } from './copied-tables.ts'
import { BATCH, type CopyEnd, type CopyTarget } from './copy-end.ts'

export async function postgresSource(address: string): Promise<CopyEnd> {
  const db = new Postgres(address, { look: true })
  try {
    await checkVersion(db, 'store', STORE_MIGRATIONS)
    const { queries, release } = await db.reserve()
    await queries.run('begin isolation level repeatable read read only')
    return { ...endOf(db.place, queries), close: () => closing(db, queries, release) }
  } catch (error) {
    await db.close()
    throw error
  }
}

export async function postgresTarget(address: string): Promise<CopyTarget> {
  const db = new Postgres(address)
  try {
    await migrate(db, 'store', STORE_MIGRATIONS)
    const { queries, release } = await db.reserve()
    await queries.run('begin')
    // No other process writes to it meanwhile. Whoever works on it makes this fail after a while.
    await queries.run(`lock table ${LOCKED.join(', ')} in share row exclusive mode`)
    return {
      ...endOf(db.place, queries),
      put: (table, rows) => put(queries, table, rows),
      commit: async () => {
        await countOn(queries)
        await queries.run('commit')
      },
      close: () => closing(db, queries, release),
    }
  } catch (error) {
    await db.close()
    throw error
  }
}

/** Whatever a process writes first is in one of these. */
const LOCKED = ['runs', 'sessions', 'leases', 'memories', 'memory_writes', 'notes', 'audit']

/** What is not committed is rolled back with its connection. */
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
  heldBy: async () => {
    const held = await queries.all(
      'select name, holder from leases where holder is not null and expires_at > $1',
      Date.now(),
    )
    const live = held.find(({ holder }) => !isGone(String(holder)))
    return live && String(live['name'])
  },
})

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

/** Numbers continue after those of the copied rows. */
async function countOn(queries: Queries): Promise<void> {
  for (const [table, column, sequence] of [
    ['notes', 'n', `pg_get_serial_sequence('notes', 'n')`],
    ['notes', 'changed_n', `'note_changes'`],
    ['audit', 'n', `pg_get_serial_sequence('audit', 'n')`],
  ]) {
    await queries.all(
      `select setval(${sequence}, max(${column})) from ${table} having max(${column}) is not null`,
    )
  }
}
