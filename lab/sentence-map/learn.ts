import {
  DIMENSIONS_IN,
  DIMENSIONS_OUT,
} from '../../packages/knowledge/src/embedders/sentence/dimensions.ts'
import { gramTimes, products, type Rows, times, transposedTimes } from './matrix.ts'

export interface LearnedMap {
  /** Subtracted first. */
  readonly mean: Float32Array
  /** One row per dimension of the model. */
  readonly weights: Float32Array
}

const BATCH = 512
const STEP = 1e-3
const TEMPERATURE = 0.07

/**
 * One pass over the pairs: in each batch, a text is to be nearer to its own partner than to those of the
 * others (contrastive, both ways). Begins with the first dimensions as they are.
 */
export function learnMap(
  left: Float32Array,
  right: Float32Array,
  onLoss: (loss: number) => void,
): LearnedMap {
  const mean = meanOf(left, right)
  const order = shuffled(left.length / DIMENSIONS_IN)
  const adam = new Adam(identity())
  for (let at = 0; at + BATCH <= order.length; at += BATCH) {
    const batch = order.slice(at, at + BATCH)
    const [a, b] = [picked(left, mean, batch), picked(right, mean, batch)]
    const { gradient, loss } = gradientOf(adam.weights, a, b)
    adam.step(gradient)
    if ((at / BATCH) % 8 === 0) onLoss(loss)
  }
  return { mean, weights: adam.weights }
}

function gradientOf(
  weights: Float32Array,
  a: Float32Array,
  b: Float32Array,
): { readonly gradient: Float32Array; readonly loss: number } {
  const [left, right] = [normalized(times(a, weights)), normalized(times(b, weights))]
  const near = products(left.rows, right.rows).map((value) => value / TEMPERATURE)
  const [rows, columns] = [softmax(near, 'rows'), softmax(near, 'columns')]
  let loss = 0
  const error = near.map((_, at) => {
    const isPair = at % (BATCH + 1) === 0
    if (isPair) loss -= Math.log((rows[at] ?? 0) + 1e-9) / BATCH
    return ((rows[at] ?? 0) + (columns[at] ?? 0) - (isPair ? 2 : 0)) / (2 * BATCH * TEMPERATURE)
  })
  const toLeft = unnormalized(times(error, right.rows, BATCH), left)
  const toRight = unnormalized(transposedTimes(error, left.rows), right)
  const [first, second] = [gramTimes(a, toLeft), gramTimes(b, toRight)]
  return { gradient: first.map((value, at) => value + (second[at] ?? 0)), loss }
}

function meanOf(...all: readonly Float32Array[]): Float32Array {
  const mean = new Float32Array(DIMENSIONS_IN)
  const count = all.reduce((sum, { length }) => sum + length, 0) / DIMENSIONS_IN
  for (const vectors of all) {
    for (const [at, value] of vectors.entries()) {
      const place = at % DIMENSIONS_IN
      mean[place] = (mean[place] ?? 0) + value / count
    }
  }
  return mean
}

function picked(all: Float32Array, mean: Float32Array, rows: readonly number[]): Float32Array {
  const found = new Float32Array(rows.length * DIMENSIONS_IN)
  for (const [nth, row] of rows.entries()) {
    for (let at = 0; at < DIMENSIONS_IN; at++) {
      found[nth * DIMENSIONS_IN + at] = (all[row * DIMENSIONS_IN + at] ?? 0) - (mean[at] ?? 0)
    }
  }
  return found
}

/** The same order each time: a linear congruential generator with a fixed start. */
function shuffled(count: number): readonly number[] {
  const order = Array.from({ length: count }, (_, at) => at)
  let state = 20_261_127
  for (let at = count - 1; at > 0; at--) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    const other = state % (at + 1)
    const here = order[at] ?? 0
    order[at] = order[other] ?? 0
    order[other] = here
  }
  return order
}

const SCALE = 1

function identity(): Float32Array {
  const weights = new Float32Array(DIMENSIONS_IN * DIMENSIONS_OUT)
  for (let at = 0; at < DIMENSIONS_OUT; at++) weights[at * DIMENSIONS_OUT + at] = SCALE
  return weights
}

function normalized(rows: Float32Array): Rows {
  const lengths = new Float32Array(rows.length / DIMENSIONS_OUT)
  for (let row = 0; row < lengths.length; row++) {
    const begin = row * DIMENSIONS_OUT
    const length = Math.hypot(...rows.subarray(begin, begin + DIMENSIONS_OUT))
    lengths[row] = length
    for (let at = begin; at < begin + DIMENSIONS_OUT; at++) rows[at] = (rows[at] ?? 0) / length
  }
  return { rows, lengths }
}

/** The gradient before normalization. */
function unnormalized(gradient: Float32Array, { rows, lengths }: Rows): Float32Array {
  for (let row = 0; row < lengths.length; row++) {
    const begin = row * DIMENSIONS_OUT
    let along = 0
    for (let at = begin; at < begin + DIMENSIONS_OUT; at++) {
      along += (gradient[at] ?? 0) * (rows[at] ?? 0)
    }
    for (let at = begin; at < begin + DIMENSIONS_OUT; at++) {
      gradient[at] = ((gradient[at] ?? 0) - (rows[at] ?? 0) * along) / (lengths[row] ?? 1)
    }
  }
  return gradient
}

function softmax(values: Float32Array, along: 'rows' | 'columns'): Float32Array {
  const [step, next] = along === 'rows' ? [1, BATCH] : [BATCH, 1]
  const shares = new Float32Array(values.length)
  for (let line = 0; line < BATCH; line++) {
    const begin = line * next
    let sum = 0
    for (let nth = 0; nth < BATCH; nth++) sum += Math.exp(values[begin + nth * step] ?? 0)
    for (let nth = 0; nth < BATCH; nth++) {
      shares[begin + nth * step] = Math.exp(values[begin + nth * step] ?? 0) / sum
    }
  }
  return shares
}

class Adam {
  readonly weights: Float32Array
  readonly #first: Float32Array
  readonly #second: Float32Array
  #steps = 0

  constructor(weights: Float32Array) {
    this.weights = weights
    this.#first = new Float32Array(weights.length)
    this.#second = new Float32Array(weights.length)
  }

  step(gradient: Float32Array): void {
    this.#steps++
    const [one, two] = [1 - 0.9 ** this.#steps, 1 - 0.999 ** this.#steps]
    for (const [at, value] of gradient.entries()) {
      const first = 0.9 * (this.#first[at] ?? 0) + 0.1 * value
      const second = 0.999 * (this.#second[at] ?? 0) + 0.001 * value * value
      this.#first[at] = first
      this.#second[at] = second
      const change = (STEP * (first / one)) / (Math.sqrt(second / two) + 1e-8)
      this.weights[at] = (this.weights[at] ?? 0) - change
    }
  }
}
