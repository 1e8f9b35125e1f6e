import { existsSync } from 'node:fs'
import { EchelonError } from 'echelon/internal/value'
import { Database } from '../sqlite/file/database.ts'
import { removePart } from '../sqlite/file/backup-parts.ts'
import { assertWhole } from '../sqlite/checksum/row-sum.ts'
import { isKnowledgeFile } from '../sqlite/knowledge/examine-knowledge.ts'
import { KNOWLEDGE_ID, KNOWLEDGE_MIGRATIONS } from '../sqlite/knowledge/knowledge-schema.ts'
import { isGone } from '../sqlite/runs/holder.ts'
import { chunkText } from './chunk-text.ts'
import {
  columnsOf,
  type CopiedPart,
  type CopiedRow,
  type CopiedTable,
  copiedValue,
  summedTable,
} from './copied-tables.ts'
import { BATCH, type CopyEnd, type CopySource, type CopyTarget } from './copy-end.ts'

/** @throws EchelonError INVALID_INPUT if the file does not exist */
export async function sqliteSource(path: string): Promise<CopySource> {
  if (!existsSync(path)) {
    throw new EchelonError('INVALID_INPUT', `there is no file ${path}; name an existing store`)
  }
  const part = isKnowledgeFile(path) ? 'knowledge' : 'store'
  const db = part === 'store' ? await Database.openToLook(path) : await openPart(path, part)
  db.exec('begin')
  return {
    ...endOf(db),
    parts: [part],
    heldBy: async () => heldBy(db),
    // A file has no fleet.
    waitingOrders: async () => 0,
    close: async () => db.close(),
  }
}

const openPart = (path: string, part: CopiedPart): Promise<Database> =>
  part === 'store' ? Database.open(path) : Database.open(path, KNOWLEDGE_MIGRATIONS, KNOWLEDGE_ID)

/** A file that did not exist is removed again unless it is committed. */
export async function sqliteTarget(path: string, part: CopiedPart): Promise<CopyTarget> {
  const isNew = !existsSync(path)
  const db = await openPart(path, part)
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
      if (table === 'chunks') indexWords(db, rows)
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
})

function heldBy(db: Database): string | undefined {
  // Knowledge has no leases: a process locks it only for a write.
  if (db.prepare(`select 1 from sqlite_schema where name = 'leases'`).get() === undefined) return
  const held = db
    .prepare('select name, holder from leases where holder is not null and expires_at > ?')
    .all(Date.now())
  const live = held.find(({ holder }) => !isGone(String(holder)))
  return live && String(live['name'])
}

/** The index of words is derived from the chunks. Processes that hold the vectors read them again. */
function indexWords(db: Database, rows: readonly CopiedRow[]): void {
  const titleOf = db.prepare('select title from sources where n = ?')
  const words = db.prepare('insert into words (rowid, title, headings, text) values (?, ?, ?, ?)')
  for (const { n, source, headings, text } of rows.map(chunkText)) {
    const title = titleOf.get(source)?.['title'] ?? ''
    words.run(n, String(title), headings.join('\n'), text)
  }
  db.exec('update generation set n = n + 1')
}

/** A damaged row ends the copy: it is whole or refused. */
async function* rowsOf(db: Database, table: CopiedTable): AsyncGenerator<readonly CopiedRow[]> {
  const columns = columnsOf(table)
  const read = db.prepare(
    `select rowid as nth_row, ${columns.join(', ')}, ${assertWhole(table, summedTable(table))} as whole
     from ${table} where rowid > ? order by rowid limit ${BATCH}`,
  )
  for (let after = 0; ;) {
    const rows = read.all(after)
    if (rows.length === 0) return
    yield rows.map((row) => columns.map((column) => copiedValue(row[column])))
    after = Number(rows.at(-1)?.['nth_row'])
  }
}
