import type { FoundChunk, KnowledgeQuery } from 'echelon/internal/knowledge'
import { anyWord, type AnyWord, eachWord } from './asked-words.ts'
import { coveredWords } from './covered-words.ts'
import { fusedRanks } from './fused-ranks.ts'
import type { NearChunk, Vectors } from './vectors.ts'

/** The queries of a search. Chunks are named by their numbers. */
export interface SearchedKnowledge {
  /** The chunks that hold any of the words, best first (BM25). */
  holding(words: AnyWord, limit: number, below: string | undefined): Promise<readonly number[]>
  /** For each list, all chunks that hold any of its words, in no order. */
  matching(lists: readonly AnyWord[]): Promise<readonly (readonly number[])[]>
  /** The chunks of the documents below a path. */
  below(path: string): Promise<ReadonlySet<number>>
  /** A damaged chunk, and one that another process has just removed, is left out. */
  chunks(numbers: readonly number[]): Promise<ReadonlyMap<number, FoundPart>>
  vectors(dimensions: number): Promise<Vectors>
}

export type FoundPart = Omit<FoundChunk, 'score' | 'similarity'>

/** Number of results of each ranking that are fused. Ranks beyond that say nothing. */
const DEPTH = 100

const USUAL_LIMIT = 5

/** Added to the cosine of a chunk that holds all words of a question (lab/benchmarks/memory.ts). */
const WORDS = 0.2

/** Searches by words and by vectors. The same for every database. */
export async function searchKnowledge(
  from: SearchedKnowledge,
  query: KnowledgeQuery,
): Promise<readonly FoundChunk[]> {
  const { vector, limit = USUAL_LIMIT, below, text } = query
  const inside = below === undefined ? undefined : await from.below(below)
  const vectors = vector === undefined ? undefined : await from.vectors(vector.length)
  const nearness = vector === undefined ? undefined : vectors?.to(vector)
  if (vectors?.isLexical === false && nearness !== undefined) {
    const covered = await coveredBy(from, query, vectors.size)
    const byWords = [...covered.keys()].filter((chunk) => inside?.has(chunk) ?? true)
    const near = [...(await nearness.nearest(limit, inside)), ...(await nearness.of(byWords))]
    return found(from, byMeaning(near, covered, limit), (score) => Math.min(1, score))
  }
  const words = anyWord(text)
  const byWord = words.length === 0 ? [] : await from.holding(words, DEPTH, below)
  const near = (await nearness?.nearest(DEPTH, inside)) ?? []
  const scored = fusedRanks([byWord, near.map(([chunk]) => chunk)]).slice(0, limit)
  const cosines = new Map(await nearness?.of(scored.map(([chunk]) => chunk)))
  return found(from, scored, (_, chunk) => cosines.get(chunk))
}

async function coveredBy(
  from: SearchedKnowledge,
  { text, related }: KnowledgeQuery,
  size: number,
): Promise<ReadonlyMap<number, number>> {
  const asked = eachWord(text, related)
  const lists = asked.flatMap((word) => [word.words, ...word.related.map(({ words }) => words)])
  const holding = (await from.matching(lists)).values()
  const next = (): readonly number[] => holding.next().value ?? []
  const words = asked.map((word) => ({
    holding: next(),
    related: word.related.map(({ near }) => ({ near, holding: next() })),
  }))
  return coveredWords(words, size)
}

/**
 * Ranks by the cosine, and adds for the words of the question that a chunk holds. Fused ranks would
 * let a common word outweigh the meaning.
 * @param near of the nearest chunks, and of all that hold a word
 */
const byMeaning = (
  near: readonly NearChunk[],
  covered: ReadonlyMap<number, number>,
  limit: number,
): readonly NearChunk[] =>
  [...new Map(near)]
    .map(([chunk, cosine]) => [chunk, cosine + WORDS * (covered.get(chunk) ?? 0)] as const)
    .filter(([, score]) => score > 0)
    .toSorted(([a, first], [b, second]) => second - first || a - b)
    .slice(0, limit)

async function found(
  from: SearchedKnowledge,
  scored: readonly (readonly [chunk: number, score: number])[],
  similarityOf: (score: number, chunk: number) => number | undefined,
): Promise<readonly FoundChunk[]> {
  const parts = await from.chunks(scored.map(([chunk]) => chunk))
  return scored.flatMap(([chunk, score]) => {
    const part = parts.get(chunk)
    if (part === undefined) return []
    const similarity = similarityOf(score, chunk)
    return [{ ...part, score, ...(similarity !== undefined && { similarity }) }]
  })
}
