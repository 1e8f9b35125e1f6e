/** A vector as a row stores it: all of its numbers, or the nonzero ones and their indexes. */
export interface PackedVector {
  /**
   * Indexes of the weights; `null`: `weights` holds all of them. Two bytes each, so only vectors of
   * up to 65,536 dimensions are packed.
   */
  readonly places: Uint16Array | null
  readonly weights: Float32Array
}

const MOST_PACKED = 65_536

/**
 * An index and a number take six bytes, a number alone four: packs the vector if that is smaller.
 */
export function packed(vector: Float32Array): PackedVector {
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

export const bytesOf = (numbers: Uint16Array | Float32Array): Uint8Array =>
  new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength)

/** Reads a row's columns. The bytes are copied for alignment. */
export const unpacked = (places: unknown, weights: unknown): PackedVector => ({
  places: places instanceof Uint8Array ? new Uint16Array(new Uint8Array(places).buffer) : null,
  weights: new Float32Array(new Uint8Array(weights instanceof Uint8Array ? weights : []).buffer),
})
