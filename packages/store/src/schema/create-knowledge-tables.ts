import type { CompiledQuery, SchemaModule } from 'kysely'
import type { ColumnTypes } from './create-tables.ts'

/**
 * The tables of knowledge, in every database. The derived tables differ by database: the index of
 * words and the index of vectors.
 */
export const createKnowledgeTables = (
  build: SchemaModule,
  { text, integer, counter, bytes }: ColumnTypes,
): readonly CompiledQuery[] => [
  build
    .createTable('sources')
    .addColumn('n', integer, counter)
    .addColumn('id', text, (column) => column.notNull().unique())
    .addColumn('title', text, (column) => column.notNull())
    .addColumn('digest', text, (column) => column.notNull())
    .addColumn('embedder', text, (column) => column.notNull())
    .addColumn('chunks', integer, (column) => column.notNull())
    .addColumn('added_at', integer, (column) => column.notNull())
    .compile(),
  build
    .createTable('chunks')
    .addColumn('n', integer, counter)
    .addColumn('source', integer, (column) => column.notNull())
    .addColumn('nth', integer, (column) => column.notNull())
    .addColumn('text', text, (column) => column.notNull())
    .addColumn('headings_json', text, (column) => column.notNull())
    .addColumn('page', integer)
    .addColumn('tokens', integer, (column) => column.notNull())
    .compile(),
  build.createIndex('chunks_by_source').on('chunks').columns(['source']).compile(),
  // Apart from the texts, so that reading all vectors reads no text.
  build
    .createTable('vectors')
    .addColumn('n', integer, (column) => column.primaryKey())
    .addColumn('places', bytes)
    .addColumn('weights', bytes, (column) => column.notNull())
    .compile(),
]
