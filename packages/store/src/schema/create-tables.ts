import type {
  ColumnDataType,
  ColumnDefinitionBuilder,
  CompiledQuery,
  RawBuilder,
  SchemaModule,
} from 'kysely'

type ColumnType = ColumnDataType | RawBuilder<unknown>

/** The types in which databases differ. */
export interface ColumnTypes {
  /** Compared byte by byte. */
  readonly text: ColumnType
  /** Holds milliseconds since the epoch. */
  readonly integer: ColumnType
  readonly bytes: ColumnType
  /** A primary key that the database counts up. */
  readonly counter: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder
}

/** The tables of a store, in every database. */
export const createTables = (build: SchemaModule, types: ColumnTypes): readonly CompiledQuery[] => [
  ...runTables(build, types),
  ...journalTables(build, types),
  ...sessionTables(build, types),
  ...keptTables(build, types),
  ...noteTables(build, types),
  ...recordTables(build, types),
]

const runTables = (
  build: SchemaModule,
  { text, integer }: ColumnTypes,
): readonly CompiledQuery[] => [
  build
    .createTable('runs')
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('agent', text, (column) => column.notNull())
    .addColumn('version', integer, (column) => column.notNull())
    .addColumn('status', text, (column) => column.notNull())
    .addColumn('reason', text)
    .addColumn('input_json', text, (column) => column.notNull())
    .addColumn('made_json', text, (column) => column.notNull())
    .addColumn('session', text)
    .addColumn('forked_from', text)
    .addColumn('began_at', integer, (column) => column.notNull())
    .addColumn('changed_at', integer, (column) => column.notNull())
    .addColumn('wake_at', integer)
    .addColumn('cancel_asked', integer, (column) => column.notNull().defaultTo(0))
    .compile(),
  build.createIndex('runs_by_time').on('runs').columns(['began_at']).compile(),
  build.createIndex('runs_by_status').on('runs').columns(['status', 'changed_at']).compile(),
  build.createIndex('runs_by_session').on('runs').columns(['session']).compile(),
  build.createIndex('runs_by_origin').on('runs').columns(['forked_from']).compile(),
  build
    .createTable('requests')
    .addColumn('run', text, (column) => column.notNull())
    .addColumn('id', text, (column) => column.notNull())
    .addColumn('place', text, (column) => column.notNull())
    .addColumn('about_json', text, (column) => column.notNull())
    .addColumn('at', integer, (column) => column.notNull())
    .addColumn('until', integer)
    .addColumn('answered', integer, (column) => column.notNull().defaultTo(0))
    .addPrimaryKeyConstraint('requests_key', ['run', 'id'])
    .compile(),
]

const journalTables = (
  build: SchemaModule,
  { text, integer }: ColumnTypes,
): readonly CompiledQuery[] => [
  build
    .createTable('journal')
    .addColumn('run', text, (column) => column.notNull())
    .addColumn('n', integer, (column) => column.notNull())
    .addColumn('fence', integer)
    .addColumn('size', integer, (column) => column.notNull())
    .addColumn('entries_json', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('journal_key', ['run', 'n'])
    .compile(),
  build
    .createTable('snapshots')
    .addColumn('run', text, (column) => column.primaryKey().notNull())
    .addColumn('after', integer, (column) => column.notNull())
    .addColumn('body_json', text, (column) => column.notNull())
    .compile(),
  build
    .createTable('leases')
    .addColumn('name', text, (column) => column.primaryKey().notNull())
    .addColumn('fence', integer, (column) => column.notNull())
    .addColumn('holder', text)
    .addColumn('run', text)
    .addColumn('expires_at', integer, (column) => column.notNull())
    .compile(),
  // Only held leases: a renewal must not scan all that ever existed.
  build
    .createIndex('leases_held')
    .on('leases')
    .columns(['holder'])
    .where('holder', 'is not', null)
    .compile(),
]

const sessionTables = (
  build: SchemaModule,
  { text, integer }: ColumnTypes,
): readonly CompiledQuery[] => [
  build
    .createTable('sessions')
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('agent', text)
    .addColumn('states_json', text, (column) => column.notNull())
    .addColumn('continues_json', text, (column) => column.notNull())
    .addColumn('disposable', integer, (column) => column.notNull().defaultTo(0))
    .addColumn('began_at', integer, (column) => column.notNull())
    .addColumn('changed_at', integer, (column) => column.notNull())
    .compile(),
  build
    .createTable('messages')
    .addColumn('session', text, (column) => column.notNull())
    .addColumn('n', integer, (column) => column.notNull())
    .addColumn('body_json', text, (column) => column.notNull())
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

const keptTables = (
  build: SchemaModule,
  { text, integer }: ColumnTypes,
): readonly CompiledQuery[] => [
  build
    .createTable('results')
    .addColumn('key', text, (column) => column.primaryKey().notNull())
    .addColumn('input_digest', text, (column) => column.notNull())
    .addColumn('run', text, (column) => column.notNull())
    .addColumn('result_json', text)
    .addColumn('at', integer, (column) => column.notNull())
    .compile(),
  build.createIndex('results_by_run').on('results').columns(['run']).compile(),
  build
    .createTable('memories')
    .addColumn('name', text, (column) => column.primaryKey().notNull())
    .addColumn('value_json', text, (column) => column.notNull())
    .addColumn('version', integer, (column) => column.notNull())
    .compile(),
  build
    .createTable('memory_writes')
    .addColumn('key', text, (column) => column.primaryKey().notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('version', integer)
    .compile(),
  build
    .createTable('cache')
    .addColumn('key', text, (column) => column.primaryKey().notNull())
    .addColumn('value_json', text, (column) => column.notNull())
    .addColumn('expires_at', integer, (column) => column.notNull())
    .addColumn('session', text)
    .compile(),
  build.createIndex('cache_by_end').on('cache').columns(['expires_at']).compile(),
  build.createIndex('cache_by_session').on('cache').columns(['session']).compile(),
]

const noteTables = (
  build: SchemaModule,
  { text, integer, counter }: ColumnTypes,
): readonly CompiledQuery[] => [
  build
    .createTable('notes')
    .addColumn('n', integer, counter)
    .addColumn('scope_kind', text, (column) => column.notNull())
    .addColumn('scope_id', text, (column) => column.notNull())
    .addColumn('title', text, (column) => column.notNull())
    .addColumn('body', text, (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('changed_at', integer, (column) => column.notNull())
    .addColumn('changed_n', integer, (column) => column.notNull())
    .addColumn('version', integer, (column) => column.notNull())
    .compile(),
  build.createIndex('notes_by_scope').on('notes').columns(['scope_kind', 'scope_id']).compile(),
  build.createIndex('notes_by_change').on('notes').columns(['changed_n']).compile(),
  build
    .createTable('note_writes')
    .addColumn('key', text, (column) => column.primaryKey().notNull())
    .addColumn('scope_kind', text, (column) => column.notNull())
    .addColumn('scope_id', text, (column) => column.notNull())
    .addColumn('answer_json', text, (column) => column.notNull())
    .compile(),
  build
    .createIndex('note_writes_by_scope')
    .on('note_writes')
    .columns(['scope_kind', 'scope_id'])
    .compile(),
]

const recordTables = (
  build: SchemaModule,
  { text, integer, counter }: ColumnTypes,
): readonly CompiledQuery[] => [
  build
    .createTable('events')
    .addColumn('run', text, (column) => column.notNull())
    .addColumn('n', integer, (column) => column.notNull())
    .addColumn('at', integer, (column) => column.notNull())
    .addColumn('body_json', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('events_key', ['run', 'n'])
    .compile(),
  build
    .createTable('artifacts')
    .addColumn('run', text, (column) => column.notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('at', integer, (column) => column.notNull())
    .addColumn('body_json', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('artifacts_key', ['run', 'name'])
    .compile(),
  build.createIndex('artifacts_by_name').on('artifacts').columns(['name']).compile(),
  build
    .createTable('audit')
    .addColumn('n', integer, counter)
    .addColumn('line', text, (column) => column.notNull())
    .compile(),
]
