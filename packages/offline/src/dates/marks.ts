import { DURATION, LENGTH, dateWithin } from './phrases.ts'

/** A question with its dates replaced by `#0`, `#1`, … and durations by `@2`, `@3`, … */
export interface Marked {
  readonly text: string
  /** Replaces the marks in a text by the original words. */
  readonly say: (marked: string) => string
}

/** The dates to read: `compound` ones chain several steps, or lie between two dates. */
export interface DateDialect {
  readonly compound: boolean
}

const DURATIONS = new RegExp(`(?<![\\w/-])${DURATION}(?![\\w-])`, 'gi')
const datesWithin = (steps: '?' | '*'): RegExp =>
  new RegExp(`(?<![\\w/@#-])${dateWithin(steps)}(?![\\w/-]|[.,']\\d)`, 'gi')
const SINGLE = datesWithin('?')
const CHAINS = datesWithin('*')
const MIDDLES =
  /(?:(?:halfway|half way|midway) between|the mid(?:point|dle) (?:between|of)) #\d+ and #\d+/gi

const order = (words: string): RegExp =>
  new RegExp(`(?<=^|^please |\\b(?:if|when) (?:i|you|we) )${words}(?= )`, 'i')
const [GO, BACK, ON] = ['(?:go|count|move|step|jump)', 'back(?:wards?)?', '(?:forwards?|ahead)']
const MOVES: readonly (readonly [order: RegExp, side: string])[] = [
  [order(`add ${LENGTH} (?:on)?to`), 'after'],
  [order(`(?:subtract|deduct|take)(?: away)? ${LENGTH} (?:away )?(?:from|off)`), 'before'],
  [order(`${GO} (?:${BACK} ${LENGTH}|${LENGTH} ${BACK}) (?:starting )?(?:from|at)`), 'before'],
  [order(`${GO} (?:${ON} ${LENGTH}|${LENGTH} ${ON}) (?:starting )?(?:from|at)`), 'after'],
]

/** Rewrites an instruction as a date: `go back 3 weeks from` becomes `3 weeks before`. */
function withoutMoves(text: string): string {
  const toDate = (words: string, side: string): string => `${/@\d+/.exec(words)?.[0] ?? ''} ${side}`
  return MOVES.reduce(
    (plain, [order, side]) => plain.replace(order, (words) => toDate(words, side)),
    text,
  )
}

/** Marks the dates of a text, so that readers can match the words around them. */
export function markDates(source: string, { compound }: DateDialect): Marked {
  const phrases: string[] = []
  const mark = (text: string, pattern: RegExp, sign: '#' | '@'): string =>
    text.replaceAll(pattern, (phrase) => `${sign}${phrases.push(phrase) - 1}`)
  const say = (marked: string): string =>
    marked.replaceAll(/[#@](\d+)/g, (_, number: string) => say(phrases[Number(number)] ?? ''))
  // A mark in the source would stand for a date that does not exist.
  const lasting = mark(source.replaceAll(/[#@]/g, '№'), DURATIONS, '@')
  const dated = mark(withoutMoves(lasting), compound ? CHAINS : SINGLE, '#')
  return { text: compound ? mark(dated, MIDDLES, '#') : dated, say }
}
