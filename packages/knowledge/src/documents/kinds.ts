import type { DocumentReader, ReadingLimits } from 'echelon/internal/knowledge'
import { csvReader } from './csv.ts'
import { docxReader } from './docx.ts'
import { htmlReader } from './html.ts'
import { checkBytes } from './limits.ts'
import { markdownReader } from './markdown.ts'
import { pdfReader } from './pdf.ts'
import { plainTextReader } from './plain-text.ts'

export const READERS: readonly DocumentReader[] = [
  pdfReader,
  docxReader,
  htmlReader,
  markdownReader,
  csvReader,
  plainTextReader,
]

/** The file extension, lower case, with the dot; empty without one. */
export const extensionOf = (name: string): string =>
  /[^/\\](\.[^./\\]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''

export const readerOf = (
  extension: string,
  readers: readonly DocumentReader[],
): DocumentReader | undefined => readers.find(({ extensions }) => extensions.includes(extension))

/** Chosen by name, or else by the first bytes. The last one refuses content that is not text. */
export function readerFor(
  name: string,
  content: Uint8Array,
  limits: ReadingLimits,
): DocumentReader {
  checkBytes(name, content, limits)
  const named = readerOf(extensionOf(name), READERS)
  if (named !== undefined) return named
  const head = Buffer.from(content.subarray(0, 1024)).toString('latin1')
  if (head.startsWith('%PDF-')) return pdfReader
  // The reader refuses a zip file that is not a document.
  if (head.startsWith('PK\u0003\u0004') && head.includes('[Content_Types].xml')) return docxReader
  return /^\s*(?:<!doctype html|<html[\s>])/i.test(head) ? htmlReader : plainTextReader
}
