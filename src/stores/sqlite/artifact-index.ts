import type { Artifact } from '../../core/artifact.ts'
import type { ArtifactIndex, IndexedArtifact } from '../../core/store.ts'
import type { Database } from './database.ts'
import type { Prepared } from './prepared.ts'

/** Which run made which file. Rows are written with the entries that tell of them. */
export class SqliteArtifactIndex implements ArtifactIndex {
  readonly #of: Prepared
  readonly #find: Prepared

  constructor(db: Database) {
    const columns = 'select run, at, body_json from artifacts'
    this.#of = db.prepare(`${columns} where run = ? order by at, rowid`)
    this.#find = db.prepare(`${columns} where name = ? order by at desc, rowid desc limit 1`)
  }

  async of(run: string): Promise<readonly IndexedArtifact[]> {
    return this.#of.all(run).map(indexed)
  }

  async find(name: string): Promise<IndexedArtifact | undefined> {
    const row = this.#find.get(name)
    return row === undefined ? undefined : indexed(row)
  }
}

function indexed(row: Readonly<Record<string, unknown>>): IndexedArtifact {
  const artifact: Artifact = JSON.parse(String(row['body_json']))
  return { ...artifact, run: String(row['run']), at: Number(row['at']) }
}
