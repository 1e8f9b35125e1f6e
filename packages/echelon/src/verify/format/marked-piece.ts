/** The part of a text that says the final answer, if a mark shows it. */
export interface MarkedPiece {
  readonly piece: string
  /** Whether a mark shows it; else the piece is the whole text. */
  readonly isMarked: boolean
}

/** Marks that are written for nothing else. */
const FIRM = /#{3,}|\\boxed\s?\{/g
/** Words that may also begin an explanation. */
const SPOKEN =
  /\bfinal (?:answer|result)(?: is|\s?[:=])?|\banswer(?: (?:is|would be|will be)|\s?[:=])|^[ \t]{0,8}a:/gim

/** After words, more text than this is an explanation, so that they do not mark the answer. */
const MOST_AFTER = 400
const LONGEST_PIECE = 300

/** Finds the last mark of a final answer: `#### 18`, `\boxed{18}`, `The answer is 18`, `A: 18`. */
export function markedPiece(text: string): MarkedPiece {
  const firm = pieceAfter(text, FIRM, text.length)
  const piece = firm ?? pieceAfter(text, SPOKEN, MOST_AFTER)
  return piece === undefined ? { piece: text, isMarked: false } : { piece, isMarked: true }
}

function pieceAfter(text: string, mark: RegExp, mostAfter: number): string | undefined {
  let from = -1
  for (const { 0: found, index } of text.matchAll(mark)) from = index + found.length
  if (from === -1 || text.length - from > mostAfter) return undefined
  const line = text
    .slice(from)
    .split('\n')
    .find((line) => /[\p{L}\p{N}]/u.test(line))
  return line?.slice(0, LONGEST_PIECE).trim()
}
