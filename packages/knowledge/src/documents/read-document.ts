import type { DocumentReader, ReadDocument, ReadingLimits } from 'echelon/internal/knowledge'
import { EchelonError } from 'echelon/internal/value'
import { extensionOf, readerOf } from './kinds.ts'
import { checkBytes, readingLimits } from './limits.ts'
import type { Reading, WasRead } from './reading.ts'
import { problemOf, refused } from './refused.ts'

export interface ReadDocumentOptions {
  /** Each that is not given is as `READING_LIMITS` says. */
  readonly limits?: Partial<ReadingLimits>
  /** Yours, asked before those that come with Echelon; they run in this process. Default none. */
  readonly readers?: readonly DocumentReader[]
  /** Gives the reading up; it rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

/** Reads in a process that can be ended: no parser of a package stops by itself. */
export type ReadApart = (reading: Reading, signal: AbortSignal) => Promise<WasRead>

/** Reads with a reader of one's own, or apart. */
export async function readDocumentWith(
  apart: ReadApart,
  content: Uint8Array,
  name: string,
  options: ReadDocumentOptions,
): Promise<ReadDocument> {
  const { signal = new AbortController().signal, readers = [] } = options
  signal.throwIfAborted()
  const limits = readingLimits(options.limits)
  checkBytes(name, content, limits)
  const own = readerOf(extensionOf(name), readers)
  if (own !== undefined) return await own.read(content, { name, limits, signal })
  const sent = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  const read = await apart(
    { name, content: sent.toString('base64'), limits: { ...limits } },
    signal,
  ).catch((error: unknown) => {
    if (signal.aborted) throw signal.reason
    throw refused(name, `was given up: ${problemOf(error)}; split it or leave it out`, error)
  })
  if (read.type === 'read') return read.document
  throw new EchelonError(read.code, read.message, { details: read.details })
}
