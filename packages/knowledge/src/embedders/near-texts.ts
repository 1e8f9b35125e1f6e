import { contentWords, type RelatedWords } from 'echelon/internal/knowledge'
import type { Embedder } from 'echelon/internal/model'

/** Added to the cosine of a text that holds all telling words of a query. */
const WORDS = 0.2
/** The texts are few and short, so a smaller part of the embedder's floor is enough. */
const FLOOR_SHARE = 0.5
/** A text with this share of the words is near, regardless of its cosine. */
const ENOUGH_WORDS = 0.5

export interface NearTextsOptions<Item> {
  readonly embedder: Pick<Embedder, 'floor' | 'embed' | 'related'>
  readonly limit: number
  readonly textOf: (item: Item) => string
}

/**
 * The items nearest to a query by meaning and words together, best first; none for a query of stop words.
 * For a few hundred short texts: each is compared.
 */
export async function nearTexts<Item>(
  items: readonly Item[],
  query: string,
  { embedder, limit, textOf }: NearTextsOptions<Item>,
): Promise<readonly Item[]> {
  const words = contentWords(query)
  if (words.length === 0 || items.length === 0) return []
  const related = await embedder.related?.(words)
  const [asked, ...vectors] = await embedder.embed([query, ...items.map(textOf)])
  if (asked === undefined) return []
  const { floor = 0 } = embedder
  return items
    .map((item, nth) => {
      const held = new Set(contentWords(textOf(item)).map(stemOf))
      const exact = shareOf(words, (word) => (held.has(stemOf(word)) ? 1 : 0))
      const share = shareOf(words, (word) => nearestIn(held, word, related))
      const score = cosine(asked, vectors[nth]) + WORDS * share
      return { item, score, isNear: score >= FLOOR_SHARE * floor || exact >= ENOUGH_WORDS }
    })
    .filter(({ isNear }) => isNear)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ item }) => item)
}

const shareOf = (words: readonly string[], near: (word: string) => number): number =>
  words.reduce((sum, word) => sum + near(word), 0) / words.length

function nearestIn(
  held: ReadonlySet<string>,
  word: string,
  related: RelatedWords | undefined,
): number {
  if (held.has(stemOf(word))) return 1
  const others = related?.get(word) ?? []
  return Math.max(0, ...others.filter((one) => held.has(stemOf(one.word))).map(({ near }) => near))
}

/** "Hotels" and "hotel" are the same word. */
const stemOf = (word: string): string =>
  word.length < 4 ? word : word.replace(/(?:ing|ed|es|s|e)$/u, '')

const cosine = (one: Float32Array, other: Float32Array | undefined): number =>
  other === undefined ? 0 : one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0)
