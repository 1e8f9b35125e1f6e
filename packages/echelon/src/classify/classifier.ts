import { calibrate, type Outcome, sureness } from './calibration.ts'
import { scoreOf, separable, separate } from './separate.ts'
import {
  type Counted,
  countedOf,
  countedVectoriser,
  type Vector,
  vectoriser,
  type Vocabulary,
  vocabularyOfCounted,
} from './vectors.ts'

/** A text and its label; `null` for one outside all labels. */
export interface LabeledText {
  readonly text: string
  readonly label: string | null
}

/** A trained model: a plain value that can be stored, and is the same for the same rows. */
export interface ClassifierModel {
  readonly vocabulary: Vocabulary
  /**
   * The weights of each label, one per feature, with the offset; `null` is the label for texts outside all labels.
   */
  readonly planes: readonly { readonly label: string | null; readonly weights: Float32Array }[]
  /** Maps a text's scores to its confidence. */
  readonly calibration: readonly number[]
}

/** The classification of a text. */
export interface Classified {
  /** The likeliest label, however unlikely; `null` only if there are no labels. */
  readonly label: string | null
  /** 0 to 1: how often such a text is classified correctly. */
  readonly confidence: number
  /** The second likeliest label; `null` for a text outside all labels, or if there is no other. */
  readonly next: string | null
}

export interface Classifier {
  readonly model: ClassifierModel
  classify(text: string): Classified
}

/** A classifier with its results on held-out texts. */
export interface Trained extends Classifier {
  /** Confidence and correctness for each held-out text; none with a known calibration. */
  readonly heldOut: readonly { readonly confidence: number; readonly right: boolean }[]
}

export interface TrainingOptions {
  /** Separate texts for calibrating the confidence; default: folds of the rows. */
  readonly heldOut?: readonly LabeledText[]
  /** The calibration of an earlier training with the same rows: only a sixth of the work is left. */
  readonly calibration?: readonly number[]
}

const FOLDS = 5
/** More outcomes do not change the confidence, and each fold costs as much as the training. */
const ENOUGH_OUTCOMES = 1_100

/**
 * Trains a classifier: one linear separation per label, on words, word pairs and word pieces. The same rows in the
 * same order give the same model.
 */
export function train(rows: readonly LabeledText[], options: TrainingOptions = {}): Trained {
  const counted = rows.map(countedRow)
  const uncalibrated = fitCounted(counted)
  if (options.calibration !== undefined) {
    return { ...classifierOf({ ...uncalibrated, calibration: options.calibration }), heldOut: [] }
  }
  const outcomes =
    options.heldOut === undefined
      ? foldOutcomes(counted)
      : outcomesOf(uncalibrated, options.heldOut.map(countedRow))
  const calibration = calibrate(outcomes)
  const heldOut = outcomes.map(({ signs, right }) => ({
    confidence: sureness(calibration, signs),
    right,
  }))
  return { ...classifierOf({ ...uncalibrated, calibration }), heldOut }
}

/** The classifier of a trained, for example stored, model. */
export function classifierOf(model: ClassifierModel): Classifier {
  const score = scorer(model)
  const toVector = vectoriser(model.vocabulary)
  return {
    model,
    classify(text) {
      const { label, next, signs } = score(toVector(text))
      const confidence = label === null ? 0 : sureness(model.calibration, signs)
      return { label, confidence, next }
    },
  }
}

/** Trains without calibrating the confidence, which takes a sixth of the time. */
export const fit = (rows: readonly LabeledText[]): ClassifierModel =>
  fitCounted(rows.map(countedRow))

/** A row whose features are counted once for all folds. */
interface CountedRow {
  readonly counted: Counted
  readonly label: string | null
}

const countedRow = ({ text, label }: LabeledText): CountedRow => ({
  counted: countedOf(text),
  label,
})

function fitCounted(rows: readonly CountedRow[]): ClassifierModel {
  const vocabulary = vocabularyOfCounted(rows.map(({ counted }) => counted))
  const toVector = countedVectoriser(vocabulary)
  const texts = separable(
    rows.map(({ counted }) => toVector(counted)),
    vocabulary.features.length,
  )
  const planes = [...new Set(rows.map(({ label }) => label))].map((label) => ({
    label,
    weights: separate(
      texts,
      rows.map((row) => row.label === label),
    ),
  }))
  return { vocabulary, planes, calibration: [] }
}

/** Turns distances from the planes into probabilities; chosen on the assistant's labeled turns. */
const SHARPNESS = 3

/**
 * The probability of each label for a text by a model, adding up to 1: a softmax of its scores. Empty if no word
 * of the text is known.
 */
export function likelihoods({
  vocabulary,
  planes,
}: ClassifierModel): (text: string) => ReadonlyMap<string | null, number> {
  const toVector = vectoriser(vocabulary)
  return (text) => {
    const vector = toVector(text)
    if (vector.at.length === 0) return new Map()
    const powers = planes.map(({ label, weights }) => ({
      label,
      power: Math.exp(SHARPNESS * scoreOf(weights, vector)),
    }))
    const sum = powers.reduce((all, { power }) => all + power, 0)
    return new Map(powers.map(({ label, power }) => [label, power / sum]))
  }
}

/** How a text fits those outside all labels if there were none in training: not at all. */
const OUTSIDE = -1

interface Scored {
  readonly label: string | null
  readonly next: string | null
  /**
   * The fit, less half of how well the text fits those outside all labels; the margin over the next label; and the
   * known share of the text.
   */
  readonly signs: readonly number[]
}

function scorer({ planes }: ClassifierModel): (vector: Vector) => Scored {
  return (vector) => {
    const scores = planes.map(({ label, weights }) => ({ label, score: scoreOf(weights, vector) }))
    let best: { readonly label: string | null; readonly score: number } = { label: null, score: -2 }
    for (const each of scores) {
      if (each.label !== null && (best.label === null || each.score > best.score)) best = each
    }
    const others = scores.filter(({ label }) => label !== best.label)
    const [next = { label: null, score: -2 }] = others.toSorted((a, b) => b.score - a.score)
    const outside = scores.find(({ label }) => label === null)?.score ?? OUTSIDE
    const signs = [best.score - outside / 2, best.score - next.score, vector.known]
    return { label: best.label, next: next.label, signs }
  }
}

const outcomesOf = (model: ClassifierModel, rows: readonly CountedRow[]): readonly Outcome[] => {
  const score = scorer(model)
  const toVector = countedVectoriser(model.vocabulary)
  return rows.map(({ counted, label }) => {
    const scored = score(toVector(counted))
    return { signs: scored.signs, right: label !== null && scored.label === label }
  })
}

/**
 * Classifies each row with a model trained on the other folds; each label occurs in each fold. With many rows, the
 * first folds are enough.
 */
function foldOutcomes(rows: readonly CountedRow[]): readonly Outcome[] {
  const seen = new Map<string | null, number>()
  const folds = rows.map(({ label }) => {
    const before = seen.get(label) ?? 0
    seen.set(label, before + 1)
    return before % FOLDS
  })
  const outcomes: Outcome[] = []
  for (let fold = 0; fold < FOLDS && outcomes.length < ENOUGH_OUTCOMES; fold++) {
    const model = fitCounted(rows.filter((_, index) => folds[index] !== fold))
    outcomes.push(
      ...outcomesOf(
        model,
        rows.filter((_, index) => folds[index] === fold),
      ),
    )
  }
  return outcomes
}
