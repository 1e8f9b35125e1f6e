import type { Temporal } from 'temporal-polyfill'
import { date } from './date.ts'
import { formatDay } from './format-date.ts'
import { Misread } from './read/misread.ts'
import { type End, type Pair, coming, endOf, latest, paired, pairOf } from './read/pair.ts'
import { type Found, type Place, advance, named, peek, skip, skipAll, take } from './read/place.ts'
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
 * The number that a question for a number of days, weeks, months or years asks for, or nothing if
 * it asks for none: `How many days are left until Easter?`, `weeks between May 1 and June 12, 2026`.
 * Of the two ends one counts, unless the question says `inclusive`. Every word has to be known.
 * @throws Misread if two days are not clearly named, or if they are no whole number of units apart
 */
export function readCount(start: Place): number | undefined {
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

/** What is counted, and the words that say so: from one token to another, or in two places. */
interface Head {
  readonly unit: Unit
  readonly parts: readonly (readonly [from: number, to: Place])[]
}

function findHead(start: Place): Head | undefined {
  for (let place = start; peek(place); place = advance(place)) {
    const asked = take(place, ...ASKING)
    const short = place.index === 0 ? skip(place, 'the') : undefined
    const found = asked ? named(UNITS)(skip(asked, ...PLAIN)) : short && headless(short)
    if (found) return { unit: found.value, parts: [[place.index, found.rest]] }
    const long = take(place, 'how long')
    if (long) return divided(place, long)
  }
  return undefined
}

const ASKING = ['how many', 'the number of', 'number of', 'the difference in', 'count the']
const PLAIN = ['calendar', 'more', 'whole', 'full', 'total']

/** `How long is it until Christmas in days?` */
function divided(start: Place, long: Place): Head | undefined {
  for (let place = long; peek(place); place = advance(place)) {
    const into = take(place, 'in')
    const unit = into && peek(into)?.text !== 'day' ? named(UNITS)(into) : undefined
    if (unit)
      return {
        unit: unit.value,
        parts: [
          [start.index, long],
          [place.index, unit.rest],
        ],
      }
  }
  return undefined
}

/** `days until Christmas`, `weeks from May 1 to June 12`, without any word that asks. */
function headless(place: Place): Found<Unit> | undefined {
  const found = named(UNITS)(place)
  if (!found || peek(place)?.text === 'day') return undefined
  const rest = skipAll(skipAll(found.rest, FILLING), REMAINING)
  return take(rest, 'between', 'from', 'until', 'till', 'to', 'since', 'before') && found
}

/** What a question for a number says. */
interface Parts {
  readonly findings: Finding[]
  /** Words that tell how the findings are meant. */
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

function collect(start: Place, head: Head): Parts {
  const parts: Parts = { findings: [], signs: new Set(), unread: [] }
  const [[first] = [0]] = head.parts
  if (start.tokens[first - 1]?.text === 'in') parts.signs.add('ahead')
  for (let place = start; peek(place);) {
    const own = head.parts.find(([from]) => from === place.index)
    place = own?.[1] ?? finding(place, parts) ?? sign(place, parts) ?? word(place, parts)
  }
  return parts
}

function finding(place: Place, { findings }: Parts): Place | undefined {
  const pair = pairOf(date)(place) ?? beside(place) ?? reaching(place)
  if (pair) {
    findings.push({ type: 'pair', pair: pair.value })
    return pair.rest
  }
  const end = take(place, 'from now', 'from today') ? undefined : endOf(date)(place)
  const days = span(place)
  if (days && days.rest.index > (end?.rest.index ?? 0)) {
    findings.push({ type: 'span', span: days.value })
    return days.rest
  }
  if (end) findings.push({ type: 'end', end: end.value })
  return end?.rest
}

/** `after May 5 is June 7`. */
function beside(place: Place): Found<Pair> | undefined {
  const after = take(place, 'after')
  const start = after ?? take(place, 'before')
  const first = start && endOf(date)(start)
  const joint = first && take(first.rest, 'is', 'was', 'comes', 'will')
  const second = joint && endOf(date)(joint)
  if (!second) return undefined
  const [one, two] = after ? [first.value, second.value] : [second.value, first.value]
  return { value: forwards(paired(one, two, place.today)), rest: second.rest }
}

/** `until Christmas` from today; `since March 3` until today. */
function reaching(place: Place): Found<Pair> | undefined {
  const since = take(place, 'since')
  const start = since ?? take(place, 'until', 'till', 'til', 'up to', 'before', 'to')
  const end = start && endOf(date)(start)
  if (!end) return undefined
  return { value: (since ? sinceThen : untilThen)(end.value, place.today), rest: end.rest }
}

const untilThen = (end: End, today: Temporal.PlainDate): Pair =>
  forwards({ first: today, second: coming(end, today) })

const sinceThen = (end: End, today: Temporal.PlainDate): Pair =>
  forwards({ first: latest(end, today), second: today })

function forwards({ first, second }: Pair): Pair {
  if (first.until(second).sign >= 0) return { first, second }
  throw new Misread(`${formatDay(second)} is before ${formatDay(first)}; ${EXAMPLE}`)
}

function sign(place: Place, { signs }: Parts): Place | undefined {
  for (const [sign, phrases] of SIGNS) {
    const rest = take(place, ...phrases)
    if (!rest) continue
    signs.add(sign)
    return rest
  }
  return undefined
}

function word(place: Place, { unread }: Parts): Place {
  const token = peek(place)
  const isIdle = token?.type === 'mark' ? token.text !== '+' : FILLING.has(token?.text ?? '')
  if (token && !isIdle) unread.push(token)
  return advance(place)
}

/** Words that a question for a number is made of, and that change nothing about it. */
const FILLING: ReadonlySet<string> = new Set(
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
  if (!one || two) throw new Misread(`two days are needed, or one and today; ${EXAMPLE}`)
  if (one.type === 'pair' && only('left', 'inclusive')) return distance(one.pair, unit, signs)
  if (one.type === 'span' && only()) return size(one.span, unit)
  if (one.type === 'end' && signs.size === 1 && only('ago', 'ahead')) {
    return distance((signs.has('ago') ? sinceThen : untilThen)(one.end, today), unit, signs)
  }
  throw new Misread(`it is not clear from when or until when to count; ${EXAMPLE}`)
}

/** The days of a month or a year. */
function size({ unit: whole, first, last }: Span, unit: Unit): number {
  if (unit === 'days') return first.until(last).days + 1
  throw new Misread(`how many ${unit} a ${whole} has is no question of dates; ask for days`)
}

function distance({ first, second }: Pair, unit: Unit, signs: ReadonlySet<Sign>): number {
  const [from, to] = first.until(second).sign < 0 ? [second, first] : [first, second]
  const { years, months, weeks, days } = from.until(to, { largestUnit: unit })
  if (unit === 'days') return days + (signs.has('inclusive') ? 1 : 0)
  const isWhole = days === 0 && (unit === 'weeks' || weeks === 0)
  if (isWhole && (unit !== 'years' || months === 0) && !signs.has('inclusive')) {
    return { weeks, months, years }[unit]
  }
  throw new Misread(`these days are no whole number of ${unit} apart; ask for days`)
}
