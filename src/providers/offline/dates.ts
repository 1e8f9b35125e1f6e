/** Which questions about dates are read: `compound` ones count from a date that is itself computed. */
export interface DateDialect {
  readonly compound: boolean
}

const WEEKDAY = '(?:mon|tues|wednes|thurs|fri|satur|sun)day'
const MONTH =
  '(?:january|february|march|april|may|june|july|august|september|october|november|december' +
  '|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\\.?'
const NUMBER = '(?:\\d{1,4}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)'
const UNIT = '(?:business day|day|week|fortnight|month|year)s?'
const SPAN = `${NUMBER} ${UNIT}`
const ORDINAL = '(?:first|second|third|fourth|fifth|last|1st|2nd|3rd|4th|5th)'
const DAY = '\\d{1,2}(?:st|nd|rd|th)?'
const YEAR = '(?:,? \\d{4}| (?:this|next|last) year)?'
const HOLIDAY =
  "(?:christmas(?: day| eve)?|new year'?s?(?: day| eve)?|easter(?: sunday| monday)?|good friday" +
  "|thanksgiving(?: day)?|halloween|labou?r day|memorial day|valentine'?s day|boxing day" +
  '|independence day|veterans day|columbus day|(?:martin luther king(?:,? jr\\.?)?|mlk) day' +
  "|(?:presidents'?|president's|mother's|father's|earth|groundhog|st\\.? patrick's) day" +
  '|juneteenth|pentecost|whit monday|ascension day|ash wednesday|palm sunday|epiphany)'

const SINGLE = [
  'today|tomorrow|yesterday|the day (?:after tomorrow|before yesterday)|now',
  `(?:(?:next|last|this|coming|this coming) )?${WEEKDAY}(?: (?:next|last|this) week)?`,
  `(?:${WEEKDAY},? )?(?:the )?${MONTH} ${DAY}${YEAR}`,
  `(?:${WEEKDAY},? )?(?:the )?${DAY}(?: of)? ${MONTH}${YEAR}`,
  '\\d{4}-\\d{1,2}-\\d{1,2}|\\d{1,4}[/.-]\\d{1,2}[/.-]\\d{2,4}|\\d{1,2}/\\d{1,2}',
  `in ${SPAN}(?: time)?|${SPAN} (?:from (?:now|today)|ago|hence|after today|before today)`,
  `(?:the )?${ORDINAL} ${WEEKDAY} (?:of|in) (?:${MONTH}${YEAR}|(?:this|next|last) month)`,
  `(?:(?:the )?(?:next|last|this) )?${HOLIDAY}(?: (?:of|in))?${YEAR}`,
].join('|')

const STEP = `(?:${SPAN}|the day|the ${ORDINAL} ${WEEKDAY}|the ${WEEKDAY}|${WEEKDAY}|exactly ${SPAN})`
const COMPOUND =
  `(?:${STEP} (?:after|before|from|following) )+(?:${SINGLE})` +
  `|the last day (?:of|in) (?:${MONTH}${YEAR}|(?:this|next|last) month)`

const ASKED = [
  '(?:tell me |please |can you tell me |do you know |could you tell me )*',
  "(?:(?:what|which)(?: is|'s|s)?(?: the)? (?:day of the week|weekday|day and date|day|date)(?: of the week)?",
  "|when(?: is|'s| was| will)?|on (?:what|which) (?:day of the week|weekday|date|day)|what(?: is|'s)|find)",
  '(?: (?:is it|it is|it will be|will it be|was it|will|would|was|is|are|does|did|do|falls?|comes?|we have|it))*',
  '(?: (?:on|of|for))?',
].join('')
const ENDING = '(?: (?:be|fall|fall on|land|come|on|celebrated))*[ ?.!]*'

const asking = (date: string): RegExp =>
  new RegExp(`^${ASKED} (?<date>${date})${ENDING}$|^(?<bare>${date})[ ?.!]*$`, 'i')
const ASKING_SINGLE = asking(SINGLE)
const ASKING_COMPOUND = asking(`${COMPOUND}|${SINGLE}`)
const ASKING_TODAY = new RegExp(`^${ASKED}(?: today)?(?: today)?[ ?.!]*$`, 'i')

/**
 * The phrase of a question about one date that the calendar is to answer, in the question's own
 * words; undefined for any other question, and for questions about a number of days.
 */
export function readDate(question: string, dialect: DateDialect): string | undefined {
  const text = question
    .trim()
    .replaceAll(/[‘’]/g, "'")
    .replace(/\s+/g, ' ')
    .replace(/ (?:falls?|lands?|be)(?: on)?(?= (?:this|next|last) year| in \d{4}| \d{4})/i, '')
  if (text.length > 200) return undefined
  if (/^what(?: is|'s) today's date[ ?.!]*$/i.test(text)) return 'today'
  const found = (dialect.compound ? ASKING_COMPOUND : ASKING_SINGLE).exec(text)?.groups
  const date = found?.['date'] ?? found?.['bare']
  if (date !== undefined) return date
  return /\b(?:day|date|weekday)\b/i.test(text) && ASKING_TODAY.test(text) ? 'today' : undefined
}
