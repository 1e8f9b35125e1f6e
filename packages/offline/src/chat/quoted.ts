import type { LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider'

/** A piece of a document in the prompt, under the number that an answer cites. */
interface Piece {
  readonly number: string
  readonly source: string
  readonly page: string | undefined
  readonly text: string
}

const PIECE =
  /^<document number="(?<number>\d+)" source="(?<source>[^"]*)"(?: page="(?<page>\d+)")?[^>\n]*>\n(?<text>[^]*)\n<\/document>$/

/** Whether a message is a piece of a document rather than a statement. */
export const isPiece = (message: LanguageModelV4Message): boolean =>
  message.role === 'system' && PIECE.test(message.content)

/** Pieces to quote, with one passage each. */
const MAX_PIECES = 3

/**
 * The passages that share most words with a question, each with its number and source. Nothing is concluded from
 * them: that takes a model that reads.
 * @returns undefined if there is no piece, or none shares a word
 */
export function quoted(question: string, prompt: LanguageModelV4Prompt): string | undefined {
  const questionStems = stemsOf(question)
  const passages = prompt.flatMap((message) => {
    const piece = pieceOf(message)
    const best = piece === undefined ? undefined : bestPassage(piece.text, questionStems)
    if (piece === undefined || best === undefined) return []
    const page = piece.page === undefined ? '' : `, page ${piece.page}`
    return [`[${piece.number}] ${piece.source}${page}: “${best}”`]
  })
  if (passages.length === 0) return undefined
  return `${INTRODUCTION}\n\n${passages.slice(0, MAX_PIECES).join('\n\n')}`
}

const INTRODUCTION =
  'I do not understand texts; these passages of your documents share the most words with your question:'

function pieceOf(message: LanguageModelV4Message): Piece | undefined {
  if (message.role !== 'system') return undefined
  const { number, source, page, text } = PIECE.exec(message.content)?.groups ?? {}
  if (number === undefined || source === undefined || text === undefined) return undefined
  return { number, source, page, text }
}

const MAX_CHARACTERS = 320

function bestPassage(text: string, questionStems: ReadonlySet<string>): string | undefined {
  let best: string | undefined
  let most = 0
  for (const passage of text.split(/\n+|(?<=[.!?])\s+(?=\p{Lu})/u)) {
    const shared = [...stemsOf(passage)].filter((word) => questionStems.has(word)).length
    if (shared <= most) continue
    best = passage
    most = shared
  }
  if (best === undefined) return undefined
  const line = best.replaceAll(/\s+/g, ' ').trim()
  return line.length <= MAX_CHARACTERS ? line : `${line.slice(0, MAX_CHARACTERS).toWellFormed()}…`
}

/** Words by their stems, so that "runs" finds "run"; short words are ignored. */
const stemsOf = (text: string): ReadonlySet<string> =>
  new Set((text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []).map((word) => word.slice(0, 5)))
