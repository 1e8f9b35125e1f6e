import { highest, type VectorIndex } from './vector-index.ts'

/** A chunk and its cosine to a query. */
export type NearChunk = readonly [chunk: number, cosine: number]

/** The vectors of all chunks, wherever they are compared. */
export interface Vectors {
  /** Whether they are of words, so that only ranks can be compared with a search for words. */
  readonly isLexical: boolean
  /** The number of chunks that have any. */
  readonly size: number
  to(query: Float32Array): Nearness
}

/** Similarity of the chunks to one query; of several vectors of a chunk the nearest counts. */
export interface Nearness {
  /** The chunks with a cosine above 0, nearest first. @param inside the only chunks that count */
  nearest(count: number, inside?: ReadonlySet<number>): Promise<readonly NearChunk[]>
  /** Those of the given chunks that have a vector. */
  of(chunks: readonly number[]): Promise<readonly NearChunk[]>
}

/** Vectors in the memory of this process. */
export const heldVectors = (index: VectorIndex): Vectors => ({
  isLexical: index.isLexical,
  size: index.chunks.length,
  to(query) {
    const cosines = index.similarities(query)
    const at = (row: number): NearChunk => [index.chunks[row] ?? 0, cosines[row] ?? 0]
    return {
      nearest: async (count, inside) =>
        highest(cosines, count, (row) => inside?.has(at(row)[0]) ?? true).map(at),
      of: async (chunks) =>
        chunks.flatMap((chunk) => {
          const row = index.rowOf(chunk)
          return row === undefined ? [] : [at(row)]
        }),
    }
  },
})
