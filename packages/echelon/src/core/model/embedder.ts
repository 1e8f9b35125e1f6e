/** Port: texts as vectors, so that what means the same lies close. `embedderContract` tests it. */
export interface Embedder {
  /** Names what made the vectors: those of another are made anew. */
  readonly id: string
  readonly dimensions: number
  /** Cosine below which two texts have nothing to do with each other, where that is known. */
  readonly floor?: number
  /** One vector a text, in order, each of length 1. */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<readonly Float32Array[]>
}
