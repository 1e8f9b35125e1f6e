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

export function vocabularyOf(texts: readonly string[]): Vocabulary {
  const counts = new Map<string, number>()
  for (const text of texts) {
    for (const feature of new Set(namesOf(text).flat())) {
      counts.set(feature, (counts.get(feature) ?? 0) + 1)
    }
  }
  const rarity = [...counts.values()].map((count) => rarityOf(count, texts.length))
  return { features: [...counts.keys()], rarity, texts: texts.length }
}

/** Returns a function that turns texts into vectors by one vocabulary. */
export function vectoriser({ features, rarity, texts }: Vocabulary): (text: string) => Vector {
  const numbers = new Map(features.map((feature, number) => [feature, number]))
  const unknown = rarityOf(0, texts) ** 2
  return (text) => {
    const found: (readonly [number, number])[] = []
    let [seen, all] = [0, 0]
    for (const names of namesOf(text)) {
      const counts = new Map<string, number>()
      for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
      const group: [number, number][] = []
      let squares = 0
      for (const [name, count] of counts) {
        const number = numbers.get(name)
        if (number === undefined) all += unknown
        else {
          // A repeated word does not count twice as much.
          const weight = (1 + Math.log(count)) * (rarity[number] ?? 0)
          group.push([number, weight])
          squares += weight * weight
        }
      }
      seen += squares
      all += squares
      // Each group has the same weight, although there are more pieces than words.
      for (const [number, weight] of group) found.push([number, weight / Math.sqrt(squares)])
    }
    return vectorOf(found, all === 0 ? 0 : seen / all)
  }
}

function vectorOf(found: readonly (readonly [number, number])[], known: number): Vector {
  const sorted = found.toSorted(([a], [b]) => a - b)
  const length = Math.hypot(...sorted.map(([, weight]) => weight)) || 1
  return {
    at: Int32Array.from(sorted, ([number]) => number),
    weight: Float32Array.from(sorted, ([, weight]) => weight / length),
    known,
  }
}

const namesOf = (text: string): readonly (readonly string[])[] => {
  const { words, pieces } = featuresOf(text)
  return [words.map((word) => `w${word}`), pieces.map((piece) => `c${piece}`)]
}

const rarityOf = (count: number, texts: number): number => Math.log((1 + texts) / (1 + count)) + 1
