import { EchelonError } from '../../core/value/error.ts'
import { judgeBySeveral } from '../several.ts'
import { type Judgment, scored, silent, type Verifier } from '../verifier.ts'
import { type CalibratedModel, missingFeatures, probabilityBy } from './calibrated-model.ts'

/**
 * A verifier whose score is the probability that a fitted model gives to the evidence of others. A proof or a
 * refutation by one of them stands as it is, and the rest are not asked.
 * @throws EchelonError INVALID_CONFIG unless the features of the verifiers are those of the model
 */
export function calibratedScore(model: CalibratedModel, verifiers: readonly Verifier[]): Verifier {
  const features = verifiers.flatMap(({ features }) => features)
  checkFeatures(model, features)
  return {
    name: 'calibrated',
    features,
    verify(attempt, observed) {
      const judged = judgeBySeveral(verifiers, attempt, observed, (judgments) =>
        judgments.some(isSettled),
      )
      return 'effects' in judged ? judged : judgmentOf(model, judged.judgments)
    },
  }
}

const isSettled = ({ verdict }: Judgment): boolean => verdict === 'proved' || verdict === 'refuted'

function judgmentOf(model: CalibratedModel, judgments: readonly Judgment[]): Judgment {
  const features = Object.assign({}, ...judgments.map((each) => each.features))
  const settled = judgments.find(isSettled)
  if (settled !== undefined) return { ...settled, features }
  const chance = probabilityBy(model, features)
  const evidence = judgments.map(({ reason }) => reason).join('; ')
  if (chance === undefined) {
    const missing = missingFeatures(model, new Set(Object.keys(features)))
    return silent(`the evidence lacks ${missing.join(', ')}: ${evidence}`, features)
  }
  return scored(chance, evidence, features)
}

function checkFeatures(model: CalibratedModel, features: readonly string[]): void {
  const missing = missingFeatures(model, new Set(features))
  const extra = features.filter((name) => !Object.hasOwn(model.features, name))
  if (missing.length + extra.length === 0) return
  const said = [
    ...(missing.length > 0 ? [`the model needs ${missing.join(', ')}`] : []),
    ...(extra.length > 0 ? [`it was fitted without ${extra.join(', ')}`] : []),
  ].join('; ')
  throw new EchelonError(
    'INVALID_CONFIG',
    `The verifiers are not those that the calibrated model was fitted on: ${said}. Pass the same verifiers, or fit it again.`,
  )
}
