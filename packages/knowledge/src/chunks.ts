import type { DocumentSection, ReadDocument } from 'echelon/internal/knowledge'
import { EchelonError } from 'echelon/internal/value'
import type { Chunk } from 'echelon/internal/knowledge'
import { piecesOf } from './chunks/pieces.ts'

export interface ChunksOptions {
  /** Of a chunk at most, estimated as UTF-8 bytes / 4; default 400, at least 16. */
  readonly maxTokens?: number
  /**
   * Of the end of a chunk that the next of its section begins with, at most; default 60, and at most
   * half of `maxTokens`.
   */
  readonly overlapTokens?: number
}

/**
 * A document in pieces, in its order, each of one section: what belongs together stays so as far as it
 * fits (blocks such as paragraphs, lists and code, then lines, sentences, words). The same document
 * comes to the same pieces.
 * @throws EchelonError INVALID_CONFIG for sizes that cannot work
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
