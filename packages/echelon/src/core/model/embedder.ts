/** Port: turns texts into vectors that are close for similar meanings. `embedderContract` tests it. */
export interface Embedder {
  /** Identifies the model of the vectors; another one's vectors are recomputed. */
  readonly id: string
  readonly dimensions: number
  /** Cosine below which two texts are unrelated, if known. */
  readonly floor?: number
  /** One vector per text, in order, each of length 1. */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<readonly Float32Array[]>
}
