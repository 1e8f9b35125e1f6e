export { contentWords } from '../core/knowledge/content-words.ts'
export { chunkText } from '../core/knowledge/chunk-text.ts'
export type {
  DocumentReader,
  DocumentSection,
  ReadDocument,
  ReadingLimits,
} from '../core/knowledge/document.ts'
export type {
  Chunk,
  EmbeddedChunk,
  FoundChunk,
  KnowledgeQuery,
  KnowledgeSource,
  RelatedWord,
  RelatedWords,
  StaticMemoryStore,
} from '../core/knowledge/knowledge.ts'
export type {
  DynamicMemoryStore,
  MemoryNote,
  NoteChange,
  NoteScope,
} from '../core/knowledge/working-memory.ts'
