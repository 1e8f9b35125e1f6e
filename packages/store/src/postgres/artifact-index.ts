import type { ArtifactIndex, IndexedArtifact } from 'echelon/internal/store'
import type { Artifact } from 'echelon/internal/tool'
import type { Postgres, Row } from './connection/database.ts'
import { keptJson } from './kept-json.ts'

/** Records which run created which file. Rows are written with the entries that mention them. */
export class PostgresArtifactIndex implements ArtifactIndex {
  readonly #db: Postgres

  constructor(db: Postgres) {
    this.#db = db
  }

  async of(run: string): Promise<readonly IndexedArtifact[]> {
    const rows = await this.#db.all(
      'select run, at, body_json from artifacts where run = $1 order by at, nth',
      run,
    )
    return rows.map((row) => this.#indexed(row))
  }

  async find(name: string): Promise<IndexedArtifact | undefined> {
    const row = await this.#db.get(
      'select run, at, body_json from artifacts where name = $1 order by at desc, nth desc limit 1',
      name,
    )
    return row && this.#indexed(row)
  }

  #indexed(row: Row): IndexedArtifact {
    const run = String(row['run'])
    const what = `the record of a file of the run ${run}`
    const artifact: Artifact = keptJson(this.#db.place, what, row['body_json'])
    return { ...artifact, run, at: Number(row['at']) }
  }
}
