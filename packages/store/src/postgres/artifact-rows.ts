import type { Entry } from 'echelon/runtime'
import { artifactsOfEntries } from '../artifacts-of-entries.ts'
import type { Queries } from './connection/database.ts'

/**
 * Records the files that an append's entries mention, within its transaction. A file is mentioned
 * when its call settles, and again when the step closes: the first one counts.
 */
export async function writeArtifacts(
  queries: Queries,
  run: string,
  entries: readonly Entry[],
  at: number,
): Promise<void> {
  for (const artifact of artifactsOfEntries(entries)) {
    await queries.run(
      `insert into artifacts (run, name, at, body_json) values ($1, $2, $3, $4)
       on conflict (run, name) do nothing`,
      run,
      artifact.name,
      at,
      JSON.stringify(artifact),
    )
  }
}
