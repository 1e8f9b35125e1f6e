import type { ReadingLimits } from 'echelon/internal/knowledge'
import { EchelonError } from 'echelon/internal/value'
import { refused } from './refused.ts'

/** Default limits for reading a document. */
export const READING_LIMITS: ReadingLimits = {
  maxBytes: 50_000_000,
  maxPages: 500,
  maxCharacters: 5_000_000,
}

/**
 * Fills in the defaults of the reading limits. Infinity becomes the largest number, since JSON cannot
 * express it.
 * @throws EchelonError INVALID_CONFIG for a value that is not a limit
 */
export function readingLimits(given: Partial<ReadingLimits> = {}): ReadingLimits {
  const limit = (name: keyof ReadingLimits): number => {
    const value = given[name] ?? READING_LIMITS[name]
    if (value >= 0) return Math.min(value, Number.MAX_SAFE_INTEGER)
    throw new EchelonError('INVALID_CONFIG', `${name} is ${value}; give a number from 0 on`)
  }
  return {
    maxBytes: limit('maxBytes'),
    maxPages: limit('maxPages'),
    maxCharacters: limit('maxCharacters'),
  }
}

/** @throws EchelonError INVALID_INPUT for a file that is too large */
export function checkBytes(name: string, content: Uint8Array, { maxBytes }: ReadingLimits): void {
  if (content.byteLength <= maxBytes) return
  const has = `has ${content.byteLength} bytes, and at most ${maxBytes} are read`
  throw refused(name, `${has}; split it, or raise maxBytes`)
}

/** @throws EchelonError INVALID_INPUT for a document with too many pages */
export function checkPages(name: string, pages: number, { maxPages }: ReadingLimits): void {
  if (pages <= maxPages) return
  throw refused(
    name,
    `has ${pages} pages, and at most ${maxPages} are read; split it, or raise maxPages`,
  )
}
