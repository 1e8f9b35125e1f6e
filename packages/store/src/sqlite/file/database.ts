import { existsSync } from 'node:fs'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import type { CompiledQuery } from 'kysely'
import { EchelonError } from 'echelon/internal/value'
import { APPLICATION_ID, BUSY_TIMEOUT_MS } from './file-facts.ts'
import { isInMemory, pathToOpen } from './in-memory.ts'
import { SUMMED_KNOWLEDGE } from '../knowledge/knowledge-schema.ts'
import { Prepared } from './prepared.ts'
import { canBeWritten, makePlace, makePrivate } from './private-place.ts'
import { type Builder, type Migration, MIGRATIONS, type Statement } from './schema.ts'
import { openReadOnly } from './read-only.ts'
import { addSums } from '../checksum/row-sum.ts'
import { SUMMED } from '../checksum/summed-tables.ts'
import { foreign, hasNoRoom, newer, olderReadOnly, asStoreError, unusable } from './unusable.ts'

const LOOSE_TIMEOUT_MS = 100

const ALL_SUMMED = { ...SUMMED, ...SUMMED_KNOWLEDGE }

/**
 * Files up to this size are checked when opened, in about a millisecond. The doctor checks larger
 * ones.
 */
const CHECKED_ON_OPEN_BYTES = 1024 * 1024

const BUSY_PAUSE_MS = 10

/** Statements kept for `recent`: more than the queries of a server. */
const MOST_KEPT = 64

/**
 * One open file. All calls are synchronous, so nothing stays open over an `await`.
 */
export class Database {
  readonly path: string
  readonly #db: DatabaseSync
  readonly #mark: number
  #builder: Promise<Builder> | undefined
  #loose: Database | undefined
  readonly #recent = new Map<string, Prepared>()

  private constructor(path: string, db: DatabaseSync, mark: number) {
    this.path = path
    this.#db = db
    this.#mark = mark
  }

  /**
   * Opens a file, and creates or upgrades it. The file and its folder are readable by the user
   * alone.
   * @param given the path; `:memory:` for a database without a file
   * @param migrations of this version and all before it; by default those of a store
   * @param mark tells our files from those of other programs: `PRAGMA application_id`
   * @throws EchelonError STORE_UNUSABLE with what to do
   */
  static async open(
    given: string,
    migrations: readonly Migration[] = MIGRATIONS,
    mark: number = APPLICATION_ID,
  ): Promise<Database> {
    const path = pathToOpen(given)
    const db = isInMemory(path) ? connectToMemory(path) : connect(path, migrations.length, mark)
    try {
      const database = new Database(path, db, mark)
      // In memory, nothing has to be flushed.
      if (isInMemory(path)) database.#loose = database
      await database.#upgrade(migrations)
      return database
    } catch (error) {
      db.close()
      throw error instanceof EchelonError ? error : unusable(path, error)
    }
  }

  /**
   * Opens a file for reading only: it works on a read-only file, folder or file system, and on a
   * full disk.
   * @throws EchelonError STORE_UNUSABLE also for a read-only file of an older version
   */
  static async openToLook(path: string): Promise<Database> {
    if (isInMemory(path) || !existsSync(path) || canBeWritten(path)) {
      try {
        return await Database.open(path)
      } catch (error) {
        if (!existsSync(path) || !hasNoRoom(error)) throw error
      }
    }
    const { db, version } = openReadOnly(path)
    const database = new Database(path, db, APPLICATION_ID)
    database.#loose = database
    if (version === MIGRATIONS.length) return database
    db.close()
    throw olderReadOnly(path, version)
  }

  /** The query builder, loaded on first use. */
  builder(): Promise<Builder> {
    return (this.#builder ??= (async () => (await import('./query-builder.ts')).queryBuilder)())
  }

  /** For frequent statements, which are prepared once, when they are first used. */
  prepare(sql: string): Prepared {
    return new Prepared(this.path, () => this.#db.prepare(sql))
  }

  /**
   * A statement that is used at once, and kept for its next use: preparing one with a checksum takes longer than
   * reading many rows.
   */
  recent(sql: string): Prepared {
    const statement = this.#recent.get(sql) ?? this.prepare(sql)
    this.#recent.delete(sql)
    this.#recent.set(sql, statement)
    const [oldest] = this.#recent.keys()
    if (this.#recent.size > MOST_KEPT && oldest !== undefined) this.#recent.delete(oldest)
    return statement
  }

  /** The rows of a query. */
  all<Row>(query: CompiledQuery<Row>): Row[]
  all({ sql, parameters }: CompiledQuery): unknown[] {
    return this.recent(sql).all(...parameters.map(inputValue))
  }

  /**
   * Like `all`, for rows that may be damaged: a number out of range becomes null and spoils no
   * other row.
   */
  allDamaged<Row>(query: CompiledQuery<Row>): Row[]
  allDamaged({ sql, parameters }: CompiledQuery): unknown[] {
    const statement = new Prepared(this.path, () => {
      const prepared = this.#db.prepare(sql)
      prepared.setReadBigInts(true)
      return prepared
    })
    const rows = statement.all(...parameters.map(inputValue))
    return rows.map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [
          name,
          typeof value === 'bigint' ? Number(value) : value,
        ]),
      ),
    )
  }

  /**
   * @returns how many rows it changed
   */
  run({ sql, parameters }: Statement): number {
    return Number(this.recent(sql).run(...parameters.map(inputValue)).changes)
  }

  /** Runs `work` as one transaction. It must be synchronous. */
  transaction<Result>(work: () => Result): Result {
    this.#exec('begin immediate')
    try {
      const result = work()
      this.#exec('commit')
      return result
    } catch (error) {
      // A full disk has already rolled it back.
      if (this.#db.isTransaction) this.#db.exec('rollback')
      throw error
    }
  }

  exec(sql: string): void {
    this.#db.exec(sql)
  }

  #exec(sql: string): void {
    try {
      this.#db.exec(sql)
    } catch (error) {
      throw asStoreError(this.path, error)
    }
  }

  /** For the functions of `node:sqlite`, such as its backup. */
  get connection(): DatabaseSync {
    return this.#db
  }

  /**
   * A second connection to the file for data that may be lost when the machine fails, though not
   * when the process does: its commits wait for no disk, and it gives up soon when another process
   * writes.
   */
  get loose(): Database {
    return (this.#loose ??= new Database(this.path, connectLoosely(this.path), this.#mark))
  }

  close(): void {
    if (this.#loose !== this) this.#loose?.close()
    if (this.#db.isOpen) this.#db.close()
  }

  async #upgrade(migrations: readonly Migration[]): Promise<void> {
    const version = (): number => versionOf(this.#db, this.path, this.#mark)
    if (version() === migrations.length) return
    const { schema } = await this.builder()
    this.transaction(() => {
      // Another process may have upgraded it first.
      for (const query of upgrade(migrations, version(), schema)) this.run(query)
      this.#db.exec(`pragma application_id = ${this.#mark}`)
      this.#db.exec(`pragma user_version = ${migrations.length}`)
    })
  }
}

function upgrade(
  migrations: readonly Migration[],
  version: number,
  schema: Builder['schema'],
): readonly Statement[] {
  const whole = migrations.findLastIndex(({ fromNothing }) => fromNothing !== undefined)
  const made = version === 0 ? migrations[whole]?.fromNothing?.(schema) : undefined
  const rest = migrations.slice(made === undefined ? version : whole + 1)
  return [...(made ?? []), ...rest.flatMap((migrate) => migrate(schema))]
}

/**
 * The version of the schema; 0 for a new file.
 * @throws EchelonError STORE_UNUSABLE for the file of another program
 */
function versionOf(db: DatabaseSync, path: string, mark: number): number {
  const read = (name: 'user_version' | 'application_id' | 'page_count'): number =>
    Number(db.prepare(`pragma ${name}`).get()?.[name] ?? 0)
  const version = read('user_version')
  const isEmpty = version === 0 && read('page_count') <= 1
  if (isEmpty || read('application_id') === mark) return version
  throw foreign(path)
}

function connectToMemory(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS })
  addSums(db, path, ALL_SUMMED)
  return db
}

function connect(path: string, version: number, mark: number): DatabaseSync {
  try {
    makePlace(path)
    const db = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS })
    addSums(db, path, ALL_SUMMED)
    try {
      // Change nothing about a foreign or corrupt file, not even its mode.
      const found = versionOf(db, path, mark)
      db.prepare('select name from sqlite_master limit 1').get()
      if (found > version) throw newer(path, found, version)
      checkPages(db, path)
      makePrivate(path)
      beginWal(db)
      db.exec('pragma synchronous = full; pragma secure_delete = on')
      return db
    } catch (error) {
      db.close()
      throw error
    }
  } catch (cause) {
    throw cause instanceof EchelonError ? cause : unusable(path, cause)
  }
}

/** A corrupt page can go unread for long; never write next to one. */
function checkPages(db: DatabaseSync, path: string): void {
  const read = (name: 'page_count' | 'page_size' | 'quick_check'): unknown =>
    db.prepare(`pragma ${name}`).get()?.[name]
  if (Number(read('page_count')) * Number(read('page_size')) > CHECKED_ON_OPEN_BYTES) return
  // SQLite's message may quote the content of the file.
  if (read('quick_check') !== 'ok') throw unusable(path, new Error('it is corrupt'))
}

/** SQLite does not wait by itself when several processes open a new file at once. */
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

/** Whether another process held the write lock for as long as the connection waits. */
export const isBusy = (error: unknown): boolean =>
  error instanceof Error &&
  (('errcode' in error && error.errcode === SQLITE_BUSY) || isBusy(error.cause))

function connectLoosely(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: LOOSE_TIMEOUT_MS })
  addSums(db, path, ALL_SUMMED)
  db.exec('pragma synchronous = normal; pragma secure_delete = on')
  return db
}

function inputValue(value: unknown): SQLInputValue {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value
  if (typeof value === 'bigint' || value instanceof Uint8Array) return value
  throw new TypeError(`a query cannot take a ${typeof value}`)
}
