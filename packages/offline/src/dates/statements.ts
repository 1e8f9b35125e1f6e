import type { Marked } from './marks.ts'
import { SMALL, TENS } from '../number-words.ts'
import { LENGTH } from './phrases.ts'
import { ASKING, IS, KIND, WHICH_KIND } from './wording.ts'

const IT = '(?:that|it|this|that date|this date|that day|this day)'
const LATER = '(?:later|afterwards|after (?:that|this))'
const EARLIER = '(?:earlier|beforehand|before (?:that|this))'
const AWAY = `(?<step>${LENGTH}|the (?:day|date)) (?:(?<later>${LATER})|${EARLIER})`

/** Questions for the date stated before them, or for a step from it. */
const ASKED = [
  `${ASKING}?${WHICH_KIND}(?: (?:is|was|will|would|does|did|must) ${IT}(?: be| fall| land| have been)?(?: on)?)?`,
  `${ASKING}?${WHICH_KIND} (?:${IS}|comes|falls) ${AWAY}`,
  `(?:${ASKING}|what ${IS} )?(?:the |its )?${KIND} ${AWAY}`,
  `(?:${ASKING}|what ${IS} )(?:the|its) (?:weekday|${KIND} (?:of|for) ${IT})`,
  `${ASKING}?when (?:is|was|will|would) (?:${IT}|${AWAY})(?: be)?`,
  KIND,
].map((source) => new RegExp(`^${source}$`, 'i'))

/** Questions that repeat words of the statement: `what day was I born on`. */
const ECHO = new RegExp(
  `^${ASKING}?${WHICH_KIND} (?:is|was|did|do|does|will|were|am|are) (?<echo>[a-z' ]+?)(?: on)?$`,
  'i',
)

/** The boundary between a statement and its question. */
const BREAK = /(?:[.!;:?]|,| -) (?:(?:and|so|then|but) )*/g
const CONTINUED = new RegExp(` ${AWAY}(?![\\w-])`, 'i')
const SUPPOSING = /^(?:if|suppose|supposing|assuming|given that|since|as|say) /i

/**
 * The calendar phrase of a statement with one date and a question about it: `The fair opens on May 5,
 * 2026. Which weekday is that?` Words about an event may surround the date; words that could change the
 * date may not.
 */
export function readStatement({ text }: Marked): string | undefined {
  for (const { index, 0: mark } of text.matchAll(BREAK)) {
    const statement = text.slice(0, index).replace(SUPPOSING, '')
    const date = dateIn(statement)
    const read = date && answer(text.slice(index + mark.length), statement, date)
    if (read) return read
  }
  return undefined
}

/** The single date of a statement, or a step from it: `ten years later`. */
function dateIn(statement: string): string | undefined {
  const [found, another] = statement.matchAll(/#\d+/g)
  if (!found || another) return undefined
  const behind = statement.slice(found.index + found[0].length)
  const step = CONTINUED.exec(behind)
  const around = `${statement.slice(0, found.index)} ${step ? behind.replace(step[0], ' ') : behind}`
  return isHarmless(around) ? stepped(found[0], step?.groups) : undefined
}

function answer(question: string, statement: string, date: string): string | undefined {
  for (const form of ASKED) {
    const found = form.exec(question)
    if (found) return stepped(date, found.groups)
  }
  const echo = ECHO.exec(question)?.groups?.['echo']?.toLowerCase().split(' ')
  return echo && repeats(echo, statement.toLowerCase().split(/[^a-z']+/)) ? date : undefined
}

/** Whether the question repeats the statement: `did it open`, after "the shop opened". */
function repeats(echo: readonly string[], statement: readonly string[]): boolean {
  const isSame = (word: string, other: string): boolean =>
    word === other || (word.length > 3 && [`${word}s`, `${word}d`, `${word}ed`].includes(other))
  return echo.every(
    (word) => STANDING_IN.has(word) || statement.some((other) => isSame(word, other)),
  )
}

const STANDING_IN = new Set('it he she they that this be fall on'.split(' '))

type Groups = Readonly<Record<string, string | undefined>>

function stepped(date: string, { step, later }: Groups = {}): string {
  return step === undefined ? date : `${step} ${later === undefined ? 'before' : 'after'} ${date}`
}

const MAX_WORDS = 25

/** Words that could change the date or add another: time, numbers, doubt, change. */
const HARMFUL = new RegExp(
  `^(?:${[
    'days?|weeks?|fortnights?|months?|years?|decades?|century|centuries|(?:week|work)(?:days?|ends?)|business',
    'hours?|minutes?|am|pm|noon|midnight|quarters?|half|couple|few|several|dozen|once|twice|times?',
    ...SMALL.slice(1),
    ...TENS,
    'hundred|thousand|(?:six|seven|eigh|nin|ten|eleven|twelf)th',
    'first|second|third|fourth|fifth|ago|later|earlier|before|after|during|within|between',
    'past|next|last|previous|following|coming|upcoming|every|each|daily|weekly|monthly|yearly|annual',
    "annually|anniversary|not|no|never|neither|nor|or|\\w+n't|unless|except|without|if|whether|instead",
    'about|around|roughly|nearly|almost|approximately|circa|maybe|perhaps|probably|eve|than',
    'moved?|postponed?|rescheduled?|delayed?|shift(?:ed)?|extend(?:ed|s)?|pushed|cancell?ed|changed?|originally',
    'lunar|julian|orthodox|hebrew|jewish|islamic|chinese|persian|what|which|when|who|whose|where|why|how',
    'january|february|march|april|may|june|july|august|september|october|november|december',
  ].join('|')})$`,
  'i',
)

function isHarmless(words: string): boolean {
  const plain = words
    .replaceAll(/\bmoved (?:in|out|into|house)\b/gi, '')
    .split(/[\s,.;:!?"()-]+/)
    .filter((word) => word !== '')
  const isWord = (word: string): boolean => /^\p{L}+(?:'\p{L}+)?$/u.test(word)
  return plain.length <= MAX_WORDS && plain.every((word) => isWord(word) && !HARMFUL.test(word))
}
