import type { DocumentReader, ReadDocument, ReadingLimits } from 'echelon/internal/knowledge'
import { EchelonError } from 'echelon/internal/value'
import { extensionOf, readerOf } from './kinds.ts'
import { checkBytes, readingLimits } from './limits.ts'
import type { ReadRequest, WasRead } from './reading.ts'
import { problemOf, refused } from './refused.ts'

export interface ReadDocumentOptions {
  /** Missing limits default to `READING_LIMITS`. */
  readonly limits?: Partial<ReadingLimits>
  /** Your readers, tried before the built-in ones; they run in this process. Default none. */
  readonly readers?: readonly DocumentReader[]
  /** Aborts the reading, which rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

/** Reads in a process that can be killed: parsers of packages cannot be interrupted. */
export type ReadInIsolate = (reading: ReadRequest, signal: AbortSignal) => Promise<WasRead>

/** Reads with a custom reader, or in a separate process. */
export async function readDocumentWith(
  readInIsolate: ReadInIsolate,
  content: Uint8Array,
  name: string,
  options: ReadDocumentOptions,
): Promise<ReadDocument> {
  const { signal = new AbortController().signal, readers = [] } = options
  signal.throwIfAborted()
  const limits = readingLimits(options.limits)
  checkBytes(name, content, limits)
  const custom = readerOf(extensionOf(name), readers)
  if (custom !== undefined) return await custom.read(content, { name, limits, signal })
  const sent = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  const read = await readInIsolate(
    { name, content: sent.toString('base64'), limits: { ...limits } },
    signal,
  ).catch((error: unknown) => {
    if (signal.aborted) throw signal.reason
    throw refused(name, `was aborted: ${problemOf(error)}; split it or leave it out`, error)
  })
  if (read.type === 'read') return read.document
  throw new EchelonError(read.code, read.message, { details: read.details })
}
