import { framed } from './untrusted-text.ts'

/** A piece of a text that is too long to read at once. */
export type TextPiece = {
  readonly text: string
  /** Offset of the next piece; absent at the end. */
  readonly next?: number
}

/**
 * Returns the piece of a text that starts at an offset.
 * @param origins of untrusted text in it: the piece may contain some and is framed
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
