import { workerModule } from 'echelon/internal/platform'
import type { ReadDocument } from 'echelon/internal/knowledge'
import { type ReadInIsolate, readDocumentWith, type ReadDocumentOptions } from './read-document.ts'
import type { ReadRequest, WasRead } from './reading.ts'

/**
 * Reads a document: PDF, Word (.docx), HTML, Markdown, CSV or plain text, by its name and content.
 * Parsing runs in a separate process that ends with this one: at most two at once, each within 60
 * seconds and 1 GiB, whatever the document does to the parser.
 * @param name file name with extension
 * @throws EchelonError INVALID_INPUT for a document that is broken, encrypted, not text, or beyond a
 * limit; INVALID_CONFIG for an invalid limit
 */
export async function readDocument(
  content: Uint8Array,
  name: string,
  options: ReadDocumentOptions = {},
): Promise<ReadDocument> {
  return await readDocumentWith(readInIsolate, content, name, options)
}

const readInIsolate: ReadInIsolate = async (reading, signal) => {
  const { run } = await (isolated ??= startIsolate())
  return await run(reading, signal)
}

let isolated: ReturnType<typeof startIsolate> | undefined

/** The processes stay warm for the next document. */
async function startIsolate() {
  const { isolate } = await import('echelon/internal/isolate')
  return isolate<ReadRequest, WasRead>({
    name: 'the reader',
    module: workerModule(import.meta.url, './reading.ts'),
    memoryMb: 512,
    residentMb: 1024,
    timeoutMs: 60_000,
    // PDF.js modifies built-in objects.
    frozen: false,
    // Larger documents were refused before; base64 adds a third.
    maxInput: Number.MAX_SAFE_INTEGER,
  })
}
