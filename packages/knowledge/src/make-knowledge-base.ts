import { systemClock } from 'echelon/internal/host'
import type { DocumentReader, StaticMemoryStore } from 'echelon/internal/knowledge'
import type { Embedder } from 'echelon/internal/model'
import { chunksOf, type ChunksOptions } from './chunks.ts'
import { READING_LIMITS } from './documents/limits.ts'
import { readDocument } from './documents/read-in-isolate.ts'
import { hashedEmbedder } from './embedders/hashed.ts'
import { KnowledgeBase, type KnowledgeLimits } from './knowledge-base.ts'

export interface KnowledgeBaseOptions {
  /** `openKnowledge(path)` of `@echelon/store`, or one of yours. */
  readonly store: StaticMemoryStore
  /** Default `hashedEmbedder()`, which needs no network and knows words alone. */
  readonly embedder?: Embedder
  /** Yours, asked before those that come with Echelon. */
  readonly readers?: readonly DocumentReader[]
  readonly chunks?: ChunksOptions
  readonly limits?: Partial<KnowledgeLimits>
  /** What is below it is called by its path from here. Default: the folder of the process. */
  readonly root?: string
}

/** Documents of files in a store: `add`, `list`, `search`, `remove`. */
export function knowledgeBase(options: KnowledgeBaseOptions): KnowledgeBase {
  const { store, embedder = hashedEmbedder(), readers = [], limits, root = '.' } = options
  return new KnowledgeBase({
    store,
    embedder,
    root,
    clock: systemClock,
    read: (content, name, asked) => readDocument(content, name, { ...asked, readers }),
    chunk: (document) => chunksOf(document, options.chunks),
    extensions: async () => {
      const { READERS } = await import('./documents/kinds.ts')
      return [...readers, ...READERS].flatMap(({ extensions }) => extensions)
    },
    limits: { maxFiles: 10_000, maxTotalBytes: 1e9, reading: READING_LIMITS, ...limits },
  })
}
