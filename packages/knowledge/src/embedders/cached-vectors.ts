import type { RelatedWords } from 'echelon/internal/knowledge'
import type { Embedder } from 'echelon/internal/model'

/** Texts whose vectors are kept, the last used ones. */
const MOST_KEPT = 1000

/** An embedder that embeds a text once, for few texts that are compared again and again. */
export class CachedVectors implements Pick<Embedder, 'floor' | 'embed' | 'related'> {
  readonly #embedder: Embedder
  readonly #kept = new Map<string, Float32Array>()

  constructor(embedder: Embedder) {
    this.#embedder = embedder
  }

  get floor(): number {
    return this.#embedder.floor ?? 0
  }

  async embed(texts: readonly string[]): Promise<readonly Float32Array[]> {
    const missing = [...new Set(texts.filter((text) => !this.#kept.has(text)))]
    const vectors = missing.length === 0 ? [] : await this.#embedder.embed(missing)
    const added = new Map(missing.map((text, nth) => [text, vectors[nth] ?? NONE]))
    const found = texts.map((text) => this.#kept.get(text) ?? added.get(text) ?? NONE)
    for (const [nth, text] of texts.entries()) {
      this.#kept.delete(text)
      this.#kept.set(text, found[nth] ?? NONE)
    }
    for (const text of this.#kept.keys()) {
      if (this.#kept.size <= MOST_KEPT) break
      this.#kept.delete(text)
    }
    return found
  }

  async related(words: readonly string[]): Promise<RelatedWords> {
    return (await this.#embedder.related?.(words)) ?? new Map()
  }
}

const NONE = new Float32Array(0)
