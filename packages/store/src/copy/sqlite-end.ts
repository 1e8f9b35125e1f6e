import { existsSync } from 'node:fs'
import { EchelonError } from 'echelon/internal/value'
import { Database } from '../sqlite/file/database.ts'
import { removePart } from '../sqlite/file/backup-parts.ts'
import { checkedIn } from '../sqlite/checksum/summed-tables.ts'
import { isGone } from '../sqlite/runs/holder.ts'
import { columnsOf, type CopiedRow, type CopiedTable, copiedValue } from './copied-tables.ts'
import { BATCH, type CopyEnd, type CopyTarget } from './copy-end.ts'

/** @throws EchelonError INVALID_INPUT if there is no such file */
export async function sqliteSource(path: string): Promise<CopyEnd> {
  if (!existsSync(path)) {
    throw new EchelonError('INVALID_INPUT', `there is no file ${path}; name an existing store`)
  }
  const db = await Database.openToLook(path)
  db.exec('begin')
  return { ...endOf(db), close: async () => db.close() }
}

/** A file that did not exist is removed again unless it is committed. */
export async function sqliteTarget(path: string): Promise<CopyTarget> {
  const isNew = !existsSync(path)
  const db = await Database.open(path)
  let isCommitted = false
  try {
    // No other process writes to it meanwhile.
    db.exec('begin immediate')
  } catch (error) {
    db.close()
    throw error
  }
  return {
    ...endOf(db),
    put: async (table, rows) => {
      const columns = columnsOf(table)
      const insert = db.prepare(
        `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
      )
      for (const row of rows) insert.run(...row)
    },
    commit: async () => {
      db.exec('commit')
      isCommitted = true
    },
    close: async () => {
      db.close()
      if (isNew && !isCommitted) removePart(path)
    },
  }
}

const endOf = (db: Database): Omit<CopyEnd, 'close'> => ({
  place: db.path,
  count: async (table) =>
    Number(db.prepare(`select count(*) as rows from ${table}`).get()?.['rows']),
  rows: (table) => rowsOf(db, table),
  heldBy: async () => {
    const held = db
      .prepare('select name, holder from leases where holder is not null and expires_at > ?')
      .all(Date.now())
    const live = held.find(({ holder }) => !isGone(String(holder)))
    return live && String(live['name'])
  },
})

/** A damaged row ends the copy: it is whole or refused. */
async function* rowsOf(db: Database, table: CopiedTable): AsyncGenerator<readonly CopiedRow[]> {
  const columns = columnsOf(table)
  const read = db.prepare(
    `select rowid as nth_row, ${columns.join(', ')}, ${checkedIn(table)} as whole
     from ${table} where rowid > ? order by rowid limit ${BATCH}`,
  )
  for (let after = 0; ;) {
    const rows = read.all(after)
    if (rows.length === 0) return
    yield rows.map((row) => columns.map((column) => copiedValue(row[column])))
    after = Number(rows.at(-1)?.['nth_row'])
  }
}
