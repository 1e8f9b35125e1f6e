import type { ReadDocument } from './core/document.ts'
import {
  type ReadApart,
  readDocumentWith,
  type ReadDocumentOptions,
} from './memory/documents/read-document.ts'
import type { Reading, WasRead } from './memory/documents/reading.ts'
import { workerModule } from './tools/isolate/worker-module.ts'

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

/**
 * Reads a document: PDF, Word (.docx), HTML, Markdown, CSV or plain text, by its name and its content.
 * It is read in a process of its own, which ends with this one: at most two at once, each within 60
 * seconds and 1 GiB, whatever the document does to the parser.
 * @param name of the file, with its extension
 * @throws EchelonError INVALID_INPUT for one that is broken, encrypted, no text, or beyond a limit;
 * MISSING_PACKAGE where the package for its kind is not installed
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
    // What is larger was refused before; base64 is longer by a third.
    maxInput: Number.MAX_SAFE_INTEGER,
  })
}
