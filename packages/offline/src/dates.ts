import { readCount } from './dates/counts.ts'
import { readFrame } from './dates/frames.ts'
import { type DateDialect, markDates } from './dates/marks.ts'
import { readStatement } from './dates/statements.ts'
import { asksForToday, tidy, withoutWorkdayRule } from './dates/wording.ts'

const MAX_CHARACTERS = 300

/**
 * The phrase for the calendar: one date or a number of days, in the question's own words as far as
 * possible. Undefined for any other question, and if any word is left over.
 */
export function readDate(source: string, dialect: DateDialect): string | undefined {
  const text = withoutWorkdayRule(tidy(source))
  if (text.length > MAX_CHARACTERS) return undefined
  if (asksForToday(text)) return 'today'
  const marked = markDates(text, dialect)
  const [supposing = '', today] = SUPPOSING.test(text) ? (SUPPOSED.exec(marked.text) ?? []) : []
  const question = { ...marked, text: marked.text.slice(supposing.length) }
  const phrase = readCount(question) ?? readFrame(question) ?? readStatement(question)
  return phrase && marked.say(today === undefined ? phrase : `if today is ${today}, ${phrase}`)
}

/** `If today were March 3, 2026, …`: a date with a number in it, and no weekday. */
const SUPPOSING = /^(?:if|suppose|assuming) today (?:is|was|were) [^,]*\d/i
const SUPPOSED = /^\w+ #\d+ (?:is|was|were) (#\d+),? (?:then )?/i
