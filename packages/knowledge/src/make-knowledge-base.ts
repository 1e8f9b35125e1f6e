import { systemClock } from 'echelon/internal/platform'
import type { DocumentReader, StaticMemoryStore } from 'echelon/internal/knowledge'
import type { Embedder } from 'echelon/internal/model'
import { chunksOf, type ChunksOptions } from './chunks.ts'
import { READING_LIMITS } from './documents/limits.ts'
import { readDocument } from './documents/read-in-isolate.ts'
import { hashedEmbedder } from './embedders/hashed.ts'
import { KnowledgeBase, type KnowledgeLimits } from './knowledge-base.ts'

export interface KnowledgeBaseOptions {
  /** `openKnowledge(path)` of `@echelon/store`, or your own. */
  readonly store: StaticMemoryStore
  /** Default `hashedEmbedder()`, which needs no network and compares words only. */
  readonly embedder?: Embedder
  /** Your readers, tried before the built-in ones. */
  readonly readers?: readonly DocumentReader[]
  readonly chunks?: ChunksOptions
  readonly limits?: Partial<KnowledgeLimits>
  /** Files below it are named by their path relative to it. Default: the current working directory. */
  readonly root?: string
}

/** Documents from files, in a store: `add`, `list`, `search`, `remove`. */
export function knowledgeBase(options: KnowledgeBaseOptions): KnowledgeBase {
  const { store, embedder = hashedEmbedder(), readers = [], limits, root = '.' } = options
  return new KnowledgeBase({
    store,
    embedder,
    root,
    clock: systemClock,
    read: (content, name, reading) => readDocument(content, name, { ...reading, readers }),
    chunk: (document) => chunksOf(document, options.chunks),
    extensions: async () => {
      const { READERS } = await import('./documents/kinds.ts')
      return [...readers, ...READERS].flatMap(({ extensions }) => extensions)
    },
    limits: { maxFiles: 10_000, maxTotalBytes: 1e9, reading: READING_LIMITS, ...limits },
  })
}
