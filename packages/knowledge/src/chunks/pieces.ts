import { spansOf } from './spans.ts'

export interface PieceSizes {
  /** Maximum UTF-8 bytes of a piece. */
  readonly most: number
  /** Maximum UTF-8 bytes that a piece repeats from the one before. */
  readonly overlap: number
}

/** Splits a text into pieces of limited size that together cover all of it. */
export function piecesOf(text: string, { most, overlap }: PieceSizes): readonly string[] {
  const pieces: string[] = []
  let start = 0
  let end = 0
  let bytes = 0
  let covered = 0
  /** The start of the piece, after its leading blank lines. */
  const close = (): number => {
    const part = text.slice(start, end)
    const piece = part.replace(/^\n+/, '')
    // Skip a piece that would only repeat.
    if (text.slice(covered, end).trim() !== '') pieces.push(piece.trimEnd())
    covered = end
    return start + part.length - piece.length
  }
  for (const span of spansOf(text, most)) {
    if (bytes + span.bytes > most) {
      const first = close()
      const before = tailBefore(text, end, Math.min(overlap, most - span.bytes))
      // Never repeat the whole previous piece.
      start = before > first ? before : end
      bytes = Buffer.byteLength(text.slice(start, end))
    }
    end = span.end
    bytes += span.bytes
  }
  close()
  return pieces
}

/** The start of the longest tail before `end` that starts with a word and fits into `most` bytes. */
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

/** UTF-8 bytes of a UTF-16 unit; each half of a surrogate pair counts 2 of its 4. */
function bytesOf(unit: number): number {
  if (unit < 0x80) return 1
  if (unit < 0x800) return 2
  return unit >= 0xd800 && unit < 0xe000 ? 2 : 3
}
