import { vectorIndex, type VectorRow } from '../../knowledge/vector-index.ts'
import {
  heldVectors,
  type NearChunk,
  type Nearness,
  type Vectors,
} from '../../knowledge/vectors.ts'
import type { Queries } from '../connection/database.ts'
import { generationOf, vectorsAt } from './knowledge-rows.ts'
import { ChunkVectors } from './vector-extension.ts'

interface Held {
  readonly generation: number
  readonly dimensions: number
  readonly vectors: Promise<Vectors>
}

/**
 * The vectors of a database. They are compared in this process, which holds them from the first search
 * on; after a change it reads only what is new. Where the database has the extension `vector`, that
 * compares all but those of words.
 */
export class CachedVectors {
  readonly #db: Queries
  /** The schema of the extension, if it is used. */
  readonly #place: string | undefined
  #rows: ReadonlyMap<number, VectorRow> = new Map()
  #held: Held | undefined

  constructor(db: Queries, place: string | undefined) {
    this.#db = db
    this.#place = place
  }

  async at(dimensions: number): Promise<Vectors> {
    const generation = await generationOf(this.#db)
    const held = this.#held
    if (held?.generation === generation && held.dimensions === dimensions) return held.vectors
    const vectors = this.#read(dimensions)
    this.#held = { generation, dimensions, vectors }
    try {
      return await vectors
    } catch (error) {
      if (this.#held.vectors === vectors) this.#held = undefined
      throw error
    }
  }

  async #read(dimensions: number): Promise<Vectors> {
    const place = this.#place
    if (place === undefined) return heldVectors(vectorIndex(await this.#current(''), dimensions))
    const ofWords = await this.#current('where places is not null')
    const counted = await this.#db.get('select count(distinct chunk) as chunks from chunk_vectors')
    const chunks = Number(counted?.['chunks'])
    if (chunks === 0) return heldVectors(vectorIndex(ofWords, dimensions))
    const held = heldVectors(vectorIndex(ofWords, dimensions, false))
    return {
      isLexical: false,
      size: chunks + held.size,
      to: (query) => both(new ChunkVectors(this.#db, place).to(query), held.to(query)),
    }
  }

  /** The rows as they are now. A row never changes, and its number is never used again. */
  async #current(where: string): Promise<readonly VectorRow[]> {
    const there = await this.#db.all(`select n from vectors ${where} order by n`)
    const numbers = there.map((row) => Number(row['n']))
    const known = this.#rows
    const missing = numbers.filter((n) => !known.has(n))
    const read = new Map((await vectorsAt(this.#db, missing)).map((row) => [row.chunk, row]))
    const rows = numbers.flatMap((n) => known.get(n) ?? read.get(n) ?? [])
    this.#rows = new Map(rows.map((row) => [row.chunk, row]))
    return rows
  }
}

const both = (one: Nearness, other: Nearness): Nearness => ({
  nearest: async (count, inside) =>
    [...(await one.nearest(count, inside)), ...(await other.nearest(count, inside))]
      .toSorted(([a, first]: NearChunk, [b, second]: NearChunk) => second - first || a - b)
      .slice(0, count),
  of: async (chunks) => [...(await one.of(chunks)), ...(await other.of(chunks))],
})
