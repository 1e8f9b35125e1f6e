/**
 * The vectors of a chunk as a row stores them: all numbers, one vector after another, or of a single one
 * the nonzero numbers and their indexes.
 */
export interface PackedVectors {
  /**
   * Indexes of the weights; `null`: `weights` holds all of them. Two bytes each, so only vectors of
   * up to 65,536 dimensions are packed.
   */
  readonly places: Uint16Array | null
  readonly weights: Float32Array
}

const MOST_PACKED = 65_536

/**
 * An index and a number take six bytes, a number alone four: packs a single vector if that is smaller.
 */
export function packed(vectors: readonly Float32Array[]): PackedVectors {
  const [vector] = vectors
  if (vector === undefined || vectors.length > 1) return { places: null, weights: joined(vectors) }
  const count = vector.reduce((sum, value) => (value === 0 ? sum : sum + 1), 0)
  if (count * 6 >= vector.length * 4 || vector.length > MOST_PACKED) {
    return { places: null, weights: vector }
  }
  const places = new Uint16Array(count)
  const weights = new Float32Array(count)
  let next = 0
  for (const [place, value] of vector.entries()) {
    if (value === 0) continue
    places[next] = place
    weights[next++] = value
  }
  return { places, weights }
}

function joined(vectors: readonly Float32Array[]): Float32Array {
  const all = new Float32Array(vectors.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const vector of vectors) {
    all.set(vector, at)
    at += vector.length
  }
  return all
}

export const bytesOf = (numbers: Uint16Array | Float32Array): Uint8Array =>
  new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength)

/** Reads a row's columns. The bytes are copied for alignment. */
export const unpacked = (places: unknown, weights: unknown): PackedVectors => ({
  places: places instanceof Uint8Array ? new Uint16Array(new Uint8Array(places).buffer) : null,
  weights: new Float32Array(new Uint8Array(weights instanceof Uint8Array ? weights : []).buffer),
})
