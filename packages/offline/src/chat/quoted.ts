import type { LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider'
import { isBackground } from 'echelon/internal/message'

/** A piece of a document in the prompt, under the number that an answer cites. */
interface Piece {
  readonly number: string
  readonly source: string
  readonly page: string | undefined
  readonly text: string
}

const PIECE =
  /^<document number="(?<number>\d+)" source="(?<source>[^"]*)"(?: page="(?<page>\d+)")?[^>\n]*>\n(?<text>[^]*)\n<\/document>$/

/** A message without what a program added to it, such as pieces of documents. */
export const withoutBackground = (message: LanguageModelV4Message): LanguageModelV4Message =>
  message.role === 'user'
    ? { ...message, content: message.content.filter((part) => !isBackground(part)) }
    : message

/** Pieces to quote, with one passage each. */
const MAX_PIECES = 3

/**
 * The passages that share most words with a question, each with its number and source. Nothing is concluded from
 * them: that takes a model that reads.
 * @returns undefined if there is no piece, or none shares a word
 */
export function quoted(question: string, prompt: LanguageModelV4Prompt): string | undefined {
  const questionStems = stemsOf(question)
  const passages = prompt.flatMap(piecesIn).flatMap((piece) => {
    const best = bestPassage(piece.text, questionStems)
    if (best === undefined) return []
    const page = piece.page === undefined ? '' : `, page ${piece.page}`
    return [`[${piece.number}] ${piece.source}${page}: “${best}”`]
  })
  if (passages.length === 0) return undefined
  return `${INTRODUCTION}\n\n${passages.slice(0, MAX_PIECES).join('\n\n')}`
}

const INTRODUCTION =
  'I do not understand texts; these passages of your documents share the most words with your question:'

const piecesIn = (message: LanguageModelV4Message): readonly Piece[] =>
  message.role === 'user'
    ? message.content.flatMap((part) =>
        part.type === 'text' && isBackground(part) ? pieceIn(part.text) : [],
      )
    : []

function pieceIn(background: string): readonly Piece[] {
  const { number, source, page, text } = PIECE.exec(background)?.groups ?? {}
  if (number === undefined || source === undefined || text === undefined) return []
  return [{ number, source, page, text }]
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
