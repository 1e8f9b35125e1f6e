import {
  fitLogistic,
  probabilityOf,
} from '../../../packages/echelon/src/core/statistics/logistic-regression.ts'
import { seededRandom } from '../../../packages/echelon/src/core/value/random.ts'
import {
  type JudgedCase,
  PENALTY,
} from '../../../packages/echelon/src/verify/calibrated/fit-calibrated.ts'

const FOLDS = 10

/** A case whose score is fitted, unless a verifier refuted it. */
export interface ScorableCase extends JudgedCase {
  /** Refuted answers score 0, as `calibratedScore` has it. Default false. */
  readonly isRefuted?: boolean
}

/**
 * The probability of each case by a logistic regression that was fitted on the other nine of ten folds, as
 * `fitCalibrated` fits it.
 * @param seed of the division into folds
 */
export function outOfFold(cases: readonly ScorableCase[], seed: number): readonly number[] {
  const names = Object.keys(cases[0]?.features ?? {})
  const rows = cases.map(({ features, right }) => ({
    values: names.map((name) => features[name] ?? Number.NaN),
    outcome: right,
  }))
  const foldOf = folds(cases.length, seed)
  const fitted = Array.from({ length: FOLDS }, (_, fold) =>
    fitLogistic(
      rows.filter((_, at) => foldOf[at] !== fold),
      PENALTY,
    ),
  )
  return rows.map(({ values }, at) => {
    const own = cases[at]?.isRefuted === true ? undefined : fitted[foldOf[at] ?? 0]
    return own === undefined ? 0 : probabilityOf(own, values)
  })
}

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
