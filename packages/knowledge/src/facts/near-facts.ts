import { contentWords } from 'echelon/internal/knowledge'
import type { Embedder } from 'echelon/internal/model'
import type { Fact } from './fact.ts'

/** What a fact with all telling words of a text gains over its cosine. */
const WORDS = 0.3
/** Facts are few and short, so a smaller part of the embedder's floor is enough. */
const FLOOR_SHARE = 0.5
/** A fact with this share of the words is near, whatever its cosine. */
const ENOUGH_WORDS = 0.5

/** The facts nearest to a text by meaning and words together, best first. */
export async function nearFacts(
  facts: readonly Fact[],
  text: string,
  { embedder, limit }: { readonly embedder: Embedder; readonly limit: number },
): Promise<readonly Fact[]> {
  const words = contentWords(text)
  if (words.length === 0 || facts.length === 0) return []
  const [query, ...vectors] = await embedder.embed([
    text,
    ...facts.map(({ about, fact }) => `${about}: ${fact}`),
  ])
  if (query === undefined) return []
  const { floor = 0 } = embedder
  return facts
    .map((fact, nth) => {
      const share = shareOf(words, `${fact.about} ${fact.fact}`)
      const score = cosine(query, vectors[nth]) + WORDS * share * share
      return { fact, score, isNear: score >= FLOOR_SHARE * floor || share >= ENOUGH_WORDS }
    })
    .filter(({ isNear }) => isNear)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ fact }) => fact)
}

function shareOf(words: readonly string[], text: string): number {
  const held = new Set(contentWords(text))
  return words.filter((word) => held.has(word)).length / words.length
}

const cosine = (one: Float32Array, other: Float32Array | undefined): number =>
  other === undefined ? 0 : one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0)
