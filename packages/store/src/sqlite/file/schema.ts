import type { CompiledQuery, Kysely, SchemaModule } from 'kysely'
import { type ColumnTypes, createTables } from '../../schema/create-tables.ts'
import type { Schema } from '../../schema/tables.ts'
import { summed } from '../checksum/sum-migration.ts'
import { SUMMED } from '../checksum/summed-tables.ts'

/** A statement for `Database` to run: the builder has no triggers. */
export type Statement = Pick<CompiledQuery, 'sql' | 'parameters'>

/** Turns a file of one version into one of the next. */
export interface Migration {
  (build: SchemaModule): readonly Statement[]
  /** Creates the same schema from nothing, in place of this migration and all before it. */
  readonly fromNothing?: (build: SchemaModule) => readonly Statement[]
}

export const SQLITE_TYPES: ColumnTypes = {
  text: 'text',
  integer: 'integer',
  bytes: 'blob',
  counter: (column) => column.primaryKey().autoIncrement(),
}

const unsummed: Migration = (build) => [
  ...createTables(build, SQLITE_TYPES),
  ...appendOnly('audit'),
]

/**
 * The migrations, one per version; the first creates the schema. A released migration is never
 * changed: a later version adds one. From the second version on each row holds a checksum.
 */
export const MIGRATIONS: readonly Migration[] = [unsummed, summed(unsummed, SUMMED)]

/** The version of the files that this code writes. */
export const SCHEMA_VERSION: number = MIGRATIONS.length

/** Makes a table append-only: updates and deletes fail with this error. Files hold its text. */
const appendOnly = (table: 'audit'): readonly Statement[] =>
  ['update', 'delete'].map((change) => ({
    sql: `create trigger ${table}_no_${change} before ${change} on ${table}
      begin select raise(abort, 'the ${table} log is only ever appended to'); end`,
    parameters: [],
  }))

export type Builder = Kysely<Schema>
