/** Requests that one message may hold; the rest is left to the next message. */
export const MOST_WISHES = 5
/** The clauses of a text that are read; customers who tell a story say early what they want. */
const MOST_CLAUSES = 60

const BOUNDARY =
  /[.!?;\n]+\s+|[.!?;\n]+$|,?\s+(?:and also:?|and then|and please|as well as|but also|and|(?<!\b(?:can|could|may|will|would|do|should) (?:i|we|you)\s)also|then|plus|furthermore|besides|but)\s+|,\s+/iu

/** The pieces of a message, each of which may be a request. */
export function clausesOf(text: string): readonly string[] {
  const pieces = text
    .replace(
      /^[^:]{0,40}\b(?:things?|items|questions?|requests?|points?|stuff)\b[^:]{0,20}:\s*/iu,
      '',
    )
    .replaceAll(/(?<=\s)(\d{1,2}\)\s)/gu, '\n$1')
    .split(new RegExp(BOUNDARY, 'giu'))
    .map((piece) => piece.trim().replace(/^(?:\d{1,2}|[a-c])[).:]\s+/iu, ''))
    .filter((piece) => /[\p{L}\p{N}]/u.test(piece))
  return pieces.slice(0, MOST_CLAUSES)
}

/** Words that begin statements, which do not indicate a request. */
const STATEMENT =
  /^(?:i|i'm|i've|im|ive|my|the|this|that|these|those|it|its|it's|there|a|an|you|your|he|she|we|they|did|was|has|had|is|are|still|not|any|never|new|order|orders|just|one|only|half|both|some|ok)$/iu

const REQUEST =
  /^(?:(?:please|pls|hi|hello|hey|ok|well|also|and|or|then|so|but|now)[\s,]+)*(?:for \S{2,40},? )?(?:(?:can|could|would|will|may) (?:you|i|we|somebody|someone)\b|i(?:'d| would|d) (?:like|want|rather|prefer|love|appreciate)\b|i(?:'ll| will|ll) (?:take|have|return|send)\b|(?:i )?(?:just |also |only |really )*(?:want|need|wanna|wish|demand|request|wan)\b|gimme\b|get me\b|i'm (?:requesting|asking)\b|let me\b|how (?:do|can|could)\b|is (?:it|there)\b|tell me\b|give me\b|where\b|when\b|what(?:'s| is)\b|(?:to|at|by|until|from) (?:what|which|whom?)\b|who(?:'s| is)\b|(?:a |the |my )?(?:full |partial |complete )?(?:refund|return|cancellation|exchange) (?:would|will|please|of|for)\b)/iu

/** Words before what a customer wants to know or to have, in the middle of a story. */
const WANTS =
  /\b(?:want(?:ed)? to|need to|would like|i'd like|i'd love|like to|love to|wanna|question is|wondering|please|could you|can you|would you|tell me)\b/iu

/** The sentences of a story that ask for something; the whole text if none does, or all do. */
export function requestSentences(text: string): string {
  const sentences = text.split(/(?<=[.!?\n])\s+/u)
  const asking = sentences.filter(
    (one) => one.includes('?') || REQUEST.test(one) || WANTS.test(one),
  )
  return asking.length === 0 ? text : asking.join(' ')
}

/** The forms of questions, which documents may answer. */
const ASKS =
  /^(?:(?:hi|hello|hey|ok|so|and|but|also|then|please|well|actually|wait|just)[\s,.!]+)*(?:(?:until|till|since|by|for|in|at|on|to|from) (?:what|when|which|how)|what|what's|whats|when|where|why|who|which|how|do(?! (?:not|it|that|this|so|sth|something|me)\b)|does|did|is|are|can|could|will|would|should|may)\b/iu

/** Whether a text has the form of a question. */
export const asks = (text: string): boolean => ASKS.test(text)

/** The command words that examples of an intent begin with. */
export const openersOf = (examples: readonly string[]): ReadonlySet<string> =>
  new Set(examples.map(firstWord).filter((word) => word !== '' && !STATEMENT.test(word)))

/** What has to be done with a thing: "the desk needs to go back". */
const NEEDS =
  /^(?:the|my|this|that|these|those|it|they|both) ?[^.!?]{0,40}\b(?:needs? to|has to|have to|must|should|is to)\b (?:please )?(?:go|be|come)\b/iu

/** What is wanted, without a verb: "ETA on the lamps". */
const NOMINAL =
  /^(?:the |an? |my )?(?:eta|status|tracking(?: number| no)?|invoice|bill|receipt)\b/iu

/** Whether a piece is a request rather than a report. */
export const isRequest = (clause: string, openers: ReadonlySet<string>): boolean =>
  REQUEST.test(clause) ||
  NOMINAL.test(clause) ||
  NEEDS.test(clause) ||
  openers.has(firstWord(clause.replace(/^for \S{2,40},? /iu, '')))

/**
 * Whether it declines the action: "do not cancel it", "I don't want a refund", "no return please". A report that
 * another party did not act ("you did not refund me") declines nothing.
 */
export const isRefused = (clause: string, openers: ReadonlySet<string>): boolean =>
  [...clause.matchAll(REFUSAL)].some(([, said = '']) => {
    const word = said.toLowerCase()
    if (LACKS.has(word)) return false
    return [...openers].some((opener) =>
      opener.length < 5 ? word === opener : word.startsWith(opener),
    )
  })

/** Verbs for something that the customer lacks, which refuse nothing: "I still don't have my money". */
const LACKS: ReadonlySet<string> = new Set([
  'have',
  'see',
  'know',
  'find',
  'understand',
  'remember',
])

/** Other people, or reports of what has not happened. */
const OTHERS =
  '(?<!\\b(?:you|they|he|she|it|nobody|why|if|has|have|had|is|was|were|be|been|but|could|can|would)\\s)'
const NOT = "(?:don't|dont|do not|didn't|didnt|did not|never|not|rather not (?:have|get))"
const BETWEEN =
  '(?:(?:ask|asked|asking|want|wanted|like|wish|need|request|requested|going|plan|planning|trying|intend|mean|meant|looking) (?:you )?(?:for |to (?:have |get )?)?)?'
const REFUSAL = new RegExp(
  `(?:${OTHERS}\\b${NOT}\\s+${BETWEEN}|^\\P{L}*no\\s+(?!${NOT})|\\b(?:instead of|rather than|without)\\s+)(?:(?:a|an|any|the|my|your|this|that)\\s+)?([\\p{L}]+)(?!\\s+(?:yet|so far|received|came|arrived|(?:(?:to|with) )?(?:an? |the |your )?(?:bot|robot|machine|computer))\\b)`,
  'giu',
)

/** Whether a piece only says what stays with the customer: "I want to keep the chair". */
export const isKept = (clause: string): boolean =>
  /\bkeep(?:ing)?\b/iu.test(clause) &&
  !/\b(?:don'?t|dont|do not|not|never|no longer|can'?t|cannot)\b[^.!?]{0,20}\bkeep|\bkeeps?\s+\p{L}+ing\b/iu.test(
    clause,
  )

/** Words around a command that do not change it. */
const AROUND: ReadonlySet<string> = new Set(
  'yes yeah yep yup ok okay sure please thanks go ahead and do it that this them the my order one now then right away immediately just already me so well whole entire complete thing'.split(
    ' ',
  ),
)

/**
 * Whether it is only this command: "cancel it", "yes, refund order O-1 now". Any further word may change it:
 * "refund only half", "cancel my request".
 * @param values the objects of the command
 */
export function isBareCommand(text: string, verb: string, values: readonly string[]): boolean {
  const words = values
    .reduce((rest, value) => rest.replaceAll(value.toLowerCase(), ' '), text.toLowerCase())
    .match(/[\p{L}\p{N}'-]+/gu)
  const rest = words?.filter((word) => !AROUND.has(word)) ?? []
  return rest.length === 1 && rest[0] === verb && !text.includes('?')
}

const firstWord = (text: string): string =>
  /^(?:please\s+)?([\p{L}']+)(?![\p{L}'\d-])/iu.exec(text.trim())?.[1]?.toLowerCase() ?? ''
