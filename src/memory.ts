import type { DocumentReader, ReadDocument } from './core/document.ts'
import type { Embedder } from './core/embedder.ts'
import type { StaticMemoryStore } from './core/knowledge.ts'
import { systemClock } from './host/clock.ts'
import { chunksOf, type ChunksOptions } from './memory/chunks.ts'
import { READING_LIMITS } from './memory/documents/limits.ts'
import {
  type ReadApart,
  readDocumentWith,
  type ReadDocumentOptions,
} from './memory/documents/read-document.ts'
import type { Reading, WasRead } from './memory/documents/reading.ts'
import { hashedEmbedder } from './memory/embedders/hashed.ts'
import type { AnyEmbeddingModel, ModelEmbedderOptions } from './memory/embedders/model.ts'
import { KnowledgeBase, type KnowledgeLimits } from './memory/knowledge-base.ts'
import type { SettingsByProvider } from './providers/registry.ts'
import { workerModule } from './host/worker-module.ts'

export type {
  DocumentReader,
  DocumentSection,
  ReadDocument,
  ReadingLimits,
} from './core/document.ts'
export type { Embedder } from './core/embedder.ts'
export type {
  Chunk,
  FoundChunk,
  KnowledgeQuery,
  KnowledgeSource,
  StaticMemoryStore,
} from './core/knowledge.ts'
export type {
  DynamicMemoryStore,
  MemoryNote,
  NoteChange,
  NoteScope,
} from './core/working-memory.ts'
export { chunksOf, type ChunksOptions } from './memory/chunks.ts'
export { READING_LIMITS } from './memory/documents/limits.ts'
export type { ReadDocumentOptions } from './memory/documents/read-document.ts'
export { dynamicMemory, type DynamicMemoryOptions } from './memory/dynamic-memory.ts'
export { hashedEmbedder, type HashedEmbedderOptions } from './memory/embedders/hashed.ts'
export type { AnyEmbeddingModel, ModelEmbedderOptions } from './memory/embedders/model.ts'
export { historyReduction, type HistoryReductionOptions } from './memory/history-reduction.ts'
export type {
  Added,
  AddOptions,
  AddProgress,
  KnowledgeBase,
  KnowledgeLimits,
} from './memory/knowledge-base.ts'
export {
  knowledge,
  type KnowledgeFrom,
  type KnowledgeOptions,
  type KnowledgeSettings,
} from './memory/knowledge.ts'
export type { SearchOptions } from './memory/knowledge/searching.ts'
export { eraseNotes, exportNotes } from './memory/notes-of-user.ts'
export {
  type ModelSummary,
  type Summarise,
  type SummariseContext,
  summariseWith,
  type SummarisingOptions,
  type SummaryState,
} from './memory/summarising.ts'
export { type KnowledgeStore, openKnowledge } from './stores/sqlite-knowledge.ts'
export {
  examineKnowledge,
  isKnowledgeFile,
  type KnowledgeFacts,
} from './stores/sqlite/examine-knowledge.ts'

/**
 * Reads a document: PDF, Word (.docx), HTML, Markdown, CSV or plain text, by its name and its content.
 * It is read in a process of its own, which ends with this one: at most two at once, each within 60
 * seconds and 1 GiB, whatever the document does to the parser.
 * @param name of the file, with its extension
 * @throws EchelonError INVALID_INPUT for one that is broken, encrypted, no text, or beyond a limit;
 * INVALID_CONFIG for a limit that is none; MISSING_PACKAGE where the package for its kind is not installed
 */
export async function readDocument(
  content: Uint8Array,
  name: string,
  options: ReadDocumentOptions = {},
): Promise<ReadDocument> {
  return await readDocumentWith(readApart, content, name, options)
}

const readApart: ReadApart = async (reading, signal) => {
  const { run } = await (apart ??= startApart())
  return await run(reading, signal)
}

let apart: ReturnType<typeof startApart> | undefined

/** Processes stay warm for the next document. */
async function startApart() {
  const { isolate } = await import('./tools/isolate.ts')
  return isolate<Reading, WasRead>({
    name: 'the reader',
    module: workerModule(import.meta.url, './memory/documents/reading.ts'),
    memoryMb: 512,
    residentMb: 1024,
    timeoutMs: 60_000,
    // PDF.js adds to the built-in objects.
    frozen: false,
    // What is larger was refused before; base64 is longer by a third.
    maxInput: Number.MAX_SAFE_INTEGER,
  })
}

export interface KnowledgeBaseOptions {
  /** `openKnowledge(path)` or one of yours. */
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
      const { READERS } = await import('./memory/documents/kinds.ts')
      return [...readers, ...READERS].flatMap(({ extensions }) => extensions)
    },
    limits: { maxFiles: 10_000, maxTotalBytes: 1e9, reading: READING_LIMITS, ...limits },
  })
}

/**
 * An embedder out of an embedding model: by name (`openai/text-embedding-3-small`,
 * `ollama/nomic-embed-text`), with the keys and addresses of the configuration, or a model of any
 * package of the AI SDK, as it is.
 * @throws EchelonError UNKNOWN_MODEL, MISSING_KEY, MISSING_PACKAGE or INVALID_CONFIG for a name that
 * leads nowhere; SERVER_UNREACHABLE where the model gives no vectors
 */
export async function modelEmbedder(
  model: string | AnyEmbeddingModel,
  options: ModelEmbedderOptions & { readonly providers?: SettingsByProvider } = {},
): Promise<Embedder> {
  const { providers, ...others } = options
  const { embedderOf } = await import('./memory/embedders/model.ts')
  if (typeof model !== 'string') return await embedderOf(model, systemClock, others)
  const { loadEmbeddingModel } = await import('./providers/embedding-models.ts')
  const [key = ''] = model.split('/')
  const given = providers?.[key]
  // What is given is all that counts: a key is sent to no address that a file names.
  const known = given === undefined ? await configuredProviders() : { [key]: given }
  return await embedderOf(await loadEmbeddingModel(model, known), systemClock, {
    name: model,
    ...others,
  })
}

async function configuredProviders(): Promise<SettingsByProvider> {
  const { loadConfig } = await import('./config.ts')
  return (await loadConfig()).providers
}
