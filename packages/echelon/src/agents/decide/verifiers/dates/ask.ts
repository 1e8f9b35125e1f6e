import { match } from '../english/pattern.ts'
import { countOf } from './count.ts'
import type { Day } from './day.ts'
import { WEEKDAYS } from './names.ts'
import type { DatePiece } from './piece.ts'

type Pieces = readonly DatePiece[]

/** Every way to ask for a named day; `d` is the day. */
const ASKED: readonly string[] = [
  'which is|was|will|would|does|did|falls|fell|lies d:date be|fall|land|come|occur|happen? on?',
  'which is|was|will|would it be? d:date',
  'which it is|was|will? be? d:date',
  'which will|would be d:date',
  'which d:date is|was|falls|fell|will|would? be|fall? on?',
  'd:date ,|-|colon? is|was|falls|fell|lands|landed|will? be|fall? on? which',
  'd:date ,|-|colon|asked? which is|was|will that|it|this be?',
  'd:date ,|-|colon? the? kind',
  'when exactly? is|was|will|does|did d:date be|fall|land|come|occur? on?',
  'when d:date is|was|will? be?',
  'what? is|was|will? be? the? kind be? of|for|on|is|in? d:date be?',
  'what will|would the kind be d:date',
  'what is|was|will be? d:date',
  'd:date',
  "what? is|was|will? d:date 's|' kind be?",
]

/** Days relative to another. */
const BESIDE: readonly (readonly [pattern: string, side: string])[] = [
  ['which comes|is|was|falls right|just|immediately|directly? after d:date', 'after'],
  ['which comes|is|was|falls right|just|immediately|directly? before d:date', 'before'],
  ['which right|just|immediately|directly? follows|followed d:date', 'after'],
  ['which right|just|immediately|directly? precedes|preceded d:date', 'before'],
]

/** A feast whose year comes at the end. */
const IN_YEAR: readonly string[] = [
  'which is|was|will|does|did d:date be|fall|land on? in? y:span',
  'when is|was|will|does|did d:date be|fall|land? on? in? y:span',
  'which is|was|will|does|did d:date on? in? y:span',
]

/** Commands to count, with the question around them. */
const ORDERS: readonly (readonly [pattern: string, side: 'after' | 'before'])[] = [
  ['add n:length to|onto d:date', 'after'],
  ['subtract|deduct n:length from d:date', 'before'],
  ['take away? n:length away? from|off d:date', 'before'],
  ['go|count|move|step|jump back|backward|backwards n:length from d:date', 'before'],
  ['go|count|move|step|jump n:length back|backward|backwards from d:date', 'before'],
  ['start|starting on|from|at|with d:date ,? and? add n:length', 'after'],
  ['start|starting on|from|at|with d:date ,? and? subtract n:length', 'before'],
  ['start|starting on|from|at|with d:date ,? which is|was n:length later|afterwards', 'after'],
]
const FORWARD = 'go|count|move|step|jump forward|forwards|ahead|on d:date'

const RESULTS: readonly string[] = [
  'which is|was it|that',
  'which do|will|would i|you|we get|reach|have',
  'what is the kind',
  'what do|will|would i|you|we get',
]

const TODAY: readonly string[] = ['which is it', 'what? is? the? kind', 'which do we have']

/** The calendar's phrase for a question that stands alone; undefined unless all of it is read. */
export function askedPhrase(pieces: Pieces): string | undefined {
  return countOf(pieces) ?? named(pieces) ?? ordered(pieces)
}

function named(pieces: Pieces): string | undefined {
  if (TODAY.some((pattern) => match(pattern, pieces))) return isAsked(pieces) ? 'today' : undefined
  for (const pattern of ASKED) {
    const { d } = match(pattern, pieces) ?? {}
    if (d?.day !== undefined) return said(pieces, d.day)
  }
  for (const [pattern, side] of BESIDE) {
    const { d } = match(pattern, pieces) ?? {}
    if (d?.day !== undefined && isWhole(d.day)) return `1 day ${side} ${d.day.phrase}`
  }
  for (const pattern of IN_YEAR) {
    const { d, y } = match(pattern, pieces) ?? {}
    if (d?.day?.coming && y && /year|^\d{4}$/.test(y.phrase)) return `${d.phrase} ${y.phrase}`
  }
  return amongWeekdays(pieces)
}

/** "Date" alone asks for today's; "day" alone asks for nothing. */
function isAsked(pieces: Pieces): boolean {
  return pieces.length > 1 || pieces[0]?.phrase === 'date'
}

const PAST = new Set(['was', 'did', 'fell', 'landed'])

function said(pieces: Pieces, one: Day): string | undefined {
  // "What is Easter?" asks for more than its date.
  const isName = one.coming && !/ (?:after|before) /.test(one.phrase)
  const namesKind = pieces.some(({ kind }) => ['which', 'kind', 'when'].includes(kind))
  if ((isName || one.digits) && !namesKind) return undefined
  // A past tense contradicts the coming feast, so it is open which one is meant.
  if (one.coming && pieces.some(({ kind }) => PAST.has(kind))) return undefined
  const isLater = one.phrase.startsWith('this coming') && pieces.some(({ kind }) => PAST.has(kind))
  return isWhole(one) && !isLater ? one.phrase : undefined
}

const isWhole = ({ yearless }: Day): boolean => yearless === undefined

/** "Was 2000-01-01 a Saturday or a Sunday?" */
function amongWeekdays(pieces: Pieces): string | undefined {
  const found = match(
    'is|was|will|did|does d:date be|fall|land? on? a|an? v:weekday ,? or on? a|an? w:weekday',
    pieces,
  )
  const { d, v, w } = found ?? {}
  const differ = v && w && WEEKDAYS.get(v.phrase) !== WEEKDAYS.get(w.phrase)
  return d?.day && differ && isWhole(d.day) && !d.day.coming ? d.day.phrase : undefined
}

function ordered(pieces: Pieces): string | undefined {
  const order = withoutResult(pieces)
  for (const [pattern, side] of ORDERS) {
    const { d, n } = match(pattern, order) ?? {}
    const isClear = n?.months === 0 || d?.day?.iso !== undefined
    if (d?.day && n && isClear && isWhole(d.day)) return counted(n, side, d.day)
  }
  const { d } = match(FORWARD, order) ?? {}
  return d?.day && isWhole(d.day) && / after /.test(d.phrase) ? d.phrase : undefined
}

/** Months are added only if the resulting month has the day. */
function counted(
  { phrase, months = 0 }: DatePiece,
  side: 'after' | 'before',
  { phrase: base, iso }: Day,
): string | undefined {
  const dayOfMonth = Number(iso?.slice(-2))
  return months === 0 || dayOfMonth <= 28 ? `${phrase} ${side} ${base}` : undefined
}

/** The command without "what date do I get if I …" before it or "…, what date is it?" after it. */
function withoutResult(pieces: Pieces): Pieces {
  for (let at = 1; at < pieces.length; at++) {
    const { kind } = pieces[at] ?? { kind: '' }
    const [front, back] = [pieces.slice(0, at), pieces.slice(at + 1)]
    if (['if', 'when'].includes(kind) && isResult(front)) return withoutPerson(back)
    if ([',', 'and', 'stop', '-'].includes(kind) && isResult(back)) {
      return withoutPerson(front.at(-1)?.kind === ',' ? front.slice(0, -1) : front)
    }
  }
  return withoutPerson(pieces)
}

const isResult = (pieces: Pieces): boolean => RESULTS.some((pattern) => match(pattern, pieces))

function withoutPerson(pieces: Pieces): Pieces {
  const start = ['if', 'when'].includes(pieces[0]?.kind ?? '') ? 1 : 0
  const person = ['i', 'you', 'we'].includes(pieces[start]?.kind ?? '') ? 1 : 0
  return pieces.slice(start + person)
}
