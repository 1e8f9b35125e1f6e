import { DIMENSIONS_IN, DIMENSIONS_OUT } from './dimensions.ts'
import { MEAN, MEAN_FACTOR, WEIGHTS, WEIGHTS_FACTOR } from './map.ts'

/** Applies the learned map to a vector of the model, and gives it the length 1. */
export function projected(vector: readonly number[]): Float32Array {
  const { mean, weights } = (map ??= { mean: numbersIn(MEAN), weights: numbersIn(WEIGHTS) })
  const found = new Float32Array(DIMENSIONS_OUT)
  for (let row = 0; row < DIMENSIONS_IN; row++) {
    const value = (vector[row] ?? 0) - (mean[row] ?? 0) * MEAN_FACTOR
    const begin = row * DIMENSIONS_OUT
    for (let at = 0; at < DIMENSIONS_OUT; at++) {
      found[at] = (found[at] ?? 0) + value * (weights[begin + at] ?? 0) * WEIGHTS_FACTOR
    }
  }
  const length = Math.hypot(...found)
  if (length === 0) found[0] = 1
  else for (let at = 0; at < DIMENSIONS_OUT; at++) found[at] = (found[at] ?? 0) / length
  return found
}

let map: { readonly mean: Int8Array; readonly weights: Int8Array } | undefined

const numbersIn = (text: string): Int8Array => new Int8Array(Buffer.from(text, 'base64'))
