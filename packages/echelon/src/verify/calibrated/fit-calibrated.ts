import {
  fitLogistic,
  type LogisticCase,
  type LogisticRegression,
  probabilityOf,
} from '../../core/statistics/logistic-regression.ts'
import { EchelonError } from '../../core/value/error.ts'
import type { Judgment } from '../verifier.ts'
import type { CalibratedModel } from './calibrated-model.ts'

/** The features of one answer, and whether it was right. */
export interface JudgedCase {
  readonly features: Judgment['features']
  readonly right: boolean
}

export interface FitOptions {
  /** The day of the fit, as an ISO date; it is kept in the model. */
  readonly date: string
  /** Weight of the squared weights (L2); default 5. More of it trusts the cases less. */
  readonly penalty?: number
}

/** Default of `FitOptions.penalty`. */
export const PENALTY = 5
const FOLDS = 10

/**
 * Fits a calibrated model on judged answers: a logistic regression on all their features.
 * @throws EchelonError INVALID_INPUT for cases of only right or only wrong answers, and for cases whose features
 * are not the same
 */
export function fitCalibrated(
  cases: readonly JudgedCase[],
  { date, penalty = PENALTY }: FitOptions,
): CalibratedModel {
  const names = namesOf(cases)
  const rows = cases.map(({ features, right }) => ({
    values: names.map((name) => features[name] ?? 0),
    outcome: right,
  }))
  const { features, offset } = fitLogistic(rows, penalty)
  return {
    version: 1,
    features: Object.fromEntries(
      names.map((name, at) => [name, features[at] ?? { weight: 0, mean: 0, scale: 1 }]),
    ),
    offset,
    trainedOn: { cases: cases.length, date, ...validated(rows, penalty) },
  }
}

/** @throws EchelonError INVALID_INPUT if a case has other features than the first */
function namesOf(cases: readonly JudgedCase[]): readonly string[] {
  const names = Object.keys(cases[0]?.features ?? {})
  for (const [at, { features }] of cases.entries()) {
    const own = new Set(Object.keys(features))
    const missing = names.filter((name) => !own.has(name))
    const extra = [...own].filter((name) => !names.includes(name))
    if (missing.length + extra.length === 0) continue
    const said = [
      ...(missing.length > 0 ? [`lacks ${missing.join(', ')}`] : []),
      ...(extra.length > 0 ? [`has ${extra.join(', ')}, which the first lacks`] : []),
    ].join(' and ')
    throw new EchelonError(
      'INVALID_INPUT',
      `Case ${at + 1} of ${cases.length} ${said}. Judge all cases with the same verifiers.`,
    )
  }
  return names
}

/** Every tenth case is predicted by a fit on the others. */
function validated(
  rows: readonly LogisticCase[],
  penalty: number,
): { readonly right: number; readonly accuracy: number; readonly brier: number } {
  const whole = fitLogistic(rows, penalty)
  const chances = Array.from({ length: FOLDS }, (_, fold) => {
    const others = rows.filter((_, at) => at % FOLDS !== fold)
    const fitted = hasBoth(others) ? fitLogistic(others, penalty) : whole
    return predicted(
      fitted,
      rows.filter((_, at) => at % FOLDS === fold),
    )
  }).flat()
  const mean = (of: (chance: Chance) => number): number =>
    chances.reduce((sum, each) => sum + of(each), 0) / rows.length
  return {
    right: mean(({ outcome }) => Number(outcome)),
    accuracy: mean(({ chance, outcome }) => Number(chance >= 0.5 === outcome)),
    brier: mean(({ chance, outcome }) => (chance - Number(outcome)) ** 2),
  }
}

interface Chance {
  readonly chance: number
  readonly outcome: boolean
}

const hasBoth = (rows: readonly LogisticCase[]): boolean =>
  new Set(rows.map(({ outcome }) => outcome)).size === 2

const predicted = (fitted: LogisticRegression, rows: readonly LogisticCase[]): readonly Chance[] =>
  rows.map(({ values, outcome }) => ({ chance: probabilityOf(fitted, values), outcome }))
