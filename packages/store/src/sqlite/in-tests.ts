import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { TestContext } from 'node:test'
import { SqliteStore, type SqliteStoreOptions } from '../sqlite-store.ts'
import { Database } from './file/database.ts'

/** A new folder, removed after the test. */
export async function folderFor(t: Pick<TestContext, 'after'>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'echelon-store-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A new file, closed and removed after the test. */
export async function openFile(t: Pick<TestContext, 'after'>): Promise<Database> {
  const db = await Database.open(join(await folderFor(t), 'echelon.db'))
  t.after(() => db.close())
  return db
}

/** A store that keeps no audit log. */
export const openStore = (
  path: string,
  options: Omit<SqliteStoreOptions, 'auditLines'>,
): Promise<SqliteStore> => SqliteStore.open(path, { auditLines: () => [], ...options })

/** Changes a table as a failing disk would: its triggers do not fire, and are back afterwards. */
export function withoutTriggers(db: DatabaseSync, table: string, change: () => unknown): void {
  const triggers = db
    .prepare(`select name, sql from sqlite_schema where type = 'trigger' and tbl_name = ?`)
    .all(table)
  for (const { name } of triggers) db.exec(`drop trigger ${String(name)}`)
  change()
  for (const { sql } of triggers) db.exec(String(sql))
}
