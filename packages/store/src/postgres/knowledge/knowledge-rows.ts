import type { EmbeddedChunk, KnowledgeSource } from 'echelon/internal/knowledge'
import { bytesOf, packed, type PackedVectors, unpacked } from '../../knowledge/packed-vector.ts'
import { partOf } from '../../knowledge/part-of-row.ts'
import type { FoundPart } from '../../knowledge/search-knowledge.ts'
import type { VectorRow } from '../../knowledge/vector-index.ts'
import type { Queries } from '../connection/database.ts'
import { keptJson } from '../kept-json.ts'
import { ChunkVectors } from './vector-extension.ts'
import { wordTexts } from './word-texts.ts'

/** Chunks of one statement: of large vectors they are some megabytes. */
const BATCH = 200

/** The last change that a process has seen, to tell whether there was another. */
export const generationOf = async (queries: Queries): Promise<number> =>
  Number((await queries.get('select n from generation'))?.['n'])

/** Holds up other writers until the transaction ends. */
export const lockKnowledge = (queries: Queries): Promise<unknown> =>
  queries.get('select 1 from generation for update')

/** The embedder of any other source that used a different one. */
export async function otherEmbedder(
  queries: Queries,
  id: string,
  embedder: string,
): Promise<string | undefined> {
  const row = await queries.get(
    'select embedder from sources where id <> $1 and embedder <> $2 limit 1',
    id,
    embedder,
  )
  return row && String(row['embedder'])
}

/** Adds a source, whose id is free. @param place the schema of the extension for vectors, if it is used */
export async function insertSource(
  queries: Queries,
  { id, title, digest, addedAt }: Omit<KnowledgeSource, 'chunks'>,
  chunks: readonly EmbeddedChunk[],
  { embedder, place }: { readonly embedder: string; readonly place: string | undefined },
): Promise<void> {
  const made = await queries.get(
    `insert into sources (id, title, digest, embedder, chunks, added_at)
     values ($1, $2, $3, $4, $5, $6) returning n`,
    id,
    title,
    digest,
    embedder,
    chunks.length,
    addedAt,
  )
  for (let at = 0; at < chunks.length; at += BATCH) {
    const some = chunks.slice(at, at + BATCH)
    const ns = await insertChunks(queries, Number(made?.['n']), some)
    await indexWords(
      queries,
      some.map(({ headings, text }, nth) => ({ n: ns[nth] ?? 0, title, headings, text })),
    )
    const rows = some.map(({ vectors }, nth) => ({
      chunk: ns[nth] ?? 0,
      vector: packed(vectors),
      vectors,
    }))
    await insertVectors(queries, rows)
    const ofMeaning = rows.filter(({ vector }) => vector.places === null)
    if (place !== undefined) await new ChunkVectors(queries, place).insert(ofMeaning)
  }
}

async function insertChunks(
  queries: Queries,
  source: number,
  chunks: readonly EmbeddedChunk[],
): Promise<readonly number[]> {
  const ns = await queries.all(
    `select nextval(pg_get_serial_sequence('chunks', 'n')) as n from generate_series(1, $1)`,
    chunks.length,
  )
  const numbers = ns.map((row) => Number(row['n']))
  await queries.run(
    `insert into chunks (n, source, nth, text, headings_json, page, tokens)
     select n, $1, nth, text, headings, page, tokens
     from unnest($2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::bigint[], $7::bigint[])
       as given (n, nth, text, headings, page, tokens)`,
    source,
    numbers,
    chunks.map(({ nth }) => nth),
    chunks.map(({ text }) => text),
    chunks.map(({ headings }) => JSON.stringify(headings)),
    chunks.map(({ page }) => page),
    chunks.map(({ tokens }) => tokens),
  )
  return numbers
}

/** The text that a chunk is found by. */
export interface IndexedText {
  readonly n: number
  readonly title: string
  readonly headings: readonly string[]
  readonly text: string
}

/** Adds chunks to the index of words, and counts a change. */
export async function indexWords(queries: Queries, texts: readonly IndexedText[]): Promise<void> {
  const indexed = texts.map(({ title, headings, text }) => wordTexts([title, ...headings, text]))
  await queries.run(
    `insert into words (n, length, words) select n, length, words::tsvector
     from unnest($1::bigint[], $2::bigint[], $3::text[]) as given (n, length, words)`,
    texts.map(({ n }) => n),
    indexed.map(({ length }) => length),
    indexed.map(({ words }) => words),
  )
  const total = indexed.reduce((sum, { length }) => sum + length, 0)
  await countChange(queries, texts.length, total)
}

async function insertVectors(queries: Queries, rows: readonly VectorRow[]): Promise<void> {
  await queries.run(
    `insert into vectors (n, places, weights)
     select * from unnest($1::bigint[], $2::bytea[], $3::bytea[])`,
    rows.map(({ chunk }) => chunk),
    rows.map(({ vector: { places } }) => (places === null ? null : bytesOf(places))),
    rows.map(({ vector: { weights } }) => bytesOf(weights)),
  )
}

/** @returns whether there was such a source */
export async function removeSource(
  queries: Queries,
  id: string,
  place: string | undefined,
): Promise<boolean> {
  const row = await queries.get('delete from sources where id = $1 returning n', id)
  if (row === undefined) return false
  const gone = await queries.all(
    'delete from chunks where source = $1 returning n',
    Number(row['n']),
  )
  const chunks = gone.map(({ n }) => Number(n))
  await queries.run('delete from vectors where n = any($1::bigint[])', chunks)
  if (place !== undefined)
    await queries.run('delete from chunk_vectors where chunk = any($1::bigint[])', chunks)
  const words = await queries.all(
    'delete from words where n = any($1::bigint[]) returning length',
    chunks,
  )
  const total = words.reduce((sum, { length }) => sum + Number(length), 0)
  await countChange(queries, -words.length, -total)
  return true
}

const countChange = (queries: Queries, chunks: number, words: number): Promise<number> =>
  queries.run(
    'update generation set n = n + 1, chunks = chunks + $1, words = words + $2',
    chunks,
    words,
  )

export async function allSources(queries: Queries): Promise<readonly KnowledgeSource[]> {
  const rows = await queries.all('select * from sources order by id')
  return rows.map((row) => ({
    id: String(row['id']),
    title: String(row['title']),
    digest: String(row['digest']),
    chunks: Number(row['chunks']),
    addedAt: Number(row['added_at']),
  }))
}

/** Those of the chunks that still exist. @param place names the database in errors */
export async function chunksAt(
  queries: Queries,
  place: string,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, FoundPart>> {
  const rows = await queries.all(
    `select chunks.n as n, nth, text, headings_json, page, tokens, id, title
     from chunks join sources on sources.n = chunks.source where chunks.n = any($1::bigint[])`,
    numbers,
  )
  return new Map(
    rows.map((row) => {
      const what = `a part of the document ${String(row['id'])}`
      const headings: unknown = keptJson(place, what, row['headings_json'])
      return [Number(row['n']), partOf(row, headings)]
    }),
  )
}

/** Reads some vectors. Vectors that were removed meanwhile have no row. */
export async function vectorsAt(
  queries: Queries,
  chunks: readonly number[],
): Promise<readonly VectorRow[]> {
  const found: VectorRow[] = []
  for (let at = 0; at < chunks.length; at += BATCH) {
    const rows = await queries.all(
      'select n, places, weights from vectors where n = any($1::bigint[])',
      chunks.slice(at, at + BATCH),
    )
    for (const row of rows) {
      const vector: PackedVectors = unpacked(row['places'], row['weights'])
      found.push({ chunk: Number(row['n']), vector })
    }
  }
  return found
}
