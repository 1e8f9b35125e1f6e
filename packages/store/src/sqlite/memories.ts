import type { Json, MemoryStore } from 'echelon/runtime'
import type { Database } from './file/database.ts'
import { keptJson } from './kept-json.ts'
import type { Prepared } from './file/prepared.ts'
import { checkedIn } from './checksum/summed-tables.ts'

/**
 * Named memories for all processes that share the file. The answer to each write is stored under
 * its key, for as long as the run that made it, so that a resumed run writes nothing twice. Queries
 * are ignored: a memory is read as a whole.
 */
export class SqliteMemories implements MemoryStore {
  readonly #db: Database
  readonly #read: Prepared
  readonly #done: Prepared
  readonly #put: Prepared
  readonly #answer: Prepared

  constructor(db: Database) {
    this.#db = db
    this.#read = db.prepare(
      `select value_json, version, ${checkedIn('memories')} from memories where name = ?`,
    )
    this.#done = db.prepare(
      `select version, ${checkedIn('memory_writes')} from memory_writes where key = ?`,
    )
    this.#put = db.prepare(
      `insert into memories (name, value_json, version) values (?, ?, ?)
       on conflict (name) do update set value_json = excluded.value_json,
         version = excluded.version`,
    )
    this.#answer = db.prepare('insert into memory_writes (key, name, version) values (?, ?, ?)')
  }

  async read(
    memory: string,
    _query?: Json,
  ): Promise<{ readonly value: Json; readonly version: number }> {
    const row = this.#read.get(memory)
    if (row === undefined) return { value: null, version: 0 }
    const value: Json = keptJson(this.#db.path, `the memory ${memory}`, row['value_json'])
    return { value, version: Number(row['version']) }
  }

  async write(
    memory: string,
    value: Json,
    { key, ifVersion }: { readonly key: string; readonly ifVersion?: number },
  ): Promise<number | 'conflict'> {
    const text = JSON.stringify(value)
    return this.#db.transaction(() => {
      const done = this.#done.get(key)
      if (done !== undefined) return done['version'] === null ? 'conflict' : Number(done['version'])
      const before = Number(this.#read.get(memory)?.['version'] ?? 0)
      const isConflict = ifVersion !== undefined && ifVersion !== before
      if (!isConflict) this.#put.run(memory, text, before + 1)
      this.#answer.run(key, memory, isConflict ? null : before + 1)
      return isConflict ? 'conflict' : before + 1
    })
  }
}
