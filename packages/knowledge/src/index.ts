export type {
  DocumentReader,
  DocumentSection,
  ReadDocument,
  ReadingLimits,
} from 'echelon/internal/knowledge'
export type { Embedder } from 'echelon/internal/model'
export type {
  Chunk,
  FoundChunk,
  KnowledgeQuery,
  KnowledgeSource,
  StaticMemoryStore,
} from 'echelon/internal/knowledge'
export type {
  DynamicMemoryStore,
  MemoryNote,
  NoteChange,
  NoteScope,
} from 'echelon/internal/knowledge'
export { chunksOf, type ChunksOptions } from './chunks.ts'
export { READING_LIMITS } from './documents/limits.ts'
export type { ReadDocumentOptions } from './documents/read-document.ts'
export { dynamicMemory, type DynamicMemoryOptions } from './dynamic-memory.ts'
export { hashedEmbedder, type HashedEmbedderOptions } from './embedders/hashed.ts'
export { sentenceEmbedder } from './embedders/sentence.ts'
export type { AnyEmbeddingModel, ModelEmbedderOptions } from './embedders/model.ts'
export type {
  Added,
  AddOptions,
  AddProgress,
  KnowledgeBase,
  KnowledgeLimits,
} from './knowledge-base.ts'
export type { Fact, FactChange } from './facts/fact.ts'
export { factsByModel } from './facts/model-facts.ts'
export { rememberedFacts, type RememberedFactsOptions } from './facts/remembered-facts.ts'
export { readFacts } from './facts/read-facts.ts'
export {
  type Learned,
  type ReadFacts,
  UserFacts,
  type UserFactsOptions,
} from './facts/user-facts.ts'
export {
  knowledge,
  type KnowledgeFrom,
  type KnowledgeOptions,
  type KnowledgeSettings,
} from './knowledge.ts'
export type { SearchOptions } from './knowledge/searching.ts'
export { eraseNotes, exportNotes } from './notes-of-user.ts'
export { readDocument } from './documents/read-in-isolate.ts'
export { modelEmbedder } from './embedders/by-name.ts'
export { knowledgeBase, type KnowledgeBaseOptions } from './make-knowledge-base.ts'
