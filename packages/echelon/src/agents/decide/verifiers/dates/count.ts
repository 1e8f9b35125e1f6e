import { match } from '../english/pattern.ts'
import { isoDate, partsOf } from './civil.ts'
import type { Day } from './day.ts'
import type { DatePiece } from './piece.ts'

type Pieces = readonly DatePiece[]

/** Ways to ask for a number of days or weeks; filler words are already removed. */
const FROM_TO: readonly string[] = [
  'u:unit between d:date and e:date',
  'u:unit from d:date to|until|till e:date',
  'u:unit after|from d:date e:date',
  'u:unit before e:date d:date',
  'u:unit separate d:date and e:date',
  'from d:date to|until|till e:date ,? u:unit',
  'between d:date and e:date ,? u:unit',
]
const UNTIL: readonly string[] = [
  'u:unit until|till|til|to|before d:date',
  'u:unit away|off d:date',
  'in u:unit d:date',
  'd:date u:unit away|off',
]
const SINCE: readonly string[] = ['u:unit since d:date', 'u:unit ago d:date', 'd:date u:unit ago']
const WITHIN: readonly string[] = ['u:unit in s:span', 'u:unit s:span']

/** Words between the counted unit and the days. */
const FILLING = new Set(
  'are is was were will be been there it that do does did i we you have has pass passed passes elapsed gone by left remaining remain still exactly lie separating in_total'.split(
    ' ',
  ),
)
/** The remaining days of a year are not all its days. */
const PARTIAL = new Set('left remaining remain still passed elapsed gone'.split(' '))
/** Openings: everything up to the unit. */
const HEADS: readonly string[] = [
  'how many',
  'how many more',
  'what is the number of',
  'the number of',
  'number of',
  'count the',
  'in how many',
  '',
]

/** The calendar's phrase for a question about a number of days or weeks. */
export function countOf(pieces: Pieces): string | undefined {
  const counted = inOrder(pieces)
  if (counted === undefined) return undefined
  for (const pattern of FROM_TO) {
    const { u, d, e } = match(pattern, counted) ?? {}
    if (u && d?.day && e?.day) return fromTo(u.phrase, d.day, e.day)
  }
  for (const pattern of UNTIL) {
    const { u, d } = match(pattern, counted) ?? {}
    if (u && d?.day && !d.day.yearless) return `${u.phrase} until ${d.phrase}`
  }
  for (const pattern of SINCE) {
    const { u, d } = match(pattern, counted) ?? {}
    if (u && d?.day && !d.day.yearless && !d.day.coming) return `${u.phrase} since ${d.phrase}`
  }
  if (pieces.some(({ kind }) => PARTIAL.has(kind))) return undefined
  for (const pattern of WITHIN) {
    const { u, s } = match(pattern, counted) ?? {}
    if (u?.phrase === 'days' && s) return `number of days in ${s.phrase}`
  }
  return undefined
}

/** Removes the words "how many", and turns "how long … in days" into a number of days. */
function inOrder(pieces: Pieces): Pieces | undefined {
  const kinds = pieces.map(({ kind }) => kind)
  if (kinds[0] === 'how' && kinds[1] === 'long') {
    const unit = pieces.at(-1)
    const ends = unit?.kind === 'unit' && kinds.at(-2) === 'in'
    return ends ? [unit, ...filled(pieces.slice(2, kinds.at(-3) === ',' ? -3 : -2))] : undefined
  }
  const at = kinds.indexOf('unit')
  if (at < 0) return undefined
  const isHead = (words: readonly string[]): boolean => HEADS.includes(words.join(' '))
  const front = kinds.slice(0, at)
  if (isHead(front)) {
    const inFront = front[0] === 'in' ? pieces.slice(0, 1) : []
    return [...inFront, ...filled(pieces.slice(at))]
  }
  const many = kinds.lastIndexOf('how', at)
  const asks = kinds[many + 1] === 'many' && isHead(kinds.slice(many, at))
  return many > 0 && asks ? filled([...pieces.slice(0, many), ...pieces.slice(at)]) : undefined
}

const filled = (pieces: Pieces): Pieces => pieces.filter(({ kind }) => !FILLING.has(kind))

function fromTo(unit: string, first: Day, second: Day): string | undefined {
  const [from, to] = [inYearOf(first, second), second.yearless ? undefined : second.phrase]
  if (from === undefined || to === undefined || first.coming || second.coming) return undefined
  return `${unit} from ${from} to ${to}`
}

/** "Between March 3 and April 4, 2025": both are of that year. */
function inYearOf({ phrase, yearless }: Day, { iso }: Day): string | undefined {
  if (yearless === undefined) return phrase
  if (iso === undefined) return undefined
  const from = isoDate(partsOf(iso)[0], yearless.month, yearless.day)
  return from !== undefined && from <= iso ? from : undefined
}
