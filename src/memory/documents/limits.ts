import type { ReadingLimits } from '../../core/document.ts'
import { refused } from './refused.ts'

export const READING_LIMITS: ReadingLimits = {
  maxBytes: 50_000_000,
  maxPages: 500,
  maxCharacters: 5_000_000,
}

/** @throws EchelonError INVALID_INPUT for a file that is too large to be looked at */
export function checkBytes(name: string, content: Uint8Array, { maxBytes }: ReadingLimits): void {
  if (content.byteLength <= maxBytes) return
  const has = `has ${content.byteLength} bytes, and at most ${maxBytes} are read`
  throw refused(name, `${has}; split it, or raise maxBytes`)
}

/** @throws EchelonError INVALID_INPUT for a document of more pages than are read */
export function checkPages(name: string, pages: number, { maxPages }: ReadingLimits): void {
  if (pages <= maxPages) return
  throw refused(
    name,
    `has ${pages} pages, and at most ${maxPages} are read; split it, or raise maxPages`,
  )
}
