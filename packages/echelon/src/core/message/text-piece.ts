import { framed } from './untrusted-text.ts'

/** A piece of a text that is too long to be read at once. */
export type TextPiece = {
  readonly text: string
  /** Where the next piece begins; absent at the end. */
  readonly next?: number
}

/**
 * The piece of a text from a place on.
 * @param origins where text from outside in it is from: a piece of it may be of that, and is framed
 */
export function textPiece(
  text: string,
  { from, most }: { readonly from: number; readonly most: number },
  origins: readonly string[],
): TextPiece {
  const end = Math.min(text.length, from + most)
  const piece = text.slice(from, end)
  return {
    text: origins.length === 0 ? piece : framed(piece, origins.join(', ')),
    ...(end < text.length && { next: end }),
  }
}
