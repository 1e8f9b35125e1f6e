/** A vector as a row holds it: all of its numbers, or those that are not 0 and where they are. */
export interface PackedVector {
  /** `null`: `weights` are all of them. Two bytes each, so that only up to 65,536 dimensions are packed. */
  readonly places: Uint16Array | null
  readonly weights: Float32Array
}

const MOST_PACKED = 65_536

/** A place and a number take six bytes and a number alone four: packed where that is less. */
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

/** From what a row holds; its bytes are copied, so that they begin where numbers may. */
export const unpacked = (places: unknown, weights: unknown): PackedVector => ({
  places: places instanceof Uint8Array ? new Uint16Array(new Uint8Array(places).buffer) : null,
  weights: new Float32Array(new Uint8Array(weights instanceof Uint8Array ? weights : []).buffer),
})
