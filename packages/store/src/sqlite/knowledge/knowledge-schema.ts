import { createKnowledgeTables } from '../../schema/create-knowledge-tables.ts'
import { isWhole, type SummedTable } from '../checksum/row-sum.ts'
import { type Migration, SQLITE_TYPES, type Statement } from '../file/schema.ts'
import { summed } from '../checksum/sum-migration.ts'

/** Tells a knowledge file from a store's: `PRAGMA application_id`, "ECHK". */
export const KNOWLEDGE_ID = 0x4543_484b

/** The word index is derived from the chunks and has no checksum. */
export const SUMMED_KNOWLEDGE: Readonly<Record<'sources' | 'chunks' | 'vectors', SummedTable>> = {
  sources: {
    columns: ['n', 'id', 'title', 'digest', 'embedder', 'chunks', 'added_at'],
    keys: ['id'],
    name: (id) => `the document ${id}`,
  },
  chunks: {
    columns: ['n', 'source', 'nth', 'headings_json', 'page', 'tokens', 'text'],
    keys: ['n', 'nth'],
    name: (n, nth) => `part ${n} of all, part ${nth} of its document`,
  },
  vectors: {
    columns: ['n', 'places', 'weights'],
    keys: ['n'],
    name: (n) => `the vector of part ${n}`,
  },
}

/** SQL: whether a row of the table is as it was written, 1 or 0. */
export const wholeKnowledge = (table: keyof typeof SUMMED_KNOWLEDGE): string =>
  isWhole(table, SUMMED_KNOWLEDGE[table])

const unsummed: Migration = (build) => [
  ...createKnowledgeTables(build, SQLITE_TYPES),
  ...WORDS,
  ...GENERATION,
]

/**
 * The migrations of a knowledge file, one per version. `sources.n` and `chunks.n` are never reused,
 * so that a process that caches them sees new rows.
 */
export const KNOWLEDGE_MIGRATIONS: readonly Migration[] = [
  unsummed,
  summed(unsummed, SUMMED_KNOWLEDGE),
]

/** A contentless index: the texts are in `chunks` already. */
const WORDS: readonly Statement[] = [
  {
    sql: `create virtual table words using fts5(title, headings, text, content = '',
      contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2')`,
    parameters: [],
  },
]

/** Raised with each change, so that every process can tell when its cache is stale. */
const GENERATION: readonly Statement[] = [
  { sql: 'create table generation (n integer not null)', parameters: [] },
  { sql: 'insert into generation (n) values (0)', parameters: [] },
]
