/** How many wishes one message may hold; whatever comes after is left to the next message. */
export const MOST_WISHES = 5
/** Beyond this a text is read as one: nobody lists that much. */
const MOST_CLAUSES = 12

const BOUNDARY =
  /[.!?;\n]+\s+|[.!?;\n]+$|,?\s+(?:and also|and then|and please|as well as|but also|and|also|then|plus|furthermore|besides|but)\s+|,\s+/iu

/** The pieces of a message, each of which may ask for something of its own. */
export function clausesOf(text: string): readonly string[] {
  const pieces = text
    .split(new RegExp(BOUNDARY, 'giu'))
    .map((piece) => piece.trim())
    .filter((piece) => /[\p{L}\p{N}]/u.test(piece))
  return pieces.length > MOST_CLAUSES ? [text.trim()] : pieces
}

/** Words that begin statements, and so tell nothing of whether something is asked for. */
const STATEMENT =
  /^(?:i|i'm|i've|im|ive|my|the|this|that|these|those|it|its|it's|there|a|an|you|your|he|she|we|they|did|was|has|had|is|are|still|not|any|never|new|order|orders)$/iu

const REQUEST =
  /^(?:(?:please|hi|hello|hey|ok|well)[\s,]+)*(?:(?:can|could|would|will|may) (?:you|i|we|somebody|someone)\b|i(?:'d| would) (?:like|want|rather)\b|i (?:want|need|wish|demand|request)\b|i'm (?:requesting|asking)\b|let me\b|how (?:do|can|could)\b|is (?:it|there)\b|tell me\b|give me\b|where\b|when\b|what(?:'s| is)\b)/iu

/** The words that examples of an intent begin with, where they are ones of command. */
export const openersOf = (examples: readonly string[]): ReadonlySet<string> =>
  new Set(examples.map(firstWord).filter((word) => word !== '' && !STATEMENT.test(word)))

/** Whether a piece asks for something, rather than telling what happened. */
export const isRequest = (clause: string, openers: ReadonlySet<string>): boolean =>
  REQUEST.test(clause) || openers.has(firstWord(clause))

/** Whether it says that this is not to be done: "do not cancel it". */
export function isRefused(clause: string, openers: ReadonlySet<string>): boolean {
  const [, verb] =
    /\b(?:don't|dont|do not|never|didn't|did not|not)\s+(?:(?:ask(?:ed)?|want(?:ed)?|like|wish|need) (?:you )?to\s+)?([\p{L}]+)/iu.exec(
      clause,
    ) ?? []
  return verb !== undefined && openers.has(verb.toLowerCase())
}

const firstWord = (text: string): string =>
  /^(?:please\s+)?([\p{L}']+)(?![\p{L}'\d-])/iu.exec(text.trim())?.[1]?.toLowerCase() ?? ''
