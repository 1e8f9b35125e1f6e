import { replyOf } from '../phrases.ts'

/** A message taken apart into what it says and what it asks. */
export interface SaidAndAsked {
  readonly said: string
  readonly asked: string
}

const SENTENCE_END = /(?<=[.!?;\n])\s+/u
const PIECE = /(?<=,)\s+|\s+(?=(?:and|but|also|then|plus|so)\s)|\s+[-–—]+\s+/iu

const SUBJECT = '(?:i|you|we|they|it|he|she|the|my|your|u|that|this|these|those|there|a|an|any)'

/** The beginning of a question, or of a request to be told something. */
const ASKS = new RegExp(
  `^(?:(?:hi|hello|hey|ok|okay|so|and|but|also|then|please|pls|well|actually|wait|hold on|hang on|just|yes|no|thanks|now)[\\s,.!]+)*(?:(?:(?:until|till|since|by|for|in|at|on|to|from|under) )?(?:what|which)(?![\\p{L}'])|(?:how|how's|hows|whats|what's|where|where's|wheres|who|who's|whom)(?![\\p{L}'])|why(?! not\\b)(?!\\p{L})|when(?! (?:i|you|they|it|the|my|we) (?!do|does|will|can|get)\\b)|do (?:i|you|u|we|they|he|she)\\b|(?:does|did|is|are|can|could|will|would|should|shall|may|must|has|have|was|am|need) (?:${SUBJECT})(?![\\p{L}'])|(?:wont|won't|isn't|isnt|doesn't|doesnt|can't|cant) ${SUBJECT}(?![\\p{L}'])|(?:is|are|was|does) (?=\\p{L})|(?:tell|show) me\\b|let me know\\b|i(?:'m| am)? (?:just )?(?:wonder(?:ing)?|curious)\\b|any (?:news|fees?|costs?|idea)\\b)`,
  'iu',
)

/** "Yes when will they answer?" */
const YES_BEFORE_QUESTION =
  /^(\W*(?:yes|yeah|yep|yup)(?: (?:please|pls))?)\s+(?=(?:when|where|how|what|who|which|do i|does|will|is|are)\b)/iu

/** "… and when it arrives anyway, do I keep it?": what the question is about, which is no condition of a yes. */
const COMES_ANYWAY =
  /^\W*(?:and|but|so)\s+(?:if|when|once|in case|should)\s(?=[^.!?]*\b(?:comes?|arrives?|(?:shows?|turns?) up|gets? here|delivered|brings?)\b)(?=[^.!?]*\b(?:anyway|after all|still|nonetheless|regardless|in the end)\b)/iu

/** Takes the questions out of a message: "yes please, do I have to send it back?" */
export function saidAndAsked(text: string): SaidAndAsked {
  const said: string[] = []
  const asked: string[] = []
  for (const sentence of text.replace(YES_BEFORE_QUESTION, '$1. ').split(SENTENCE_END)) {
    const pieces = sentence.split(PIECE).filter((piece) => /[\p{L}\p{N}]/u.test(piece))
    const found = pieces.findIndex((piece) => ASKS.test(piece.trim()))
    const isQuestion = sentence.includes('?')
    // "Yes, the usual card?" begins with a yes; without one, the whole sentence asks.
    const isYes = replyOf(pieces[0] ?? '') !== null
    const begins = found > 0 && COMES_ANYWAY.test(pieces[found - 1] ?? '') ? found - 1 : found
    const from = begins >= 0 ? begins : isQuestion ? Number(isYes) : pieces.length
    said.push(pieces.slice(0, from).join(' '))
    asked.push(pieces.slice(from).join(' '))
  }
  return { said: joined(said), asked: joined(asked) }
}

/** A piece of what a message says. */
export interface Piece {
  readonly text: string
  /** Whether it begins a sentence, or is added to what stands before: "and send me the invoice". */
  readonly isAdded: boolean
}

/** The pieces of what a message says. */
export const piecesOf = (said: string): readonly Piece[] =>
  said
    .split(SENTENCE_END)
    .flatMap((sentence) =>
      sentence.split(PIECE).map((text, at) => ({
        text: text.replace(/^[\s,.;:!-]+|[\s,.;:!-]+$/gu, ''),
        isAdded: at === 0 || ADDS.test(text),
      })),
    )
    .filter(({ text }) => text !== '')

const ADDS = /^\W*(?:and|also|then|plus)\b/iu

const joined = (parts: readonly string[]): string =>
  parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join(' ')
