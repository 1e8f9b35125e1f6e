import type { NearChunk, Nearness } from '../../knowledge/vectors.ts'
import type { Queries } from '../connection/database.ts'

/** The schema of the extension `vector`, quoted, where these tables use it. */
export async function extensionSchema(queries: Queries): Promise<string | undefined> {
  const row = await queries.get(
    `select quote_ident(nspname) as place from pg_catalog.pg_extension
     join pg_catalog.pg_namespace on pg_namespace.oid = extnamespace
     where extname = 'vector' and to_regclass('chunk_vectors') is not null`,
  )
  return row && String(row['place'])
}

/** The vectors of a chunk, one by one. */
export interface SeparateVectors {
  readonly chunk: number
  readonly vectors: readonly Float32Array[]
}

/** Vectors of meaning, compared exactly by the database. */
export class ChunkVectors {
  readonly #queries: Queries
  /** The schema of the extension. */
  readonly #place: string

  constructor(queries: Queries, place: string) {
    this.#queries = queries
    this.#place = place
  }

  to(query: Float32Array): Nearness {
    const near = async (
      {
        count,
        inside,
      }: { readonly count: number | null; readonly inside: readonly number[] | null },
      having: string,
    ): Promise<readonly NearChunk[]> => {
      const rows = await this.#queries.all(
        `select chunk, -min(vector operator(${this.#place}.<#>) $1::${this.#place}.vector) as cosine
         from chunk_vectors
         where ${this.#place}.vector_dims(vector) = $2
           and ($3::bigint[] is null or chunk = any($3::bigint[]))
         group by chunk ${having} order by cosine desc, chunk limit $4`,
        vectorText(query),
        query.length,
        inside,
        count,
      )
      return rows.map((row) => [Number(row['chunk']), Number(row['cosine'])])
    }
    return {
      nearest: (count, inside) =>
        near(
          { count, inside: inside === undefined ? null : [...inside] },
          `having min(vector operator(${this.#place}.<#>) $1::${this.#place}.vector) < 0`,
        ),
      of: (chunks) => near({ count: null, inside: chunks }, ''),
    }
  }

  async insert(chunks: readonly SeparateVectors[]): Promise<void> {
    const all = chunks.flatMap(({ chunk, vectors }) =>
      vectors.map((vector, nth) => ({ chunk, nth, text: vectorText(vector) })),
    )
    await this.#queries.run(
      `insert into chunk_vectors (chunk, nth, vector)
       select chunk, nth, vector::${this.#place}.vector
       from unnest($1::bigint[], $2::integer[], $3::text[]) as given (chunk, nth, vector)`,
      all.map(({ chunk }) => chunk),
      all.map(({ nth }) => nth),
      all.map(({ text }) => text),
    )
  }
}

const vectorText = (vector: Float32Array): string => `[${vector.join(',')}]`
