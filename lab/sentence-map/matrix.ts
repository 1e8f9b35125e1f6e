import {
  DIMENSIONS_IN,
  DIMENSIONS_OUT,
} from '../../packages/knowledge/src/embedders/sentence/dimensions.ts'

/** Normalized rows, and their lengths before. */
export interface Rows {
  readonly rows: Float32Array
  readonly lengths: Float32Array
}

/** A matrix of rows of `width` numbers times one with rows of DIMENSIONS_OUT numbers. */
export function times(
  left: Float32Array,
  right: Float32Array,
  width: number = DIMENSIONS_IN,
): Float32Array {
  const count = left.length / width
  const found = new Float32Array(count * DIMENSIONS_OUT)
  for (let row = 0; row < count; row++) {
    for (let at = 0; at < width; at++) {
      add(rowAt(found, row), rowAt(right, at), left[row * width + at] ?? 0)
    }
  }
  return found
}

/** The transpose of a square matrix times one with rows of DIMENSIONS_OUT numbers. */
export function transposedTimes(square: Float32Array, right: Float32Array): Float32Array {
  const size = right.length / DIMENSIONS_OUT
  const found = new Float32Array(right.length)
  for (let row = 0; row < size; row++) {
    for (let at = 0; at < size; at++)
      add(rowAt(found, at), rowAt(right, row), square[row * size + at] ?? 0)
  }
  return found
}

/** The transpose of rows of DIMENSIONS_IN numbers times rows of DIMENSIONS_OUT numbers. */
export function gramTimes(left: Float32Array, right: Float32Array): Float32Array {
  const found = new Float32Array(DIMENSIONS_IN * DIMENSIONS_OUT)
  const count = left.length / DIMENSIONS_IN
  for (let row = 0; row < count; row++) {
    for (let at = 0; at < DIMENSIONS_IN; at++) {
      add(rowAt(found, at), rowAt(right, row), left[row * DIMENSIONS_IN + at] ?? 0)
    }
  }
  return found
}

/** The product of each row of one matrix with each of the other. */
export function products(left: Float32Array, right: Float32Array): Float32Array {
  const size = left.length / DIMENSIONS_OUT
  const found = new Float32Array(size * size)
  for (let row = 0; row < size; row++) {
    for (let other = 0; other < size; other++) {
      let sum = 0
      for (let at = 0; at < DIMENSIONS_OUT; at++) {
        sum += (left[row * DIMENSIONS_OUT + at] ?? 0) * (right[other * DIMENSIONS_OUT + at] ?? 0)
      }
      found[row * size + other] = sum
    }
  }
  return found
}

/** The rows of DIMENSIONS_OUT numbers. */
const rowAt = (rows: Float32Array, nth: number): Float32Array =>
  rows.subarray(nth * DIMENSIONS_OUT, (nth + 1) * DIMENSIONS_OUT)

function add(to: Float32Array, from: Float32Array, weight: number): void {
  for (let at = 0; at < DIMENSIONS_OUT; at++) to[at] = (to[at] ?? 0) + weight * (from[at] ?? 0)
}
