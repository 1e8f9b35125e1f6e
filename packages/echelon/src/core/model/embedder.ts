import type { RelatedWords } from '../knowledge/knowledge.ts'

/** Port: turns texts into vectors that are close for similar meanings. `embedderContract` tests it. */
export interface Embedder {
  /** Identifies the model of the vectors; another one's vectors are recomputed. */
  readonly id: string
  readonly dimensions: number
  /** Cosine below which two texts are unrelated, if known. */
  readonly floor?: number
  /** `sentence`: a long text is found better by the vectors of its sentences than by its own. */
  readonly unit?: 'sentence'
  /** One vector per text, in order, each of length 1. */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<readonly Float32Array[]>
  /** Words of about the same meaning as each of the given ones, as far as it knows them. */
  related?(words: readonly string[]): Promise<RelatedWords>
}
