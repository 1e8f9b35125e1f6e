import type { DatabaseSync } from 'node:sqlite'
import { EchelonError } from 'echelon/internal/value'
import { namesOfDamaged } from '../checksum/damaged-rows.ts'
import { KNOWLEDGE_ID, KNOWLEDGE_MIGRATIONS, SUMMED_KNOWLEDGE } from './knowledge-schema.ts'
import { openReadOnly } from '../file/read-only.ts'
import { unusable } from '../file/unusable.ts'

/** The content of a knowledge file, in numbers. */
export interface KnowledgeFacts {
  /** Of the file; 0 if nothing was ever stored in it. */
  readonly version: number
  /** Of this code. A file of an older version is upgraded on its next use. */
  readonly currentVersion: number
  /** Including the log beside it. */
  readonly bytes: number
  /**
   * Tables, indexes and triggers that differ from the schema, otherwise the errors SQLite finds, at
   * most ten; empty for an intact file.
   */
  readonly damage: readonly string[]
  /** Rows that fail their checksum, by name, at most a hundred. Searches skip them. */
  readonly damagedRows: readonly string[]
  readonly documents: number
  /** Pieces of them. */
  readonly chunks: number
}

/**
 * Examines a knowledge file without changing a byte of it.
 * @throws EchelonError STORE_UNUSABLE for a file that does not exist, is corrupt, of a newer
 * version or of another program
 */
export async function examineKnowledge(path: string): Promise<KnowledgeFacts> {
  const { db, version } = openReadOnly(path, { kind: KNOWLEDGE })
  try {
    return await factsOf(path, db, version)
  } catch (error) {
    throw error instanceof EchelonError ? error : unusable(path, error)
  } finally {
    db.close()
  }
}

/** Whether a file holds knowledge. False if it cannot be read. */
export function isKnowledgeFile(path: string): boolean {
  try {
    const { db, version } = openReadOnly(path, { kind: KNOWLEDGE, anyVersion: true })
    db.close()
    return version > 0
  } catch {
    return false
  }
}

const KNOWLEDGE = {
  mark: KNOWLEDGE_ID,
  version: KNOWLEDGE_MIGRATIONS.length,
  tables: SUMMED_KNOWLEDGE,
}

async function factsOf(path: string, db: DatabaseSync, version: number): Promise<KnowledgeFacts> {
  const { bytesOf, damageOf } = await import('../file/store-facts.ts')
  const made = { migrations: KNOWLEDGE_MIGRATIONS, mark: KNOWLEDGE_ID }
  const damage = await damageOf(db, version, made)
  const file = { version, currentVersion: KNOWLEDGE.version, bytes: bytesOf(path), damage }
  // Numbers read from a damaged file mean nothing.
  if (version === 0 || damage.length > 0) {
    return { ...file, damagedRows: [], documents: 0, chunks: 0 }
  }
  const count = (table: 'sources' | 'chunks'): number =>
    Number(db.prepare(`select count(*) as found from ${table}`).get()?.['found'])
  return {
    ...file,
    damagedRows: namesOfDamaged(db, version, { tables: SUMMED_KNOWLEDGE, between: BETWEEN_ROWS }),
    documents: count('sources'),
    chunks: count('chunks'),
  }
}

const BETWEEN_ROWS = [
  [
    `select id from sources
     where chunks <> (select count(*) from chunks where chunks.source = sources.n)`,
    (id: string) => `the document ${id}, of which parts are gone`,
  ],
  [
    'select n as id from chunks where n not in (select n from vectors)',
    (n: string) => `part ${n} of all, whose vector is gone`,
  ],
  [
    'select n as id from chunks where source not in (select n from sources)',
    (n: string) => `part ${n} of all, whose document is gone`,
  ],
] as const
