import { wordsOf } from './readable.ts'

/** A text and its label. */
export interface Example<Label extends string> {
  readonly text: string
  readonly label: Label
}

/** The probability of each label for a text, adding up to 1. Empty if no word of the text is known. */
export type Likely<Label extends string> = (text: string) => ReadonlyMap<Label, number>

const ROUNDS = 25
const STEP = 3
/** Regularization: few examples justify only small weights. */
const RESTRAINT = 0.00001

/**
 * Trains a softmax regression on words, word pairs and word beginnings by gradient descent. The same examples in
 * the same order give the same result. About a hundred short examples take some ten milliseconds.
 */
export function learn<Label extends string>(examples: readonly Example<Label>[]): Likely<Label> {
  const labels = [...new Set(examples.map(({ label }) => label))]
  const vocabulary = vocabularyOf(examples.map(({ text }) => text))
  const rows = examples.map(({ text, label }) => ({
    vector: vectorOf(text, vocabulary),
    label: labels.indexOf(label),
  }))
  const weights = labels.map(() => new Float64Array(vocabulary.size + 1))
  for (let round = 0; round < ROUNDS; round++) {
    const step = STEP / (1 + round / 10)
    for (const { vector, label } of rows) {
      const shares = sharesOf(weights, vector)
      weights.forEach((weight, number) => {
        pull(weight, vector, step * ((number === label ? 1 : 0) - (shares[number] ?? 0)))
      })
    }
    for (const weight of weights) shrink(weight, 1 - step * RESTRAINT * rows.length)
  }
  return (text) => {
    if (!wordsOf(text).some((word) => vocabulary.has(word))) return new Map()
    const shares = sharesOf(weights, vectorOf(text, vocabulary))
    return new Map(labels.map((label, number) => [label, shares[number] ?? 0]))
  }
}

/** A text's features by number, with weights; normalized to length 1. */
interface Vector {
  readonly at: Int32Array
  readonly much: Float64Array
}

/** Each feature with its number and rarity. */
type Vocabulary = ReadonlyMap<string, readonly [number: number, rarity: number]>

function vocabularyOf(texts: readonly string[]): Vocabulary {
  const counts = new Map<string, number>()
  for (const text of texts) {
    for (const feature of featuresOf(text)) counts.set(feature, (counts.get(feature) ?? 0) + 1)
  }
  return new Map(
    [...counts].map(([feature, count], number) => [
      feature,
      [number, 1 + Math.log((1 + texts.length) / (1 + count))],
    ]),
  )
}

function vectorOf(text: string, vocabulary: Vocabulary): Vector {
  const [at, much]: [number[], number[]] = [[], []]
  let squares = 0
  const unknown = 1 + Math.log(1 + vocabulary.size)
  for (const feature of featuresOf(text)) {
    const [number, rarity] = vocabulary.get(feature) ?? [-1, UNKNOWN * unknown]
    const weight = rarity * (feature.startsWith(PIECE) ? PIECE_WEIGHT : 1)
    squares += weight ** 2
    if (number < 0) continue
    at.push(number)
    much.push(weight)
  }
  const length = Math.sqrt(squares) || 1
  return { at: Int32Array.from(at), much: Float64Array.from(much, (weight) => weight / length) }
}

/** Unknown features reduce the weight of the rest, by this share of their own. */
const UNKNOWN = 0.3
const PIECE = '_'
/** There are many more pieces than words. */
const PIECE_WEIGHT = 0.3
const PIECES = [3, 4, 5]

function featuresOf(text: string): ReadonlySet<string> {
  const words = wordsOf(text)
  const all = ['^', ...words, ...(/\?["')\s]*$/u.test(text) ? ['?'] : []), '$']
  const signs = text.match(/[!?]|\d+[.)]\s|\n[-*•]/gu) ?? []
  return new Set([
    ...all,
    ...all.slice(1).map((word, index) => `${all[index]} ${word}`),
    ...words.flatMap(piecesOf),
    ...signs.map((sign) => (/\d/u.test(sign) ? '1.' : sign.trim())),
  ])
}

/** Pieces within a word, whose ends count as a character: forms of a word share most of them. */
function piecesOf(word: string): readonly string[] {
  const whole = `<${word.slice(0, 30)}>`
  return PIECES.flatMap((length) =>
    Array.from({ length: Math.max(0, whole.length - length + 1) }, (_, at) =>
      PIECE.concat(whole.slice(at, at + length)),
    ),
  )
}

function sharesOf(weights: readonly Float64Array[], { at, much }: Vector): readonly number[] {
  const scores = weights.map((each) => {
    let score = each.at(-1) ?? 0
    for (let index = 0; index < at.length; index++) {
      score += (each[at[index] ?? 0] ?? 0) * (much[index] ?? 0)
    }
    return score
  })
  const most = Math.max(...scores)
  const powers = scores.map((score) => Math.exp(score - most))
  const sum = powers.reduce((all, power) => all + power, 0)
  return powers.map((power) => power / sum)
}

function pull(weights: Float64Array, { at, much }: Vector, times: number): void {
  for (let index = 0; index < at.length; index++) {
    const number = at[index] ?? 0
    weights[number] = (weights[number] ?? 0) + times * (much[index] ?? 0)
  }
  const offset = weights.length - 1
  weights[offset] = (weights[offset] ?? 0) + times * OFFSET_STEP
}

/** A frequent label must not outweigh the text. */
const OFFSET_STEP = 0.1

function shrink(weights: Float64Array, by: number): void {
  for (let index = 0; index < weights.length; index++) weights[index] = (weights[index] ?? 0) * by
}
