import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Temporal } from 'temporal-polyfill'
import { EchelonError } from '../../../packages/echelon/src/core/value/error.ts'
import { isRecord } from '../../../packages/echelon/src/core/value/json.ts'
import { readDate } from '../../../packages/tools/src/calendar/read/read-date.ts'
import { type Row, absent } from './row.ts'

/** A set of dates that people write, in a file of the data folder. */
interface DateSet {
  readonly name: string
  readonly file: string
  /** The day that counts as today where a row names none. */
  readonly today?: string
  /** Whether refusing a date with two readings of day and month is right (R25.4). */
  readonly mayRefuse: boolean
}

const SETS: readonly DateSet[] = [
  { name: 'dates: recognizers', file: 'dates_recognizers_en.jsonl', mayRefuse: true },
  {
    name: 'dates: duckling',
    file: 'dates_duckling_en.jsonl',
    today: '2013-02-12',
    mayRefuse: false,
  },
]

/** One phrase, its today, and the dates of which any is right. */
interface Case {
  readonly query: string
  readonly today: Temporal.PlainDate
  readonly readings: readonly string[]
  /** True if the set marks the phrase as the name of a holiday. */
  readonly holiday: boolean
}

/**
 * Measures the calendar on the English dates of Recognizers-Text and Duckling, as far as the folder
 * has them. Where a set marks the phrases that name a holiday, a second row leaves these out.
 * A row of a set counts if it means one day: it has a question, one result, of type date and of
 * grain day where these are named, and no start or end. It is right if the calendar gives one of
 * its readings, wrong if it gives another date or a number, and refused otherwise. For Recognizers,
 * refusing an ambiguous order of day and month is right.
 * @throws EchelonError INVALID_INPUT for a file that has no row of a known form
 */
export async function benchDates(folder: string): Promise<readonly Row[]> {
  return (await Promise.all(SETS.map((set) => benchSet(folder, set)))).flat()
}

async function benchSet(folder: string, set: DateSet): Promise<readonly Row[]> {
  const text = await readFile(join(folder, set.file), 'utf8').catch(() => undefined)
  if (text === undefined) return [absent(set.name)]
  const rows = parseLines(text)
  const cases = rows.flatMap((row) => toCase(row, set.today) ?? [])
  if (cases.length === 0) throw unreadable(set.file, rows)
  const plain = cases.filter(({ holiday }) => !holiday)
  const all = measure(set.name, rows.length, cases, set)
  return plain.length === cases.length || plain.length === 0
    ? [all]
    : [all, measure(`${set.name}, no holiday`, rows.length, plain, set)]
}

function measure(name: string, rows: number, cases: readonly Case[], set: DateSet): Row {
  const start = performance.now()
  const outcomes = cases.map((item) => outcome(item))
  const seconds = (performance.now() - start) / 1000
  const count = (...kinds: readonly Outcome[]): number =>
    outcomes.filter((kind) => kinds.includes(kind)).length
  const order = set.mayRefuse ? count('order') : 0
  return {
    set: name,
    rows,
    counted: cases.length,
    right: count('right') + order,
    wrong: count('wrong'),
    seconds,
    ...(order > 0 && { note: `right: ${order} refused with both orders of day and month` }),
  }
}

/** `order`: refused because day and month may be in either order. */
type Outcome = 'right' | 'wrong' | 'refused' | 'order'

function outcome({ query, today, readings }: Case): Outcome {
  const reading = readDate(query, today)
  if ('date' in reading) return readings.includes(reading.date.toString()) ? 'right' : 'wrong'
  if ('count' in reading) return 'wrong'
  return /; write the month as a word/u.test(reading.error) ? 'order' : 'refused'
}

/** JSON Lines, or one JSON array. */
function parseLines(text: string): readonly unknown[] {
  if (text.trimStart().startsWith('[')) {
    const parsed: unknown = JSON.parse(text)
    return Array.isArray(parsed) ? parsed : []
  }
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.map((line): unknown => JSON.parse(line))
}

/**
 * The names under which the two corpora, and what people make of them, keep things. The first of a
 * list that a row has is taken, regardless of its case.
 */
const QUERY = ['input', 'query', 'text', 'utterance', 'phrase', 'question']
const TODAY = [
  'referencedatetime',
  'reference',
  'ref',
  'referencetime',
  'reference_time',
  'now',
  'today',
  'context',
]
const EXPECTED = [
  'expected',
  'expect',
  'values',
  'value',
  'dates',
  'date',
  'readings',
  'resolution',
  'results',
  'answers',
  'answer',
  'gold',
]
const KIND = ['type', 'typename', 'grain']
const SPAN = ['start', 'end', 'from', 'to']

function toCase(row: unknown, defaultToday?: string): Case | undefined {
  const query = field(row, QUERY)
  const today = datesIn(field(row, TODAY))[0] ?? defaultToday
  const expected = field(row, EXPECTED) ?? without(row, TODAY)
  const readings = datesIn(expected)
  if (typeof query !== 'string' || today === undefined || readings.length === 0) return undefined
  const several = Array.isArray(expected) && expected.length > 1 && expected.every(isRecord)
  if (several || !isOneDay(row) || !isOneDay(expected)) return undefined
  const holiday = field(row, ['holiday']) !== undefined
  return { query, today: Temporal.PlainDate.from(today), readings, holiday }
}

/** Whether a value is one whole day: it holds no range, part of a day or longer span. */
function isOneDay(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isOneDay)
  if (!isRecord(value)) return true
  const kind = field(value, KIND)
  if (typeof kind === 'string' && !/^(datetimev2\.)?(date|day)$/i.test(kind)) return false
  const isSpan = SPAN.some((name) => typeof field(value, [name]) === 'string')
  return !isSpan && Object.values(value).every(isOneDay)
}

/** All ISO dates in a value, without what is written in another notation or for another purpose. */
function datesIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return /^\d{4}-\d\d-\d\d(?!\d)/.exec(value) ?? []
  if (Array.isArray(value)) return value.flatMap(datesIn)
  if (!isRecord(value)) return []
  return Object.entries(value).flatMap(([key, item]) =>
    /^(timex|text)/i.test(key) ? [] : datesIn(item),
  )
}

function field(row: unknown, names: readonly string[]): unknown {
  if (!isRecord(row)) return undefined
  const keys = new Map(Object.keys(row).map((key) => [key.toLowerCase(), key]))
  const key = names.map((name) => keys.get(name)).find((key) => key !== undefined)
  return key === undefined ? undefined : row[key]
}

function without(row: unknown, names: readonly string[]): unknown {
  if (!isRecord(row)) return undefined
  return Object.entries(row)
    .filter(([key]) => !names.includes(key.toLowerCase()))
    .map(([, value]) => value)
}

function unreadable(file: string, rows: readonly unknown[]): EchelonError {
  const keys = isRecord(rows[0]) ? Object.keys(rows[0]).join(', ') : 'none'
  return new EchelonError(
    'INVALID_INPUT',
    `no row of ${file} has a question, a today and an expected date under a known name; its keys are: ${keys}; add them to lab/benchmarks/tools/dates.ts`,
  )
}
