import type { ColumnType, CompiledQuery, Generated, Kysely, SchemaModule } from 'kysely'
import { summed } from '../checksum/sum-migration.ts'
import { SUMMED } from '../checksum/summed-tables.ts'

/**
 * Times are milliseconds since the epoch; `…_json` columns hold JSON text; 0 and 1 are false and
 * true.
 */
export interface Schema {
  runs: RunsTable
  requests: RequestsTable
  journal: JournalTable
  snapshots: SnapshotsTable
  leases: LeasesTable
  sessions: SessionsTable
  messages: MessagesTable
  results: ResultsTable
  memories: MemoriesTable
  memory_writes: MemoryWritesTable
  notes: NotesTable
  note_writes: NoteWritesTable
  cache: CacheTable
  events: EventsTable
  artifacts: ArtifactsTable
  audit: AuditTable
}

/** The current state of a run, updated as entries are appended, so that a list reads no journal. */
interface RunsTable {
  id: string
  agent: string
  version: number
  /**
   * `open`: a process works on it, or died while it did; the leases tell. `suspended`: it waits.
   * `left`: it failed, and continues only when somebody resumes it. `finished` or `canceled`: it
   * ended.
   */
  status: string
  reason: string | null
  input_json: string
  made_json: string
  session: string | null
  forked_from: string | null
  began_at: number
  changed_at: number
  wake_at: number | null
  cancel_asked: number
}

/**
 * The requests of a run. A row goes when the run no longer waits for it, however it was answered
 * (`run-change.ts`).
 */
interface RequestsTable {
  run: string
  id: string
  /** The place in the run where it was asked. A prefix of it selects the requests of an ended part. */
  place: string
  about_json: string
  at: number
  until: number | null
  answered: number
}

/** One row per append. */
interface JournalTable {
  run: string
  n: number
  /** The fence of the writer's lease; `null` for entries from outside. */
  fence: number | null
  /** How many entries the row holds. */
  size: number
  entries_json: string
}

/** The newest snapshot of each run. */
interface SnapshotsTable {
  run: string
  after: number
  body_json: string
}

/**
 * The right to write. A turn uses the lease of its conversation; any other run has its own, and so
 * has a key.
 */
interface LeasesTable {
  name: string
  /** Raised on each acquisition. A holder never gets the same number twice. */
  fence: number
  /** `null`: free. */
  holder: string | null
  /** The run that it is held for. */
  run: string | null
  expires_at: number
}

interface SessionsTable {
  id: string
  /** `null`: marked before its first turn, with nothing else stored yet. */
  agent: string | null
  states_json: string
  continues_json: string
  disposable: number
  began_at: number
  changed_at: number
}

interface MessagesTable {
  session: string
  n: number
  body_json: string
}

interface ResultsTable {
  key: string
  /** SHA-256 of the input that decides the result. */
  input_digest: string
  run: string
  /** `null`: in progress. */
  result_json: string | null
  at: number
}

interface MemoriesTable {
  name: string
  value_json: string
  version: number
}

/** The answer to each write, by its key. */
interface MemoryWritesTable {
  key: string
  name: string
  /** `null`: conflict. */
  version: number | null
}

interface NotesTable {
  n: Generated<ColumnType<number, undefined, never>>
  scope_kind: string
  scope_id: string
  title: string
  body: string
  created_at: number
  changed_at: number
  /** Counts all changes, so that the last one is known whatever the clock says. */
  changed_n: number
  version: number
}

/** The answer to each write, by its key. */
interface NoteWritesTable {
  key: string
  scope_kind: string
  scope_id: string
  answer_json: string
}

interface CacheTable {
  key: string
  value_json: string
  expires_at: number
  session: string | null
}

interface EventsTable {
  run: string
  n: number
  at: number
  body_json: string
}

interface ArtifactsTable {
  run: string
  name: string
  at: number
  body_json: string
}

interface AuditTable {
  n: Generated<ColumnType<number, undefined, never>>
  line: string
}

/** A statement for `Database` to run: the builder has no triggers. */
export type Statement = Pick<CompiledQuery, 'sql' | 'parameters'>

/** Turns a file of one version into one of the next. */
export interface Migration {
  (build: SchemaModule): readonly Statement[]
  /** Creates the same schema from nothing, in place of this migration and all before it. */
  readonly fromNothing?: (build: SchemaModule) => readonly Statement[]
}

const unsummed: Migration = (build) => [
  ...runTables(build),
  ...journalTables(build),
  ...sessionTables(build),
  ...keptTables(build),
  ...noteTables(build),
  ...recordTables(build),
]

/**
 * The migrations, one per version; the first creates the schema. A released migration is never
 * changed: a later version adds one. From the second version on each row holds a checksum.
 */
export const MIGRATIONS: readonly Migration[] = [unsummed, summed(unsummed, SUMMED)]

/** The version of the files that this code writes. */
export const SCHEMA_VERSION: number = MIGRATIONS.length

const runTables = (build: SchemaModule): readonly CompiledQuery[] => [
  build
    .createTable('runs')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('agent', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('reason', 'text')
    .addColumn('input_json', 'text', (column) => column.notNull())
    .addColumn('made_json', 'text', (column) => column.notNull())
    .addColumn('session', 'text')
    .addColumn('forked_from', 'text')
    .addColumn('began_at', 'integer', (column) => column.notNull())
    .addColumn('changed_at', 'integer', (column) => column.notNull())
    .addColumn('wake_at', 'integer')
    .addColumn('cancel_asked', 'integer', (column) => column.notNull().defaultTo(0))
    .compile(),
  build.createIndex('runs_by_time').on('runs').columns(['began_at']).compile(),
  build.createIndex('runs_by_status').on('runs').columns(['status', 'changed_at']).compile(),
  build.createIndex('runs_by_session').on('runs').columns(['session']).compile(),
  build.createIndex('runs_by_origin').on('runs').columns(['forked_from']).compile(),
  build
    .createTable('requests')
    .addColumn('run', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('place', 'text', (column) => column.notNull())
    .addColumn('about_json', 'text', (column) => column.notNull())
    .addColumn('at', 'integer', (column) => column.notNull())
    .addColumn('until', 'integer')
    .addColumn('answered', 'integer', (column) => column.notNull().defaultTo(0))
    .addPrimaryKeyConstraint('requests_key', ['run', 'id'])
    .compile(),
]

const journalTables = (build: SchemaModule): readonly CompiledQuery[] => [
  build
    .createTable('journal')
    .addColumn('run', 'text', (column) => column.notNull())
    .addColumn('n', 'integer', (column) => column.notNull())
    .addColumn('fence', 'integer')
    .addColumn('size', 'integer', (column) => column.notNull())
    .addColumn('entries_json', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('journal_key', ['run', 'n'])
    .compile(),
  build
    .createTable('snapshots')
    .addColumn('run', 'text', (column) => column.primaryKey().notNull())
    .addColumn('after', 'integer', (column) => column.notNull())
    .addColumn('body_json', 'text', (column) => column.notNull())
    .compile(),
  build
    .createTable('leases')
    .addColumn('name', 'text', (column) => column.primaryKey().notNull())
    .addColumn('fence', 'integer', (column) => column.notNull())
    .addColumn('holder', 'text')
    .addColumn('run', 'text')
    .addColumn('expires_at', 'integer', (column) => column.notNull())
    .compile(),
  // Only held leases: a renewal must not scan all that ever existed.
  build
    .createIndex('leases_held')
    .on('leases')
    .columns(['holder'])
    .where('holder', 'is not', null)
    .compile(),
]

const sessionTables = (build: SchemaModule): readonly CompiledQuery[] => [
  build
    .createTable('sessions')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('agent', 'text')
    .addColumn('states_json', 'text', (column) => column.notNull())
    .addColumn('continues_json', 'text', (column) => column.notNull())
    .addColumn('disposable', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('began_at', 'integer', (column) => column.notNull())
    .addColumn('changed_at', 'integer', (column) => column.notNull())
    .compile(),
  build
    .createTable('messages')
    .addColumn('session', 'text', (column) => column.notNull())
    .addColumn('n', 'integer', (column) => column.notNull())
    .addColumn('body_json', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('messages_key', ['session', 'n'])
    .compile(),
  // Checked when a process opens the file.
  build
    .createIndex('sessions_disposable')
    .on('sessions')
    .columns(['disposable'])
    .where('disposable', '=', 1)
    .compile(),
]

const keptTables = (build: SchemaModule): readonly CompiledQuery[] => [
  build
    .createTable('results')
    .addColumn('key', 'text', (column) => column.primaryKey().notNull())
    .addColumn('input_digest', 'text', (column) => column.notNull())
    .addColumn('run', 'text', (column) => column.notNull())
    .addColumn('result_json', 'text')
    .addColumn('at', 'integer', (column) => column.notNull())
    .compile(),
  build.createIndex('results_by_run').on('results').columns(['run']).compile(),
  build
    .createTable('memories')
    .addColumn('name', 'text', (column) => column.primaryKey().notNull())
    .addColumn('value_json', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .compile(),
  build
    .createTable('memory_writes')
    .addColumn('key', 'text', (column) => column.primaryKey().notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('version', 'integer')
    .compile(),
  build
    .createTable('cache')
    .addColumn('key', 'text', (column) => column.primaryKey().notNull())
    .addColumn('value_json', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'integer', (column) => column.notNull())
    .addColumn('session', 'text')
    .compile(),
  build.createIndex('cache_by_end').on('cache').columns(['expires_at']).compile(),
  build.createIndex('cache_by_session').on('cache').columns(['session']).compile(),
]

const noteTables = (build: SchemaModule): readonly CompiledQuery[] => [
  build
    .createTable('notes')
    .addColumn('n', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('scope_kind', 'text', (column) => column.notNull())
    .addColumn('scope_id', 'text', (column) => column.notNull())
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('created_at', 'integer', (column) => column.notNull())
    .addColumn('changed_at', 'integer', (column) => column.notNull())
    .addColumn('changed_n', 'integer', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .compile(),
  build.createIndex('notes_by_scope').on('notes').columns(['scope_kind', 'scope_id']).compile(),
  build.createIndex('notes_by_change').on('notes').columns(['changed_n']).compile(),
  build
    .createTable('note_writes')
    .addColumn('key', 'text', (column) => column.primaryKey().notNull())
    .addColumn('scope_kind', 'text', (column) => column.notNull())
    .addColumn('scope_id', 'text', (column) => column.notNull())
    .addColumn('answer_json', 'text', (column) => column.notNull())
    .compile(),
  build
    .createIndex('note_writes_by_scope')
    .on('note_writes')
    .columns(['scope_kind', 'scope_id'])
    .compile(),
]

const recordTables = (build: SchemaModule): readonly Statement[] => [
  build
    .createTable('events')
    .addColumn('run', 'text', (column) => column.notNull())
    .addColumn('n', 'integer', (column) => column.notNull())
    .addColumn('at', 'integer', (column) => column.notNull())
    .addColumn('body_json', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('events_key', ['run', 'n'])
    .compile(),
  build
    .createTable('artifacts')
    .addColumn('run', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('at', 'integer', (column) => column.notNull())
    .addColumn('body_json', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('artifacts_key', ['run', 'name'])
    .compile(),
  build.createIndex('artifacts_by_name').on('artifacts').columns(['name']).compile(),
  build
    .createTable('audit')
    .addColumn('n', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('line', 'text', (column) => column.notNull())
    .compile(),
  ...appendOnly('audit'),
]

/** Makes a table append-only: updates and deletes fail with this error. Files hold its text. */
const appendOnly = (table: 'audit'): readonly Statement[] =>
  ['update', 'delete'].map((change) => ({
    sql: `create trigger ${table}_no_${change} before ${change} on ${table}
      begin select raise(abort, 'the ${table} log is only ever appended to'); end`,
    parameters: [],
  }))

export type Builder = Kysely<Schema>
