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
export { dynamicMemory, type DynamicMemoryOptions } from './memory/dynamic-memory.ts'
export { historyReduction, type HistoryReductionOptions } from './memory/history-reduction.ts'
export { eraseNotes, exportNotes } from './memory/notes-of-user.ts'
export {
  type ModelSummary,
  type Summarise,
  type SummariseContext,
  summariseWith,
  type SummarisingOptions,
  type SummaryState,
} from './memory/summarising.ts'
