import type { Entry } from 'echelon/runtime'
import { artifactsOfEntries } from '../artifacts-of-entries.ts'
import type { Database } from './file/database.ts'

/**
 * Writes which files the entries of an append tell of, within the transaction that is under way. A
 * file is told of as its call settles, and again when the step closes: the first time counts.
 */
export function artifactWriter(
  db: Database,
): (run: string, entries: readonly Entry[], at: number) => void {
  const add = db.prepare(
    `insert into artifacts (run, name, at, body_json) values (?, ?, ?, ?)
     on conflict (run, name) do nothing`,
  )
  return (run, entries, at) => {
    for (const artifact of artifactsOfEntries(entries)) {
      add.run(run, artifact.name, at, JSON.stringify(artifact))
    }
  }
}
