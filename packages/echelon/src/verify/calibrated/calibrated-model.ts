import { EchelonError } from '../../core/value/error.ts'
import { isRecord } from '../../core/value/json.ts'
import {
  type LogisticRegression,
  probabilityOf,
} from '../../core/statistics/logistic-regression.ts'
import type { Judgment } from '../verifier.ts'

/** A feature of a calibrated model. */
export interface CalibratedFeature {
  /** Added to the log odds of a right answer for each standard deviation. */
  readonly weight: number
  /** Mean and standard deviation in the cases that the model was fitted on. */
  readonly mean: number
  readonly scale: number
}

/** The data that a calibrated model was fitted on, and its quality on them. */
export interface TrainedOn {
  readonly cases: number
  /** The day of the fit, as an ISO date. */
  readonly date: string
  /** Share of the cases whose answer was right. */
  readonly right: number
  /** Share of the cases that the probability, rounded to 0 or 1, predicts correctly, cross-validated. */
  readonly accuracy: number
  /** Mean squared difference between probability and outcome, cross-validated (Brier 1950). */
  readonly brier: number
}

/**
 * A fitted score: the probability that an answer is right, by the named features of verifiers. Plain JSON that a
 * person can read: the log odds are `offset + Σ weight · (value − mean) / scale`.
 */
export interface CalibratedModel {
  readonly version: 1
  readonly features: Readonly<Record<string, CalibratedFeature>>
  readonly offset: number
  readonly trainedOn: TrainedOn
}

/**
 * Reads a stored model.
 * @throws EchelonError INVALID_CONFIG that names what is wrong
 */
export function readCalibratedModel(stored: unknown): CalibratedModel {
  if (!isRecord(stored)) throw invalid('is not a JSON object')
  if (stored['version'] !== 1) {
    throw invalid(`has the version ${JSON.stringify(stored['version'])}; this release reads 1`)
  }
  const { features, trainedOn } = stored
  if (!isRecord(features)) throw invalid('has no `features`')
  if (!isRecord(trainedOn)) throw invalid('has no `trainedOn`')
  return {
    version: 1,
    features: Object.fromEntries(
      Object.entries(features).map(([name, feature]) => [name, featureOf(name, feature)]),
    ),
    offset: numberIn(stored, 'offset', '`offset`'),
    trainedOn: {
      cases: numberIn(trainedOn, 'cases', '`trainedOn.cases`'),
      date: dateIn(trainedOn),
      right: numberIn(trainedOn, 'right', '`trainedOn.right`'),
      accuracy: numberIn(trainedOn, 'accuracy', '`trainedOn.accuracy`'),
      brier: numberIn(trainedOn, 'brier', '`trainedOn.brier`'),
    },
  }
}

function featureOf(name: string, stored: unknown): CalibratedFeature {
  if (!isRecord(stored)) throw invalid(`has a feature \`${name}\` that is not an object`)
  const [weight, mean, scale] = ['weight', 'mean', 'scale'].map((key) =>
    numberIn(stored, key, `\`features["${name}"].${key}\``),
  )
  if (weight === undefined || mean === undefined || scale === undefined || scale <= 0) {
    throw invalid(`needs a \`features["${name}"].scale\` above 0`)
  }
  return { weight, mean, scale }
}

function numberIn(record: Readonly<Record<string, unknown>>, key: string, where: string): number {
  const value = record[key]
  if (typeof value === 'number' && Number.isFinite(value)) return value
  throw invalid(`needs a finite number as ${where}`)
}

function dateIn(trainedOn: Readonly<Record<string, unknown>>): string {
  const { date } = trainedOn
  if (typeof date === 'string' && /^\d{4}-\d\d-\d\d$/.test(date)) return date
  throw invalid('needs an ISO date as `trainedOn.date`')
}

const invalid = (what: string): EchelonError =>
  new EchelonError(
    'INVALID_CONFIG',
    `The calibrated model ${what}. Fit it again, or restore the file.`,
  )

/** The names that a model needs and `features` does not have. */
export const missingFeatures = (
  model: CalibratedModel,
  features: ReadonlySet<string>,
): readonly string[] => Object.keys(model.features).filter((name) => !features.has(name))

/**
 * The probability that an answer with these features is right, 0 to 1.
 * @returns undefined if a feature of the model is missing
 */
export function probabilityBy(
  model: CalibratedModel,
  features: Judgment['features'],
): number | undefined {
  if (missingFeatures(model, new Set(Object.keys(features))).length > 0) return undefined
  return probabilityOf(
    regressionOf(model),
    Object.keys(model.features).map((name) => features[name] ?? 0),
  )
}

const regressionOf = ({ features, offset }: CalibratedModel): LogisticRegression => ({
  features: Object.values(features),
  offset,
})
