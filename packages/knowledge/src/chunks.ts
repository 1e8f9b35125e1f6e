import type { DocumentSection, ReadDocument, Chunk } from 'echelon/internal/knowledge'
import { EchelonError } from 'echelon/internal/value'
import { piecesOf } from './chunks/pieces.ts'

export interface ChunksOptions {
  /** Estimated size of a chunk at most, as UTF-8 bytes / 4; default 400, at least 16. */
  readonly maxTokens?: number
  /**
   * Maximum overlap: the end of a chunk that the next one in its section repeats. Default 60, at most
   * half of `maxTokens`.
   */
  readonly overlapTokens?: number
}

/**
 * Splits a document into chunks in order, each within one section. Splits at blocks (paragraphs, lists,
 * code) where possible, then at lines, sentences, words. The same document gives the same chunks.
 * @throws EchelonError INVALID_CONFIG for invalid sizes
 */
export function chunksOf(document: ReadDocument, options: ChunksOptions = {}): readonly Chunk[] {
  const { maxTokens = 400, overlapTokens = Math.min(60, Math.floor(maxTokens / 2)) } = options
  checkSizes(maxTokens, overlapTokens)
  const sizes = { most: maxTokens * 4, overlap: overlapTokens * 4 }
  return document.sections
    .flatMap((section) => piecesOf(section.text, sizes).map((text) => ({ ...section, text })))
    .map(toChunk)
}

const toChunk = ({ text, headings, page }: DocumentSection, nth: number): Chunk => ({
  nth,
  text,
  headings: [...headings],
  page,
  tokens: Math.ceil(Buffer.byteLength(text) / 4),
})

function checkSizes(maxTokens: number, overlapTokens: number): void {
  if (!Number.isInteger(maxTokens) || maxTokens < 16) {
    throw new EchelonError(
      'INVALID_CONFIG',
      `maxTokens is ${maxTokens}; give a whole number from 16 on`,
    )
  }
  if (!Number.isInteger(overlapTokens) || overlapTokens < 0 || overlapTokens > maxTokens / 2) {
    throw new EchelonError(
      'INVALID_CONFIG',
      `overlapTokens is ${overlapTokens}; give a whole number from 0 to half of maxTokens`,
    )
  }
}
