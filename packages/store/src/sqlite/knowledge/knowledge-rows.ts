import type { EmbeddedChunk, KnowledgeSource } from 'echelon/internal/knowledge'
import type { AnyWord } from '../../knowledge/asked-words.ts'
import { bytesOf, packed, unpacked } from '../../knowledge/packed-vector.ts'
import { partOf } from '../../knowledge/part-of-row.ts'
import type { FoundPart } from '../../knowledge/search-knowledge.ts'
import type { VectorRow } from '../../knowledge/vector-index.ts'
import type { Database } from '../file/database.ts'
import { keptJson } from '../kept-json.ts'
import { wholeKnowledge } from './knowledge-schema.ts'
import type { Prepared } from '../file/prepared.ts'
import { wordQuery } from './word-query.ts'

/**
 * The tables of a knowledge file. Callers that need atomicity open a transaction. Damaged rows are
 * not found and hide nothing else: `sources` lists them, and so does the doctor.
 */
export class KnowledgeRows {
  readonly #db: Database
  readonly #prepared = new Map<string, Prepared>()

  constructor(db: Database) {
    this.#db = db
  }

  /** The embedder of any other source that used a different one. */
  otherEmbedder(id: string, embedder: string): string | undefined {
    const row = this.#sql(
      `select embedder from sources
       where id <> ? and embedder <> ? and ${wholeKnowledge('sources')} limit 1`,
    ).get(id, embedder)
    return row === undefined ? undefined : String(row['embedder'])
  }

  embedder(): string | null {
    const row = this.#sql(
      `select embedder from sources where ${wholeKnowledge('sources')} limit 1`,
    ).get()
    return row === undefined ? null : String(row['embedder'])
  }

  insert(
    { id, title, digest, addedAt }: Omit<KnowledgeSource, 'chunks'>,
    chunks: readonly EmbeddedChunk[],
    embedder: string,
  ): void {
    const { lastInsertRowid: source } = this.#sql(
      `insert into sources (id, title, digest, embedder, chunks, added_at)
       values (?, ?, ?, ?, ?, ?)`,
    ).run(id, title, digest, embedder, chunks.length, addedAt)
    for (const chunk of chunks) this.#insertChunk(Number(source), title, chunk)
  }

  #insertChunk(source: number, title: string, chunk: EmbeddedChunk): void {
    const { nth, text, headings, page, tokens, vectors } = chunk
    const { lastInsertRowid: n } = this.#sql(
      `insert into chunks (source, nth, text, headings_json, page, tokens)
       values (?, ?, ?, ?, ?, ?)`,
    ).run(source, nth, text, JSON.stringify(headings), page, tokens)
    this.#sql('insert into words (rowid, title, headings, text) values (?, ?, ?, ?)').run(
      n,
      title,
      headings.join('\n'),
      text,
    )
    const { places, weights } = packed(vectors)
    this.#sql('insert into vectors (n, places, weights) values (?, ?, ?)').run(
      n,
      places === null ? null : bytesOf(places),
      bytesOf(weights),
    )
  }

  remove(id: string): boolean {
    const row = this.#sql('select n from sources where id = ?').get(id)
    if (row === undefined) return false
    const source = Number(row['n'])
    const chunks = 'select n from chunks where source = ?'
    this.#sql(`delete from words where rowid in (${chunks})`).run(source)
    this.#sql(`delete from vectors where n in (${chunks})`).run(source)
    this.#sql('delete from chunks where source = ?').run(source)
    this.#sql('delete from sources where n = ?').run(source)
    return true
  }

  sources(): readonly KnowledgeSource[] {
    return this.#sql(ALL_SOURCES)
      .all()
      .map((row) => ({
        id: String(row['id']),
        title: String(row['title']),
        digest: row['whole'] === 1 ? String(row['digest']) : '',
        chunks: Number(row['chunks']),
        addedAt: Number(row['added_at']),
        ...(row['whole'] !== 1 && { damaged: true as const }),
      }))
  }

  /** The chunks that hold any of the words, best first. */
  holding(any: AnyWord, limit: number, below: string | undefined): readonly number[] {
    const words = wordQuery(any)
    const rows =
      below === undefined
        ? this.#sql('select rowid as n from words where words match ? order by rank limit ?').all(
            words,
            limit,
          )
        : this.#sql(
            `select rowid as n from words where words match ? and rowid in (${BELOW})
             order by rank limit ?`,
          ).all(words, ...placed(below), limit)
    return rows.map((row) => Number(row['n']))
  }

  /** All chunks that hold any of the words, in no order. */
  matching(words: AnyWord): readonly number[] {
    return this.#sql('select rowid as n from words where words match ?')
      .all(wordQuery(words))
      .map((row) => Number(row['n']))
  }

  below(path: string): ReadonlySet<number> {
    return new Set(
      this.#sql(BELOW)
        .all(...placed(path))
        .map((row) => Number(row['n'])),
    )
  }

  chunk(n: number): FoundPart | undefined {
    const row = this.#sql(
      `select nth, text, headings_json, page, tokens, id, title
       from chunks join sources on sources.n = chunks.source
       where chunks.n = ? and ${wholeKnowledge('chunks')} and ${wholeKnowledge('sources')}`,
    ).get(n)
    if (row === undefined) return undefined
    const what = `a part of the document ${String(row['id'])}`
    const headings: unknown = keptJson(this.#db.path, what, row['headings_json'])
    return partOf(row, headings)
  }

  vectors(): readonly VectorRow[] {
    const rows: VectorRow[] = []
    for (const row of this.#sql(ALL_VECTORS).iterate()) {
      rows.push({ chunk: Number(row['n']), vector: unpacked(row['places'], row['weights']) })
    }
    return rows
  }

  generation(): number {
    return Number(this.#sql('select n from generation').get()?.['n'] ?? 0)
  }

  raise(): void {
    this.#sql('update generation set n = n + 1').run()
  }

  #sql(sql: string): Prepared {
    const prepared = this.#prepared.get(sql) ?? this.#db.prepare(sql)
    this.#prepared.set(sql, prepared)
    return prepared
  }
}

const ALL_VECTORS = `select n, places, weights from vectors
  where ${wholeKnowledge('vectors')} order by n`

/** Only the key of a damaged row is read: a number may be out of range. */
const ALL_SOURCES = `select id, digest, iif(row_is_whole, title, '(damaged)') as title,
    iif(row_is_whole, chunks, 0) as chunks, iif(row_is_whole, added_at, 0) as added_at,
    row_is_whole and chunks = (
      select count(*) from chunks join vectors on vectors.n = chunks.n
      where chunks.source = all_sources.n
        and ${wholeKnowledge('chunks')} and ${wholeKnowledge('vectors')}) as whole
  from (select *, ${wholeKnowledge('sources')} as row_is_whole from sources) as all_sources
  order by id`

/** A path itself and everything below it, compared as texts so that any character is literal. */
const BELOW = `select chunks.n as n from chunks join sources on sources.n = chunks.source
  where id = ? or substr(id, 1, length(?)) = ?`

const placed = (path: string): readonly [path: string, prefix: string, prefix: string] => {
  const folder = path.replace(/\/+$/, '')
  return [folder, `${folder}/`, `${folder}/`]
}
