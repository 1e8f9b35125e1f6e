import { spansOf } from './spans.ts'

export interface PieceSizes {
  /** UTF-8 bytes of a piece. */
  readonly most: number
  /** UTF-8 bytes that a piece may repeat of the one before. */
  readonly overlap: number
}

/** A text in pieces of itself: no word of it is in none, and each is at most so large. */
export function piecesOf(text: string, { most, overlap }: PieceSizes): readonly string[] {
  const pieces: string[] = []
  let start = 0
  let end = 0
  let bytes = 0
  let held = 0
  /** Where the piece begins once the lines before it that hold nothing are left out. */
  const close = (): number => {
    const whole = text.slice(start, end)
    const piece = whole.replace(/^\n+/, '')
    // What only repeats is no piece.
    if (text.slice(held, end).trim() !== '') pieces.push(piece.trimEnd())
    held = end
    return start + whole.length - piece.length
  }
  for (const span of spansOf(text, most)) {
    if (bytes + span.bytes > most) {
      const begun = close()
      const before = tailBefore(text, end, Math.min(overlap, most - span.bytes))
      // What is repeated is never all of the piece before.
      start = before > begun ? before : end
      bytes = Buffer.byteLength(text.slice(start, end))
    }
    end = span.end
    bytes += span.bytes
  }
  close()
  return pieces
}

/** Where the longest end of the text before begins that starts with a word and is at most so large. */
function tailBefore(text: string, end: number, most: number): number {
  let bytes = 0
  let start = end
  for (let index = end - 1; index >= 0; index -= 1) {
    bytes += bytesOf(text.charCodeAt(index))
    if (bytes > most) break
    if (/\s/.test(text.charAt(index - 1)) && !/\s/.test(text.charAt(index))) start = index
  }
  return start
}

/** Of a UTF-16 unit in UTF-8; each half of a pair has half of its four. */
function bytesOf(unit: number): number {
  if (unit < 0x80) return 1
  if (unit < 0x800) return 2
  return unit >= 0xd800 && unit < 0xe000 ? 2 : 3
}
