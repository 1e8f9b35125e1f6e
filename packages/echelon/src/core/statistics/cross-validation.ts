import { seededRandom } from '../value/random.ts'
import {
  fitLogistic,
  type LogisticCase,
  type LogisticRegression,
  probabilityOf,
} from './logistic-regression.ts'

const FOLDS = 10

/**
 * The probability of each case by a logistic regression that was fitted on the other nine of ten folds, so that no
 * case is judged by a fit that has seen it.
 * @param penalty of the fit
 * @param seed of the division into folds
 * @throws EchelonError INVALID_INPUT unless there are both outcomes
 */
export function outOfFold(
  cases: readonly LogisticCase[],
  penalty: number,
  seed: number,
): readonly number[] {
  const whole = fitLogistic(cases, penalty)
  const foldOf = folds(cases.length, seed)
  const fitted = Array.from({ length: FOLDS }, (_, fold) => {
    const others = cases.filter((_, at) => foldOf[at] !== fold)
    return hasBoth(others) ? fitLogistic(others, penalty) : whole
  })
  return cases.map(({ values }, at) => {
    const own: LogisticRegression = fitted[foldOf[at] ?? 0] ?? whole
    return probabilityOf(own, values)
  })
}

const hasBoth = (cases: readonly LogisticCase[]): boolean =>
  new Set(cases.map(({ outcome }) => outcome)).size === 2

/** The fold of each case; folds differ in size by one at most. */
function folds(count: number, seed: number): readonly number[] {
  const random = seededRandom(seed)
  const shuffled = Array.from({ length: count }, (_, at) => ({ at, by: random() })).toSorted(
    (a, b) => a.by - b.by,
  )
  const found = Array.from({ length: count }, () => 0)
  for (const [place, { at }] of shuffled.entries()) found[at] = place % FOLDS
  return found
}
