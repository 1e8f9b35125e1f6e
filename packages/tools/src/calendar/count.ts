import type { Temporal } from 'temporal-polyfill'
import { date } from './date.ts'
import { formatDay } from './format-date.ts'
import { Misread } from './read/misread.ts'
import { type End, type Pair, coming, endOf, latest, paired, pairOf } from './read/pair.ts'
import {
  type Found,
  type Cursor,
  advance,
  named,
  peek,
  skip,
  skipAll,
  take,
} from './read/cursor.ts'
import { type Span, span } from './read/span.ts'
import type { Token } from './read/token.ts'

type Unit = 'days' | 'weeks' | 'months' | 'years'

const UNITS: ReadonlyMap<string, Unit> = new Map([
  ['days', 'days'],
  ['day', 'days'],
  ['weeks', 'weeks'],
  ['months', 'months'],
  ['years', 'years'],
] as const)

/**
 * The number of days, weeks, months or years that a question asks for, or nothing if it asks for
 * none: `How many days are left until Easter?`, `weeks between May 1 and June 12, 2026`. Counts one
 * of the two ends, unless the question says `inclusive`. Every word must be known.
 * @throws Misread if two days are not clearly named, or are not a whole number of units apart
 */
export function readCount(start: Cursor): number | undefined {
  const head = findHead(start)
  if (!head) return undefined
  const parts = collect(start, head)
  if (parts.unread.length > 0) {
    const words = new Set(parts.unread.map(({ text }) => `"${text}"`))
    throw new Misread(`not understood: ${[...words].join(', ')}; ${EXAMPLE}`)
  }
  return numberOf(parts, head.unit, start.today)
}

const EXAMPLE = 'ask for one number, such as "days from March 3, 2024 to May 1, 2024"'

/**
 * The unit to count and the words that name it: one or two ranges, each from a token index to a
 * cursor.
 */
interface Head {
  readonly unit: Unit
  readonly parts: readonly (readonly [from: number, to: Cursor])[]
}

function findHead(start: Cursor): Head | undefined {
  for (let cursor = start; peek(cursor); cursor = advance(cursor)) {
    const asked = take(cursor, ...ASKING)
    const short = cursor.index === 0 ? skip(cursor, 'the') : undefined
    const found = asked ? named(UNITS)(skip(asked, ...PLAIN)) : short && bareHead(short)
    if (found) return { unit: found.value, parts: [[cursor.index, found.rest]] }
    const long = take(cursor, 'how long')
    if (long) return splitHead(cursor, long)
  }
  return undefined
}

const ASKING = ['how many', 'the number of', 'number of', 'the difference in', 'count the']
const PLAIN = ['calendar', 'more', 'whole', 'full', 'total']

/** `How long is it until Christmas in days?` */
function splitHead(start: Cursor, long: Cursor): Head | undefined {
  for (let cursor = long; peek(cursor); cursor = advance(cursor)) {
    const into = take(cursor, 'in')
    const unit = into && peek(into)?.text !== 'day' ? named(UNITS)(into) : undefined
    if (unit)
      return {
        unit: unit.value,
        parts: [
          [start.index, long],
          [cursor.index, unit.rest],
        ],
      }
  }
  return undefined
}

/** `days until Christmas`, `weeks from May 1 to June 12`, without a word of asking. */
function bareHead(cursor: Cursor): Found<Unit> | undefined {
  const found = named(UNITS)(cursor)
  if (!found || peek(cursor)?.text === 'day') return undefined
  const rest = skipAll(skipAll(found.rest, FILLERS), REMAINING)
  return take(rest, 'between', 'from', 'until', 'till', 'to', 'since', 'before') && found
}

/** The parts of a question for a number. */
interface Parts {
  readonly findings: Finding[]
  /** Words that qualify the findings. */
  readonly signs: Set<Sign>
  readonly unread: Token[]
}

type Finding =
  | { readonly type: 'pair'; readonly pair: Pair }
  | { readonly type: 'end'; readonly end: End }
  | { readonly type: 'span'; readonly span: Span }

type Sign = 'ago' | 'ahead' | 'apart' | 'left' | 'inclusive'

const REMAINING = new Set(['left', 'remaining'])

const SIGNS: readonly (readonly [Sign, readonly string[]])[] = [
  ['ago', ['ago']],
  ['ahead', ['away', 'off', 'ahead', 'from now', 'from today']],
  ['apart', ['apart']],
  ['left', ['left', 'remaining', 'remain', 'remains', 'to go']],
  ['inclusive', ['inclusive', 'including both', 'counting both', 'both included']],
]

function collect(start: Cursor, head: Head): Parts {
  const parts: Parts = { findings: [], signs: new Set(), unread: [] }
  const [[first] = [0]] = head.parts
  if (start.tokens[first - 1]?.text === 'in') parts.signs.add('ahead')
  for (let cursor = start; peek(cursor);) {
    const headPart = head.parts.find(([from]) => from === cursor.index)
    cursor = headPart?.[1] ?? finding(cursor, parts) ?? sign(cursor, parts) ?? word(cursor, parts)
  }
  return parts
}

function finding(cursor: Cursor, { findings }: Parts): Cursor | undefined {
  const pair = pairOf(date)(cursor) ?? pairAfter(cursor) ?? pairWithToday(cursor)
  if (pair) {
    findings.push({ type: 'pair', pair: pair.value })
    return pair.rest
  }
  const end = take(cursor, 'from now', 'from today') ? undefined : endOf(date)(cursor)
  const days = span(cursor)
  if (days && days.rest.index > (end?.rest.index ?? 0)) {
    findings.push({ type: 'span', span: days.value })
    return days.rest
  }
  if (end) findings.push({ type: 'end', end: end.value })
  return end?.rest
}

/** `after May 5 is June 7`. */
function pairAfter(cursor: Cursor): Found<Pair> | undefined {
  const after = take(cursor, 'after')
  const start = after ?? take(cursor, 'before')
  const first = start && endOf(date)(start)
  const joint = first && take(first.rest, 'is', 'was', 'comes', 'will')
  const second = joint && endOf(date)(joint)
  if (!second) return undefined
  const [one, two] = after ? [first.value, second.value] : [second.value, first.value]
  return { value: forwards(paired(one, two, cursor.today)), rest: second.rest }
}

/** `until Christmas` from today; `since March 3` until today. */
function pairWithToday(cursor: Cursor): Found<Pair> | undefined {
  const since = take(cursor, 'since')
  const start = since ?? take(cursor, 'until', 'till', 'til', 'up to', 'before', 'to')
  const end = start && endOf(date)(start)
  if (!end) return undefined
  return { value: (since ? sinceThen : untilThen)(end.value, cursor.today), rest: end.rest }
}

const untilThen = (end: End, today: Temporal.PlainDate): Pair =>
  forwards({ first: today, second: coming(end, today) })

const sinceThen = (end: End, today: Temporal.PlainDate): Pair =>
  forwards({ first: latest(end, today), second: today })

function forwards({ first, second }: Pair): Pair {
  if (first.until(second).sign >= 0) return { first, second }
  throw new Misread(`${formatDay(second)} is before ${formatDay(first)}; ${EXAMPLE}`)
}

function sign(cursor: Cursor, { signs }: Parts): Cursor | undefined {
  for (const [sign, phrases] of SIGNS) {
    const rest = take(cursor, ...phrases)
    if (!rest) continue
    signs.add(sign)
    return rest
  }
  return undefined
}

function word(cursor: Cursor, { unread }: Parts): Cursor {
  const token = peek(cursor)
  const isFiller = token?.type === 'mark' ? token.text !== '+' : FILLERS.has(token?.text ?? '')
  if (token && !isFiller) unread.push(token)
  return advance(cursor)
}

/** Filler words of a question for a number, which do not change its meaning. */
const FILLERS: ReadonlySet<string> = new Set(
  [
    'are is was were will would be been there it that do does did have has had passed elapsed',
    'gone go goes went by pass passes lie lies lay still wait the exactly exact in on and of what',
    'which tell me give find calculate compute determine work out please can could you i we know',
    'want like need d to then so count altogether separate us show',
  ]
    .join(' ')
    .split(' '),
)

function numberOf({ findings, signs }: Parts, unit: Unit, today: Temporal.PlainDate): number {
  const [one, two, three] = findings
  const only = (...allowed: readonly Sign[]): boolean => signs.isSubsetOf(new Set(allowed))
  if (one?.type === 'end' && two?.type === 'end' && !three && only('apart') && signs.size > 0) {
    return distance(paired(one.end, two.end, today), unit, signs)
  }
  if (!one || two) throw new Misread(`two dates are needed, or one date and today; ${EXAMPLE}`)
  if (one.type === 'pair' && only('left', 'inclusive')) return distance(one.pair, unit, signs)
  if (one.type === 'span' && only()) return size(one.span, unit)
  if (one.type === 'end' && signs.size === 1 && only('ago', 'ahead')) {
    return distance((signs.has('ago') ? sinceThen : untilThen)(one.end, today), unit, signs)
  }
  throw new Misread(`the start or end of the count is not clear; ${EXAMPLE}`)
}

/** The number of days of a month or a year. */
function size({ unit: whole, first, last }: Span, unit: Unit): number {
  if (unit === 'days') return first.until(last).days + 1
  throw new Misread(`how many ${unit} a ${whole} has is not a question about dates; ask for days`)
}

function distance({ first, second }: Pair, unit: Unit, signs: ReadonlySet<Sign>): number {
  const [from, to] = first.until(second).sign < 0 ? [second, first] : [first, second]
  const { years, months, weeks, days } = from.until(to, { largestUnit: unit })
  if (unit === 'days') return days + (signs.has('inclusive') ? 1 : 0)
  const isWhole = days === 0 && (unit === 'weeks' || weeks === 0)
  if (isWhole && (unit !== 'years' || months === 0) && !signs.has('inclusive')) {
    return { weeks, months, years }[unit]
  }
  throw new Misread(`these dates are not a whole number of ${unit} apart; ask for days`)
}
