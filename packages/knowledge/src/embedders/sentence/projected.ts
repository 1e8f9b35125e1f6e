import { DIMENSIONS_IN, DIMENSIONS_KEPT, DIMENSIONS_OUT } from './dimensions.ts'
import { MEAN, MEAN_FACTOR, WEIGHTS, WEIGHTS_FACTOR } from './map.ts'

/** The part of the model's own vector in the cosine of two vectors; the rest is the map's. */
const OWN_SHARE = 0.4

/**
 * Maps a vector of the model by the learned map, and appends the vector itself, truncated. Each half finds
 * texts that the other does not (lab/benchmarks/memory.ts). The result has length 1.
 */
export function projected(vector: readonly number[]): Float32Array {
  const found = new Float32Array(DIMENSIONS_OUT + DIMENSIONS_KEPT)
  found.set(ofLength(Math.sqrt(1 - OWN_SHARE), mapped(vector)))
  const own = Float32Array.from(vector.slice(0, DIMENSIONS_KEPT))
  found.set(ofLength(Math.sqrt(OWN_SHARE), own), DIMENSIONS_OUT)
  return found
}

function mapped(vector: readonly number[]): Float32Array {
  const { mean, weights } = (map ??= { mean: numbersIn(MEAN), weights: numbersIn(WEIGHTS) })
  const found = new Float32Array(DIMENSIONS_OUT)
  for (let row = 0; row < DIMENSIONS_IN; row++) {
    const value = (vector[row] ?? 0) - (mean[row] ?? 0) * MEAN_FACTOR
    const begin = row * DIMENSIONS_OUT
    for (let at = 0; at < DIMENSIONS_OUT; at++) {
      found[at] = (found[at] ?? 0) + value * (weights[begin + at] ?? 0) * WEIGHTS_FACTOR
    }
  }
  return found
}

function ofLength(wanted: number, vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector)
  if (length > 0) return vector.map((value) => (value * wanted) / length)
  const found = new Float32Array(vector.length)
  found[0] = wanted
  return found
}

let map: { readonly mean: Int8Array; readonly weights: Int8Array } | undefined

const numbersIn = (text: string): Int8Array => new Int8Array(Buffer.from(text, 'base64'))
