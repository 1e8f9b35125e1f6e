import type { Artifact } from 'echelon/internal/tool'
import type { ArtifactIndex, IndexedArtifact } from 'echelon/internal/store'
import type { Database } from './file/database.ts'
import { keptJson } from './kept-json.ts'
import type { Prepared } from './file/prepared.ts'
import { checkedIn } from './checksum/summed-tables.ts'

/** Records which run created which file. Rows are written with the entries that mention them. */
export class SqliteArtifactIndex implements ArtifactIndex {
  readonly #of: Prepared
  readonly #find: Prepared
  readonly #path: string

  constructor(db: Database) {
    this.#path = db.path
    const columns = `select run, at, body_json, ${checkedIn('artifacts')} from artifacts`
    this.#of = db.prepare(`${columns} where run = ? order by at, rowid`)
    this.#find = db.prepare(`${columns} where name = ? order by at desc, rowid desc limit 1`)
  }

  async of(run: string): Promise<readonly IndexedArtifact[]> {
    return this.#of.all(run).map((row) => this.#indexed(row))
  }

  async find(name: string): Promise<IndexedArtifact | undefined> {
    const row = this.#find.get(name)
    return row === undefined ? undefined : this.#indexed(row)
  }

  #indexed(row: Readonly<Record<string, unknown>>): IndexedArtifact {
    const run = String(row['run'])
    const what = `the record of a file of the run ${run}`
    const artifact: Artifact = keptJson(this.#path, what, row['body_json'])
    return { ...artifact, run, at: Number(row['at']) }
  }
}
