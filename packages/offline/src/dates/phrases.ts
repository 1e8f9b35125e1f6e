import { SMALL, TENS } from '../number-words.ts'

/**
 * English phrases for a date, as regular expression sources without groups. Matches are passed to the
 * calendar unchanged, so these patterns need not interpret them.
 */

const any = (words: readonly string[]): string => `(?:${words.join('|')})`

export const WEEKDAY: string = '(?:mon|tues|wednes|thurs|fri|satur|sun)day'
const SHORT_WEEKDAY = '(?:mon|tues?|weds?|thu(?:rs?)?|fri|sat|sun)\\.?'
export const MONTH: string =
  '(?:january|february|march|april|may|june|july|august|september|october|november|december' +
  '|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\\b\\.?'

const DIGIT = any(SMALL.slice(1, 10))
const TEEN = any(SMALL.slice(10))
const BELOW_100 = `(?:${any(TENS)}(?:[- ]${DIGIT})?|${TEEN}|${DIGIT})`
const HUNDREDS = `(?:a|${DIGIT}) (?:hundred(?:(?: and)? ${BELOW_100})?|thousand)`
const NUMBER = `(?:\\d{1,3}(?:,\\d{3})+|\\d{1,5}|${HUNDREDS}|${BELOW_100}|a couple of|an?)`
const UNIT =
  '(?:(?:business|working|calendar|full|whole) days?|weekdays|workdays|(?:day|week|fortnight|month|year|decade)s?)'

/** `3 weeks`, `one year and two months`. */
export const DURATION: string = `(?:exactly )?${NUMBER} ${UNIT}(?:(?:,? and|,) ${NUMBER} ${UNIT})*`

/** A duration after marking. */
export const LENGTH = '@\\d+'

const ORDINAL_WORD =
  '(?:(?:twenty|thirty)[- ])?(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)' +
  '|tenth|eleventh|twelfth|(?:thir|four|fif|six|seven|eigh|nine)teenth|twentieth|thirtieth'
const DAY = `(?:\\d{1,2}(?:st|nd|rd|th)?|${ORDINAL_WORD})`
const NTH = '(?:very )?(?:first|second|third|fourth|fifth|last|final|[1-5](?:st|nd|rd|th))'
const WHICH = '(?:this|next|last)'
const YEAR = `(?:(?:the year )?\\d{4}|'\\d\\d|${WHICH} year)`
const OF_YEAR = `(?:,?(?: of| in)? ${YEAR})?`
const OF_SPAN = `(?:of|in) (?:(?:the month of )?${MONTH}${OF_YEAR}|(?:${WHICH}|the(?: current)?) month|${YEAR}|the year)`

const HOLIDAY =
  "(?:(?:christmas|xmas|new year'?s?)(?: day| eve)?|easter(?: sunday| monday)?|good friday" +
  "|thanksgiving(?: day)?|halloween|labou?r day|memorial day|valentine'?s day|boxing day" +
  '|independence day|veterans day|columbus day|(?:martin luther king(?:,? jr\\.?)?|mlk) day' +
  "|(?:presidents'?|president's|mother's|father's|earth|groundhog|may|april fools'?|st\\.? patrick's) day" +
  '|leap day|juneteenth|black friday|cyber monday|election day|pentecost|whit monday|whit sunday' +
  "|ascension day|ash wednesday|palm sunday|epiphany|all saints'? day)"

/** A day named by its holiday; without one, a question may be about the holiday itself. */
export const FEAST: string = `(?:(?:the )?(?:next|last|this|coming) )?${HOLIDAY}${OF_YEAR}`

const ON_WEEKDAY = `(?:(?:${WEEKDAY}|${SHORT_WEEKDAY}),? (?:the )?)?`
const MONTH_AND_DAY = `(?:${MONTH}[- ](?:the )?${DAY}|${DAY}(?: day)?(?: of|-)? ?${MONTH})`
const WRITTEN = `(?:the )?${MONTH_AND_DAY}(?:-\\d{4}|${OF_YEAR})`
const NUMERIC = '\\d{4}-\\d{1,2}-\\d{1,2}|\\d{1,4}[/.-]\\d{1,2}[/.-]\\d{2,4}'

/** Dates named in one piece; longer forms before their prefixes. */
const NAMED = [
  '(?:the )?day (?:after tomorrow|before yesterday)|today|tomorrow|yesterday|now',
  `${ON_WEEKDAY}(?:${WRITTEN}|${NUMERIC})|\\d{4},? ${MONTH} ${DAY}|\\d{1,2}/\\d{1,2}`,
  `(?:the )?(?:${NTH} ${WEEKDAY}(?: the ${DAY})?|(?:${NTH}|\\d{1,3}(?:st|nd|rd|th)|${ORDINAL_WORD}) (?:(?:business |working )?day|weekday)|day (?:number )?\\d{1,3}|end|beginning|start) ${OF_SPAN}`,
  `(?:the )?(?:${DAY} of ${WHICH} month|${WEEKDAY} (?:of|in) iso week \\d\\d?(?: of| in|,)? \\d{4})`,
  `(?:(?:the )?(?:next|last) )?${WEEKDAY} the ${DAY}`,
  `(?:the )?${WEEKDAY} (?:after next|before last)|(?:(?:the )?(?:next|last|this|coming|upcoming|this coming|this past) )?${WEEKDAY}(?: (?:of )?${WHICH} week)?`,
  FEAST,
].join('|')

/** The distance from a date: `3 weeks`, `the day`, `the second Friday`. */
const STEP = `(?:${LENGTH}|(?:two|three|four|five|\\d) ${WEEKDAY}s|the (?:day|date)|the (?:${NTH}|\\d{1,3}th|${ORDINAL_WORD}) (?:(?:business |working )?day)|(?:the )?(?:${NTH} )?${WEEKDAY})`
const BESIDE = `${STEP}(?: right| just| immediately| directly)? (?:after|before|from|following|preceding|prior to|past|later than|earlier than|back from) `
const FROM_TODAY = `in ${LENGTH}(?:'? time)?|${STEP} (?:ago(?: today)?|hence)`
const CHANGED = `(?: (?:plus|minus|[+-]) ${LENGTH})*`

/** A named date, with steps from it: `?` for at most one, `*` for any number. */
export const dateWithin = (steps: '?' | '*'): string =>
  `(?:${FROM_TODAY}|(?:${BESIDE})${steps}(?:${NAMED})${CHANGED})`
