import { workerModule } from 'echelon/internal/host'
import type { ReadDocument } from 'echelon/internal/knowledge'
import { type ReadApart, readDocumentWith, type ReadDocumentOptions } from './read-document.ts'
import type { Reading, WasRead } from './reading.ts'

/**
 * Reads a document: PDF, Word (.docx), HTML, Markdown, CSV or plain text, by its name and its content.
 * It is read in a process of its own, which ends with this one: at most two at once, each within 60
 * seconds and 1 GiB, whatever the document does to the parser.
 * @param name of the file, with its extension
 * @throws EchelonError INVALID_INPUT for one that is broken, encrypted, no text, or beyond a limit;
 * INVALID_CONFIG for a limit that is none
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
  const { isolate } = await import('echelon/internal/isolate')
  return isolate<Reading, WasRead>({
    name: 'the reader',
    module: workerModule(import.meta.url, './reading.ts'),
    memoryMb: 512,
    residentMb: 1024,
    timeoutMs: 60_000,
    // PDF.js adds to the built-in objects.
    frozen: false,
    // What is larger was refused before; base64 is longer by a third.
    maxInput: Number.MAX_SAFE_INTEGER,
  })
}
