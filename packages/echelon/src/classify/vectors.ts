import { featuresOf } from './features.ts'

/** The features of a text by number, with weights; normalized to length 1. */
export interface Vector {
  readonly at: Int32Array
  readonly weight: Float32Array
  /** 0 to 1: the share of the text that occurred in training. */
  readonly known: number
}

/** The vocabulary that texts are measured against. A plain value. */
export interface Vocabulary {
  /** Words and their pairs begin with `w`, pieces with `c`. */
  readonly features: readonly string[]
  /** The rarity of each: the logarithm of the inverse share of texts that hold it. */
  readonly rarity: readonly number[]
  /** Number of training texts. */
  readonly texts: number
}

/** The latest vocabularies by their texts: agents of a program share their examples. */
const latest = new Map<string, Vocabulary>()
const MOST_KEPT = 4

/** The function of each vocabulary that turns a text into a vector. */
const vectorizers = new WeakMap<Vocabulary, (text: string) => Vector>()

/** The vocabulary of these texts. Vectors of these very texts are computed once. */
export function vocabularyOf(texts: readonly string[]): Vocabulary {
  const key = JSON.stringify(texts)
  const vocabulary = latest.get(key) ?? vocabularyOfCounted(texts.map(countedOf))
  if (!vectorizers.has(vocabulary)) vectorizers.set(vocabulary, remembering(vocabulary, texts))
  latest.delete(key)
  latest.set(key, vocabulary)
  const [oldest] = latest.keys()
  if (latest.size > MOST_KEPT && oldest !== undefined) latest.delete(oldest)
  return vocabulary
}

/** Returns a function that turns texts into vectors by one vocabulary. */
export const vectoriser = (vocabulary: Vocabulary): ((text: string) => Vector) =>
  vectorizers.get(vocabulary) ?? remembering(vocabulary, [])

function remembering(vocabulary: Vocabulary, texts: readonly string[]): (text: string) => Vector {
  const toVector = countedVectoriser(vocabulary)
  const own = new Set(texts)
  const known = new Map<string, Vector>()
  return (text) => {
    const vector = known.get(text) ?? toVector(countedOf(text))
    if (own.has(text)) known.set(text, vector)
    return vector
  }
}

/** Counts of each feature in a text: its words and pairs, and its pieces. */
export type Counted = readonly ReadonlyMap<string, number>[]

/** Counts a text's features, for several vocabularies. */
export function countedOf(text: string): Counted {
  const { words, pieces } = featuresOf(text)
  return [counts('w', words), counts('c', pieces)]
}

function counts(kind: string, features: readonly string[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  for (const feature of features) {
    const name = kind + feature
    found.set(name, (found.get(name) ?? 0) + 1)
  }
  return found
}

/** The vocabulary of texts whose features are counted. */
export function vocabularyOfCounted(texts: readonly Counted[]): Vocabulary {
  const holding = new Map<string, number>()
  for (const groups of texts) {
    for (const group of groups) {
      for (const name of group.keys()) holding.set(name, (holding.get(name) ?? 0) + 1)
    }
  }
  const rarity = [...holding.values()].map((count) => rarityOf(count, texts.length))
  return { features: [...holding.keys()], rarity, texts: texts.length }
}

/** As `vectoriser`, for texts whose features are counted. */
export function countedVectoriser({
  features,
  rarity,
  texts,
}: Vocabulary): (counted: Counted) => Vector {
  const numbers = new Map(features.map((feature, number) => [feature, number]))
  const unknown = rarityOf(0, texts) ** 2
  // The weights of the text at hand by feature, so that only numbers are sorted.
  const weights = new Float64Array(features.length)
  return (counted) => {
    const found: number[] = []
    let [seen, all] = [0, 0]
    for (const group of counted) {
      const first = found.length
      let squares = 0
      for (const [name, count] of group) {
        const number = numbers.get(name)
        if (number === undefined) all += unknown
        else {
          // A repeated word does not count twice as much.
          const weight = (1 + Math.log(count)) * (rarity[number] ?? 0)
          found.push(number)
          weights[number] = weight
          squares += weight * weight
        }
      }
      seen += squares
      all += squares
      // Each group has the same weight, although there are more pieces than words.
      const length = Math.sqrt(squares)
      for (const number of found.slice(first)) weights[number] = (weights[number] ?? 0) / length
    }
    return vectorOf(Int32Array.from(found).sort(), weights, all === 0 ? 0 : seen / all)
  }
}

function vectorOf(at: Int32Array, weights: Float64Array, known: number): Vector {
  const weight = new Float32Array(at.length)
  const own: number[] = []
  for (const number of at) own.push(weights[number] ?? 0)
  const length = Math.hypot(...own) || 1
  for (const [index, each] of own.entries()) weight[index] = each / length
  return { at, weight, known }
}

const rarityOf = (count: number, texts: number): number => Math.log((1 + texts) / (1 + count)) + 1
