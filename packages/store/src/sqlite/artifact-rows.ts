import type { Entry } from 'echelon/runtime'
import { artifactsOfEntries } from '../artifacts-of-entries.ts'
import type { Database } from './file/database.ts'

/**
 * Records the files that an append's entries mention, within the current transaction. A file is
 * mentioned when its call settles, and again when the step closes: the first one counts.
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
