import { type Day, dayInWords, daysIn, weekdayOf } from '../../customer/calendar.ts'
import { DAY, next } from '../../customer/order-dates.ts'
import { ownOrdersIn } from '../../customer/own-order.ts'
import * as sentences from '../../wording/sentences.ts'
import type { SupportState } from '../support-state.ts'

/** What the calendar says to a part of a message, and the rest of the message. */
export interface DayChecked {
  readonly told: string
  readonly rest: string
}

/**
 * "The 20th is a Monday, right?", "what day is that?", "so until mid November?": the calendar tells it, for a day that
 * is named, or for the one that the last answer named. `null` if no part of the message asks for that alone.
 */
export function dayChecked({ text, history, orders, at }: SupportState): DayChecked | null {
  if (text.length > MOST_CHARACTERS) return null
  const before =
    history.findLast(({ role, text: said }) => role === 'agent' && !OF_CALENDAR.test(said))?.text ??
    ''
  // Of several orders, no day is the one that is meant.
  const isOfOne = ownOrdersIn(orders).filter(({ id }) => before.includes(id)).length <= 1
  const spoken = isOfOne ? daysIn(before, at) : []
  const kind = /\blast day\b/u.test(before)
    ? 'deadline'
    : /\bETA\b/u.test(before)
      ? 'expected'
      : null
  const parts = partsIn(text)
  const checked = parts.map((part) => toldOf(part, { spoken, kind, now: at }))
  const told = checked.flatMap((one) => one ?? [])
  if (told.length === 0) return null
  const rest = parts.filter((_, index) => checked[index] === null).join(' ')
  return {
    told: [...new Set(told)].join(' '),
    rest: /[\p{L}\p{N}]/u.test(rest.replace(FILLERS, ' ')) ? rest : '',
  }
}

/** An answer of the calendar alone, before which the day was spoken of. */
const OF_CALENDAR =
  /^(?:The day expected is |(?:Yes|No), (?:the day expected is )?)?\p{L}{3} \d{1,2}(?:,| is) a \p{L}+day\.(?: That is an estimate and not a promise\.)?$/u

/** Longer texts are stories of their own. */
const MOST_CHARACTERS = 200

const FILLERS = /\b(?:ok(?:ay)?|so|and|hm+|ah|oh|well|thanks?|then|right)\b/giu

/** The sentences of a text, and the questions that are joined to one. */
const partsIn = (text: string): readonly string[] =>
  text
    .split(/(?<=[.!?;])\s+|,?\s+(?:and|also|but|plus)\s+/u)
    .filter((one) => /[\p{L}\p{N}]/u.test(one))

interface Spoken {
  readonly spoken: readonly Day[]
  /** What the last day that was spoken of is. */
  readonly kind: 'expected' | 'deadline' | null
  readonly now: number
}

/** Words of a part that asks for a day alone: those of the calendar, and those around them. */
const WORDS =
  /^(?:so|ok|okay|then|and|but|wait|hm+|oh|ah|well|the|an?|is|isn'?t|it|it'?s|that|that'?s|this|which|what|what'?s|day|date|weekday|week|of|on|right|correct|correctly|no|not|yes|yeah|yep|would|be|falls?|does|do|will|really|actually|i|you|can|could|please|pls|mean|means|meaning|know|tell|me|assume|guess|think|suppose|or|if|i'?m|am|in|to|mistaken|until|till|by|about|around|roughly|the|middle|mid|end|beginning|start|early|late|last|latest|deadline|have|come|comes|coming|arrives?|arriving|due|here|expected|gets?|get|arrive|reach|should|shall|might|before|than|later|make|still|tomorrow|today|next|weekend|week|time|for|huh|innit|eh|just|(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?|jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|\d{1,2}(?:st|nd|rd|th)?)$/iu

const WEEKDAY =
  /\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|mon|tues?|wed|thurs?|fri|sat|sun)\b/iu
const ASKS_WEEKDAY = /\b(?:what|which|what'?s the) (?:week)?day\b/iu
const ASKS_BACK =
  /\?|\b(?:right|correct|correctly|yes|no|huh|innit|eh|mistaken|isn'?t it|i (?:think|guess|assume|suppose))\W*$|^\W*(?:(?:so|ok|okay|and|but|wait|oh)[\s,]+)*(?:is|isn'?t|does|will|would|should)\b/iu
const CHECKS =
  /\b(?:so|that|that'?s|is|right|correct|until|till|by|then|mean|means|meaning|last|about|around)\b/iu
const REFERS = /\b(?:it|it'?s|that|that'?s|this|day|date)\b/iu
const COMES =
  /\b(?:come|comes|coming|arrives?|arriving|due|here|expected|gets?|arrive|get|reach|make)\b/iu
const ENDS = /\b(?:until|till|by|last|latest|deadline|have)\b/iu
const NEGATED = /\bnot\b|\bisn'?t\b(?! it\b)/iu
const PERIOD =
  /\b(?<part>mid|middle|end|beginning|start|early|late)(?: |-)?(?:of (?:the )?)?(?<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\p{L}*\b/iu

function toldOf(part: string, { spoken, kind, now }: Spoken): string | null {
  const words = part.match(/[\p{L}\p{N}'’]+/gu) ?? []
  if (words.length < 2 || !words.every((word) => WORDS.test(word.replace('’', "'")))) return null
  const [named, ...others] = daysIn(part, now, spoken)
  const weekday = WEEKDAY.exec(part)?.[0].toLowerCase().slice(0, 3)
  const isAsked = weekday === undefined && ASKS_WEEKDAY.test(part)
  const isSaid = isAsked || ASKS_BACK.test(part) || (CONCLUDES.test(part) && COMES.test(part))
  if (others.length > 0 || !isSaid) return null
  const last = spoken.at(-1)
  const until = kind === 'expected' ? untilIn(part, named, now) : null
  if (until !== null && last !== undefined && named !== last) {
    // An estimate is no promise.
    return sentences.expectedUntil(until.fits(last), ...inWords(last))
  }
  if (COMES.test(part)) {
    const isOfIt =
      kind === 'expected' && (named ?? last) === last && (isAsked || weekday !== undefined)
    // A yes would promise it.
    return isOfIt && last !== undefined ? sentences.dayExpected(...inWords(last)) : null
  }
  if (weekday === undefined && !isAsked) {
    // "The 23rd?!" asks for nothing.
    const isChecked = CHECKS.test(part) && !part.includes('!')
    const isOfKind = isChecked && last !== undefined && (!ENDS.test(part) || kind === 'deadline')
    const isSo = isOfKind ? agrees(part, named, last, spoken) : null
    return isOfKind && isSo !== null ? sentences.dayChecked(isSo, ...inWords(last)) : null
  }
  const day = named ?? (REFERS.test(part) ? last : undefined)
  if (day === undefined) return null
  const isSo =
    weekday === undefined || NEGATED.test(part)
      ? null
      : weekdayOf(day).toLowerCase().startsWith(weekday)
  return sentences.weekdayChecked(isSo, ...inWords(day))
}

interface Until {
  /** Whether a day is soon enough. */
  readonly fits: (day: Day) => boolean
}

/** "Before Friday", "by the 24th", "until tomorrow": the day up to which something is to come; `null` for none. */
function untilIn(part: string, named: Day | undefined, now: number): Until | null {
  const [said = '', word = '', rest = said] = UNTIL.exec(part) ?? []
  if (said === '') return null
  const today = Math.floor(now / DAY) * DAY
  const weekday = WEEKDAY.exec(rest)?.[0].toLowerCase().slice(0, 3)
  const isNamed = (day: Date): boolean =>
    WEEKDAYS[day.getUTCDay()] === (/\bweekend\b/iu.test(rest) ? 'sat' : weekday)
  const relative = /\btoday\b/iu.test(rest)
    ? today
    : /\btomorrow\b/iu.test(rest)
      ? today + DAY
      : next(today + DAY, isNamed)
  const day = named ?? relative
  if (day === null) return null
  return { fits: (one) => (word.toLowerCase() === 'before' ? one < day : one <= day) }
}

/** "So it comes by Friday." */
const CONCLUDES = /^\W*(?:(?:ok(?:ay)?|and|well|ah|oh)[\s,]+)*so\b/iu
const UNTIL =
  /\b(before|by|until|till|no later than|not later than)\b((?:\s+(?:the|next|this|on|at))*\s+\S+.*)$|\b(?:tomorrow|today)\b/iu
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

/** Whether a part names the day that was spoken of, or the time of its month; `null` if it names neither. */
function agrees(
  part: string,
  named: Day | undefined,
  last: Day,
  spoken: readonly Day[],
): boolean | null {
  if (named !== undefined) return spoken.includes(named) && named !== last ? null : named === last
  const { part: time = '', month = '' } = PERIOD.exec(part)?.groups ?? {}
  if (month === '') return null
  const [name = '', number = ''] = dayInWords(last).split(' ')
  const third = Number(number) <= 10 ? EARLY : Number(number) <= 20 ? MIDDLE : LATE
  return name.toLowerCase() === month.toLowerCase() && third.test(time)
}

const EARLY = /beginning|start|early/iu
const MIDDLE = /mid/iu
const LATE = /end|late/iu

const inWords = (day: Day): readonly [string, string] => [dayInWords(day), weekdayOf(day)]
