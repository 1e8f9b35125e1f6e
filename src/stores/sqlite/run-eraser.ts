import type { Database } from './database.ts'

/** Where rows are kept by the run that they are of. */
const TABLES = ['requests', 'journal', 'snapshots', 'results', 'events', 'artifacts'] as const

/**
 * Deletes all rows of a run, within the transaction that is under way. The row of its lease stays:
 * its number keeps a process that was taken for dead from writing anything again.
 */
export function runEraser(db: Database): (run: string) => void {
  const deletes = TABLES.map((table) => db.prepare(`delete from ${table} where run = ?`))
  const itself = db.prepare('delete from runs where id = ?')
  // A write of the run has a key that begins with its id and a colon; a semicolon comes next.
  const writes = db.prepare('delete from memory_writes where key >= ? and key < ?')
  return (run) => {
    for (const each of deletes) each.run(run)
    writes.run(`${run}:`, `${run};`)
    itself.run(run)
  }
}
