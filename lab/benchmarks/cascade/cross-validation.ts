import { outOfFold as fittedOutOfFold } from '../../../packages/echelon/src/core/statistics/cross-validation.ts'
import {
  type JudgedCase,
  PENALTY,
} from '../../../packages/echelon/src/verify/calibrated/fit-calibrated.ts'

/** A case whose score is fitted, unless a verifier refuted it. */
export interface ScorableCase extends JudgedCase {
  /** Refuted answers score 0, as `calibratedScore` has it. Default false. */
  readonly isRefuted?: boolean
}

/**
 * The probability of each case by a fit on the other nine of ten folds, as `fitCalibrated` fits it.
 * @param seed of the division into folds
 */
export function outOfFold(cases: readonly ScorableCase[], seed: number): readonly number[] {
  const names = Object.keys(cases[0]?.features ?? {})
  const rows = cases.map(({ features, right }) => ({
    values: names.map((name) => features[name] ?? Number.NaN),
    outcome: right,
  }))
  const fitted = fittedOutOfFold(rows, PENALTY, seed)
  return fitted.map((probability, at) => (cases[at]?.isRefuted === true ? 0 : probability))
}
