import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import type { CompiledQuery } from 'kysely'
import { EchelonError } from '../../core/error.ts'
import { makePrivate } from './private-place.ts'
import {
  type Builder,
  type Migration,
  MIGRATIONS,
  SCHEMA_VERSION,
  type Statement,
} from './schema.ts'

/**
 * How long a writer waits for another one, in milliseconds. The longest that one writes is when a
 * conversation is deleted, about a second for 100 MB.
 */
export const BUSY_TIMEOUT_MS = 20_000

const LOOSE_TIMEOUT_MS = 100

const BUSY_PAUSE_MS = 10

/** Marks a file as ours: `PRAGMA application_id`, "ECHL". */
export const APPLICATION_ID = 0x4543_484c

/** One file, opened. Everything is done at once: nothing is left open over an `await`. */
export class Database {
  readonly path: string
  readonly #db: DatabaseSync
  #builder: Promise<Builder> | undefined
  #loose: Database | undefined

  private constructor(path: string, db: DatabaseSync) {
    this.path = path
    this.#db = db
  }

  /**
   * Opens a file, making or upgrading it. The file and its folder are the user's alone.
   * @param migrations of this version and all before it; others in tests
   * @throws EchelonError STORE_UNUSABLE with what to do
   */
  static async open(
    path: string,
    migrations: readonly Migration[] = MIGRATIONS,
  ): Promise<Database> {
    const db = connect(path)
    try {
      const database = new Database(path, db)
      // Before anything is written: what is not ours, or is newer, stays as it is.
      const version = database.#version()
      if (version > migrations.length) throw newer(path, version, migrations.length)
      beginWal(db)
      db.exec('pragma synchronous = full; pragma secure_delete = on')
      if (version < migrations.length) await database.#upgrade(migrations)
      return database
    } catch (error) {
      db.close()
      throw error instanceof EchelonError ? error : unusable(path, error)
    }
  }

  /** Of the query builder, loaded at the first use. */
  builder(): Promise<Builder> {
    return (this.#builder ??= import('./query-builder.ts').then(({ queryBuilder }) => queryBuilder))
  }

  /** For what is done so often that it is prepared once. */
  prepare(sql: string): StatementSync {
    return this.#db.prepare(sql)
  }

  /** The rows of a query. */
  all<Row>(query: CompiledQuery<Row>): Row[]
  all({ sql, parameters }: CompiledQuery): unknown[] {
    return this.#db.prepare(sql).all(...parameters.map(inputValue))
  }

  /** @returns how many rows it changed */
  run({ sql, parameters }: Statement): number {
    return Number(this.#db.prepare(sql).run(...parameters.map(inputValue)).changes)
  }

  /** All of it or nothing; `work` must not wait for anything. */
  transaction<Result>(work: () => Result): Result {
    this.#db.exec('begin immediate')
    try {
      const result = work()
      this.#db.exec('commit')
      return result
    } catch (error) {
      // A full disk has rolled it back already.
      if (this.#db.isTransaction) this.#db.exec('rollback')
      throw error
    }
  }

  exec(sql: string): void {
    this.#db.exec(sql)
  }

  /** For `node:sqlite`'s own functions, such as its backup. */
  get connection(): DatabaseSync {
    return this.#db
  }

  /**
   * A second connection to the file, for what may be lost when the machine fails, though not when
   * the process does: a commit waits for no disk, and gives up soon where another one writes.
   */
  get loose(): Database {
    return (this.#loose ??= new Database(this.path, connectLoosely(this.path)))
  }

  close(): void {
    this.#loose?.close()
    if (this.#db.isOpen) this.#db.close()
  }

  async #upgrade(migrations: readonly Migration[]): Promise<void> {
    const { schema } = await this.builder()
    this.transaction(() => {
      // Another process may have been first.
      for (const migrate of migrations.slice(this.#version())) {
        for (const query of migrate(schema)) this.run(query)
      }
      this.#db.exec(`pragma application_id = ${APPLICATION_ID}`)
      this.#db.exec(`pragma user_version = ${migrations.length}`)
    })
  }

  /** 0 for a new file. */
  #version(): number {
    const version = this.#pragma('user_version')
    const isOurs = this.#pragma('application_id') === APPLICATION_ID
    const isEmpty = version === 0 && this.#pragma('page_count') <= 1
    if (isOurs || isEmpty) return version
    throw foreign(this.path)
  }

  #pragma(name: 'user_version' | 'application_id' | 'page_count'): number {
    return Number(this.#db.prepare(`pragma ${name}`).get()?.[name] ?? 0)
  }
}

function connect(path: string): DatabaseSync {
  try {
    makePrivate(path)
    return new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS })
  } catch (cause) {
    throw unusable(path, cause)
  }
}

/** SQLite does not wait by itself where several processes open a new file at the same time. */
function beginWal(db: DatabaseSync): void {
  const tries = BUSY_TIMEOUT_MS / BUSY_PAUSE_MS
  for (let left = tries; ; left--) {
    try {
      return db.exec('pragma journal_mode = wal')
    } catch (error) {
      if (left <= 0 || !isBusy(error)) throw error
      Atomics.wait(NEVER, 0, 0, BUSY_PAUSE_MS)
    }
  }
}

const NEVER = new Int32Array(new SharedArrayBuffer(4))

const SQLITE_BUSY = 5

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY

function connectLoosely(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: LOOSE_TIMEOUT_MS })
  db.exec('pragma synchronous = normal; pragma secure_delete = on')
  return db
}

export const foreign = (path: string): EchelonError =>
  new EchelonError('STORE_UNUSABLE', `${path} is a database of another program; name another file`)

export const newer = (path: string, found: number, known: number = SCHEMA_VERSION): EchelonError =>
  new EchelonError(
    'STORE_UNUSABLE',
    `${path} is of version ${found} and this Echelon reads up to ${known}; update Echelon, or name another file`,
  )

/** What is broken is never written over. */
export function unusable(path: string, cause: unknown): EchelonError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  const isBroken = /malformed|not a database|corrupt/i.test(reason)
  const advice = isBroken
    ? 'nothing was changed; put back a backup, or move the file away to begin anew'
    : 'see that its folder can be written and has room, or name another file'
  return new EchelonError('STORE_UNUSABLE', `${path} cannot be used (${reason}); ${advice}`, {
    cause,
  })
}

function inputValue(value: unknown): SQLInputValue {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value
  if (typeof value === 'bigint' || value instanceof Uint8Array) return value
  throw new TypeError(`a query cannot be given ${typeof value}`)
}
