import { EchelonError } from '../value/error.ts'

/** A fitted logistic regression: the log odds are `offset + Σ weight · (value − mean) / scale`. */
export interface LogisticRegression {
  /** One for each feature, in the order of a row. */
  readonly features: readonly {
    readonly weight: number
    /** Mean and standard deviation of the feature in the rows that it was fitted on. */
    readonly mean: number
    readonly scale: number
  }[]
  readonly offset: number
}

/** A row of features, and whether what they describe was so. */
export interface LogisticCase {
  readonly values: readonly number[]
  readonly outcome: boolean
}

/** Newton's method converges in fewer than ten steps unless the outcomes can be separated. */
const MOST_STEPS = 50
const CLOSE_ENOUGH = 1e-10

/**
 * Fits a logistic regression by Newton steps (iteratively reweighted least squares; McCullagh and Nelder 1989,
 * section 4.4) on standardized features. A feature that never varies gets the weight 0.
 * @param penalty of the squared weights (L2), on standardized features and the sum over all cases; 0 is maximum
 * likelihood, which does not exist if a feature separates the outcomes. The offset is not penalized.
 * @throws EchelonError INVALID_INPUT unless there are both outcomes, and rows of finite numbers of one length
 */
export function fitLogistic(cases: readonly LogisticCase[], penalty = 1): LogisticRegression {
  checkCases(cases)
  const scales = scalesOf(cases)
  const rows = cases.map(({ values, outcome }) => ({
    values: [...scales.map(({ mean, scale }, at) => ((values[at] ?? 0) - mean) / scale), 1],
    target: outcome ? 1 : 0,
  }))
  let weights: readonly number[] = Array.from({ length: scales.length + 1 }, () => 0)
  let loss = lossOf(rows, weights, penalty)
  for (let step = 0; step < MOST_STEPS; step++) {
    const direction = newtonStep(rows, weights, penalty)
    const next = descend(rows, { weights, direction, loss }, penalty)
    if (next === undefined) break
    const gain = loss - next.loss
    ;({ weights, loss } = next)
    if (gain < CLOSE_ENOUGH * (1 + loss)) break
  }
  return {
    features: scales.map((scale, at) => ({ weight: weights[at] ?? 0, ...scale })),
    offset: weights.at(-1) ?? 0,
  }
}

/** The probability of a row by a fitted regression, 0 to 1. */
export function probabilityOf(
  { features, offset }: LogisticRegression,
  values: readonly number[],
): number {
  const sum = features.reduce(
    (sum, { weight, mean, scale }, at) => sum + (weight * ((values[at] ?? 0) - mean)) / scale,
    offset,
  )
  return logistic(sum)
}

const logistic = (odds: number): number => 1 / (1 + Math.exp(-odds))

function checkCases(cases: readonly LogisticCase[]): void {
  const yes = cases.filter(({ outcome }) => outcome).length
  if (yes === 0 || yes === cases.length) {
    throw new EchelonError(
      'INVALID_INPUT',
      `a logistic regression needs both outcomes; of ${cases.length} cases ${yes} are positive`,
    )
  }
  const width = cases[0]?.values.length
  const isWhole = ({ values }: LogisticCase): boolean =>
    values.length === width && values.every(Number.isFinite)
  if (!cases.every(isWhole)) {
    throw new EchelonError(
      'INVALID_INPUT',
      'a logistic regression needs rows of finite numbers, all of one length',
    )
  }
}

interface Scale {
  readonly mean: number
  readonly scale: number
}

function scalesOf(cases: readonly LogisticCase[]): readonly Scale[] {
  const width = cases[0]?.values.length ?? 0
  return Array.from({ length: width }, (_, at) => {
    const column = cases.map(({ values }) => values[at] ?? 0)
    const mean = column.reduce((sum, value) => sum + value, 0) / column.length
    const variance = column.reduce((sum, value) => sum + (value - mean) ** 2, 0) / column.length
    // A column of one value is all zeros after centering, whatever it is divided by.
    return { mean, scale: variance < 1e-18 * (1 + mean ** 2) ? 1 : Math.sqrt(variance) }
  })
}

/** A row of standardized features with a 1 for the offset. */
interface Row {
  readonly values: readonly number[]
  readonly target: number
}

function lossOf(rows: readonly Row[], weights: readonly number[], penalty: number): number {
  const squares = weights.slice(0, -1).reduce((sum, weight) => sum + weight ** 2, 0)
  return rows.reduce(
    (sum, { values, target }) => {
      const odds = dot(values, weights) * (target === 1 ? 1 : -1)
      // log(1 + exp(-odds)), without overflow
      return sum + Math.max(0, -odds) + Math.log1p(Math.exp(-Math.abs(odds)))
    },
    (penalty * squares) / 2,
  )
}

/** The step that would be right if the loss were a parabola: the Hessian's inverse times the slope. */
function newtonStep(
  rows: readonly Row[],
  weights: readonly number[],
  penalty: number,
): readonly number[] {
  const width = weights.length
  const slope = weights.map((weight, at) => (at === width - 1 ? 0 : penalty * weight))
  const hessian = weights.map((_, at) =>
    // A little of the identity keeps the matrix regular for columns that are alike.
    weights.map((_, other) => (at === other ? (at === width - 1 ? 1e-9 : penalty + 1e-9) : 0)),
  )
  for (const { values, target } of rows) {
    const probability = logistic(dot(values, weights))
    const certainty = probability * (1 - probability)
    for (let at = 0; at < width; at++) {
      const value = values[at] ?? 0
      slope[at] = (slope[at] ?? 0) + (probability - target) * value
      const line = hessian[at]
      if (line === undefined || value === 0) continue
      for (let other = 0; other <= at; other++) {
        line[other] = (line[other] ?? 0) + certainty * value * (values[other] ?? 0)
      }
    }
  }
  return solve(hessian, slope)
}

/** Solves a symmetric positive definite system, given by its lower triangle, by Cholesky's decomposition. */
function solve(matrix: number[][], right: readonly number[]): readonly number[] {
  const at = (row: number, column: number): number => matrix[row]?.[column] ?? 0
  const part = (row: number, column: number, of: (k: number) => number): number => {
    let sum = 0
    for (let k = 0; k < column; k++) sum += at(row, k) * of(k)
    return sum
  }
  for (const [row, line] of matrix.entries()) {
    for (let column = 0; column < row; column++) {
      line[column] =
        (at(row, column) - part(row, column, (k) => at(column, k))) / at(column, column)
    }
    line[row] = Math.sqrt(Math.max(1e-12, at(row, row) - part(row, row, (k) => at(row, k))))
  }
  const forward: number[] = []
  for (const [row, value] of right.entries()) {
    forward.push((value - part(row, row, (k) => forward[k] ?? 0)) / at(row, row))
  }
  const solution = forward.slice()
  for (let row = right.length - 1; row >= 0; row--) {
    let rest = forward[row] ?? 0
    for (let k = row + 1; k < right.length; k++) rest -= at(k, row) * (solution[k] ?? 0)
    solution[row] = rest / at(row, row)
  }
  return solution
}

interface Descent {
  readonly weights: readonly number[]
  readonly direction: readonly number[]
  readonly loss: number
}

/** Takes the step, or a half of it as often as needed to get lower; undefined if nothing is lower. */
function descend(
  rows: readonly Row[],
  { weights, direction, loss }: Descent,
  penalty: number,
): { readonly weights: readonly number[]; readonly loss: number } | undefined {
  for (let size = 1; size > 1e-4; size /= 2) {
    const next = weights.map((weight, at) => weight - size * (direction[at] ?? 0))
    const found = lossOf(rows, next, penalty)
    if (found < loss) return { weights: next, loss: found }
  }
  return undefined
}

function dot(values: readonly number[], weights: readonly number[]): number {
  let sum = 0
  for (let at = 0; at < weights.length; at++) sum += (values[at] ?? 0) * (weights[at] ?? 0)
  return sum
}
