import type { Json, MemoryStore } from 'echelon/runtime'
import type { Postgres, Queries } from './connection/database.ts'
import { keptJson } from './kept-json.ts'

/**
 * Named memories for all processes that share the database. The answer to each write is stored under
 * its key, for as long as the run that made it, so that a resumed run writes nothing twice. Queries
 * are ignored: a memory is read as a whole.
 */
export class PostgresMemories implements MemoryStore {
  readonly #db: Postgres

  constructor(db: Postgres) {
    this.#db = db
  }

  async read(
    memory: string,
    _query?: Json,
  ): Promise<{ readonly value: Json; readonly version: number }> {
    const row = await this.#db.get(
      'select value_json, version from memories where name = $1',
      memory,
    )
    if (row === undefined) return { value: null, version: 0 }
    const value: Json = keptJson(this.#db.place, `the memory ${memory}`, row['value_json'])
    return { value, version: Number(row['version']) }
  }

  async write(
    memory: string,
    value: Json,
    { key, ifVersion }: { readonly key: string; readonly ifVersion?: number },
  ): Promise<number | 'conflict'> {
    const text = JSON.stringify(value)
    const write = async (queries: Queries): Promise<number | 'conflict'> => {
      const before = await this.#lock(queries, memory)
      const done = await queries.get('select version from memory_writes where key = $1', key)
      if (done !== undefined) return done['version'] === null ? 'conflict' : Number(done['version'])
      const isConflict = ifVersion !== undefined && ifVersion !== before
      const version = isConflict ? null : before + 1
      // Two writes of the same key at once to two memories: one conflicts and is done again.
      await queries.run(
        'insert into memory_writes (key, name, version) values ($1, $2, $3)',
        key,
        memory,
        version,
      )
      if (version === null) return 'conflict'
      await queries.run(
        `insert into memories (name, value_json, version) values ($1, $2, $3)
         on conflict (name) do update set value_json = excluded.value_json,
           version = excluded.version`,
        memory,
        text,
        version,
      )
      return version
    }
    return this.#db.transaction(write)
  }

  /**
   * Lets one transaction at a time write a memory, also one that does not exist yet.
   * @returns its version
   */
  async #lock(queries: Queries, memory: string): Promise<number> {
    await queries.all(
      `select pg_advisory_xact_lock(hashtextextended('memory:' || current_schema() || ':' || $1, 0))`,
      memory,
    )
    const row = await queries.get('select version from memories where name = $1', memory)
    return Number(row?.['version'] ?? 0)
  }
}
