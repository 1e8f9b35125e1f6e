import type { PackedVectors } from './packed-vector.ts'

/** All vectors of a file in memory, compared exactly: no neighbor is missed for speed. */
export interface VectorIndex {
  /** Whether its vectors are of words, so that only ranks can be compared with a search for words. */
  readonly isLexical: boolean
  /** The chunk of each row. */
  readonly chunks: readonly number[]
  /** The row of a chunk, or undefined if it has none. */
  rowOf(chunk: number): number | undefined
  /** The cosine between each row's nearest vector and the query. */
  similarities(query: Float32Array): Float32Array
}

/** The rows with the highest values above 0, highest first. */
export function highest(
  values: Float32Array,
  count: number,
  allowed: (row: number) => boolean,
): readonly number[] {
  const best: number[] = []
  let least = 0
  for (let row = 0; row < values.length; row++) {
    const value = values[row] ?? 0
    if (value <= least || !allowed(row)) continue
    best.push(row)
    // Trimmed only now and then, so that most rows cost one comparison.
    if (best.length < count * 2) continue
    cutBack(best, values, count)
    least = values[best.at(-1) ?? 0] ?? 0
  }
  cutBack(best, values, count)
  return best
}

function cutBack(best: number[], values: Float32Array, count: number): void {
  best.sort((a, b) => (values[b] ?? 0) - (values[a] ?? 0) || a - b)
  best.length = Math.min(best.length, count)
}

/** A row of the vectors table. */
export interface VectorRow {
  readonly chunk: number
  readonly vector: PackedVectors
}

/**
 * @param dimensions of each vector; a row may have several
 * @param isSparse whether they are of words
 */
export function vectorIndex(
  rows: readonly VectorRow[],
  dimensions: number,
  isSparse: boolean = rows.every(({ vector }) => vector.places !== null),
): VectorIndex {
  return isSparse ? new SparseIndex(rows) : new DenseIndex(rows, dimensions)
}

/** Dense vectors, one after another. */
class DenseIndex implements VectorIndex {
  readonly isLexical = false
  readonly chunks: readonly number[]
  readonly #places: ReadonlyMap<number, number>
  readonly #dimensions: number
  /** Where the vectors of each row begin, counted in vectors. */
  readonly #begins: Uint32Array
  readonly #matrix: Float32Array

  constructor(rows: readonly VectorRow[], dimensions: number) {
    this.#dimensions = dimensions
    this.chunks = rows.map(({ chunk }) => chunk)
    this.#places = placesOf(this.chunks)
    this.#begins = new Uint32Array(rows.length + 1)
    for (const [row, { vector }] of rows.entries()) {
      const count = vector.places === null ? Math.floor(vector.weights.length / dimensions) : 1
      this.#begins[row + 1] = (this.#begins[row] ?? 0) + count
    }
    this.#matrix = new Float32Array((this.#begins.at(-1) ?? 0) * dimensions)
    for (const [row, { vector }] of rows.entries()) {
      const { places, weights } = vector
      const begin = (this.#begins[row] ?? 0) * dimensions
      const end = (this.#begins[row + 1] ?? 0) * dimensions
      if (places === null) this.#matrix.set(weights.subarray(0, end - begin), begin)
      else
        for (const [at, place] of places.entries()) this.#matrix[begin + place] = weights[at] ?? 0
    }
  }

  rowOf(chunk: number): number | undefined {
    return this.#places.get(chunk)
  }

  similarities(query: Float32Array): Float32Array {
    const found = new Float32Array(this.chunks.length)
    for (let row = 0; row < found.length; row++) {
      let best = -1
      const end = this.#begins[row + 1] ?? 0
      for (let nth = this.#begins[row] ?? 0; nth < end; nth++) {
        const near = this.#cosine(nth, query)
        if (near > best) best = near
      }
      found[row] = best
    }
    return found
  }

  #cosine(nth: number, query: Float32Array): number {
    const dimensions = this.#dimensions
    const matrix = this.#matrix
    let sum = 0
    for (let place = 0, at = nth * dimensions; place < dimensions; place++, at++) {
      sum += (matrix[at] ?? 0) * (query[place] ?? 0)
    }
    return sum
  }
}

/**
 * An inverted index by dimension: a query of few words touches few rows. Rare dimensions weigh
 * more, by the logarithm of their share. Only the query is weighted (lnc.ltc), so vectors stay
 * valid as documents come and go.
 */
class SparseIndex implements VectorIndex {
  readonly isLexical = true
  readonly chunks: readonly number[]
  readonly #places: ReadonlyMap<number, number>
  /** Where the rows of each dimension begin. */
  readonly #begins: Uint32Array
  readonly #rows: Uint32Array
  readonly #weights: Float32Array

  constructor(rows: readonly VectorRow[]) {
    this.chunks = rows.map(({ chunk }) => chunk)
    this.#places = placesOf(this.chunks)
    this.#begins = beginsOf(rows)
    const total = this.#begins.at(-1) ?? 0
    this.#rows = new Uint32Array(total)
    this.#weights = new Float32Array(total)
    const next = this.#begins.slice()
    for (const [row, { vector }] of rows.entries()) {
      for (const [at, place] of (vector.places ?? NONE).entries()) {
        const to = next[place] ?? 0
        this.#rows[to] = row
        this.#weights[to] = vector.weights[at] ?? 0
        next[place] = to + 1
      }
    }
  }

  rowOf(chunk: number): number | undefined {
    return this.#places.get(chunk)
  }

  similarities(query: Float32Array): Float32Array {
    const found = new Float32Array(this.chunks.length)
    const weighted = this.#weighted(query)
    const length = Math.hypot(...weighted.map(({ weight }) => weight))
    const rows = this.#rows
    const weights = this.#weights
    for (const { place, weight } of weighted) {
      const share = weight / length
      const end = this.#begins[place + 1] ?? 0
      for (let at = this.#begins[place] ?? 0; at < end; at++) {
        const row = rows[at] ?? 0
        found[row] = (found[row] ?? 0) + (weights[at] ?? 0) * share
      }
    }
    return found
  }

  #weighted(query: Float32Array): readonly { readonly place: number; readonly weight: number }[] {
    const weighted: { readonly place: number; readonly weight: number }[] = []
    for (const [place, value] of query.entries()) {
      if (value === 0) continue
      const having = (this.#begins[place + 1] ?? 0) - (this.#begins[place] ?? 0)
      const rarity = Math.log(1 + this.chunks.length / Math.max(having, 1))
      weighted.push({ place, weight: value * rarity })
    }
    return weighted
  }
}

const placesOf = (chunks: readonly number[]): ReadonlyMap<number, number> =>
  new Map(chunks.map((chunk, row) => [chunk, row]))

const NONE = new Uint16Array(0)

/** The most dimensions that can be packed, plus one for the end of the last. */
const BEGINS = 65_536 + 1

function beginsOf(rows: readonly VectorRow[]): Uint32Array {
  const begins = new Uint32Array(BEGINS)
  for (const { vector } of rows) {
    for (const place of vector.places ?? NONE) begins[place + 1] = (begins[place + 1] ?? 0) + 1
  }
  for (let at = 1; at < BEGINS; at++) begins[at] = (begins[at] ?? 0) + (begins[at - 1] ?? 0)
  return begins
}
