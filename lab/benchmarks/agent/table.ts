import { type Bar, BARS, type BarName, isMet, type Measured } from './bars.ts'

const HEAD = ['figure', 'echelon', 'ai', 'bare loop', 'to ai', 'bar', 'met', 'note']
/** Columns with text. */
const LEFT: ReadonlySet<string> = new Set(['figure', 'met', 'note'])

/** One line per bar, measured or not, in order. */
export function printTable(names: readonly BarName[], measured: readonly Measured[]): string {
  const rows = names.map((name) => {
    return cellsOf(
      BARS[name],
      measured.find(({ bar }) => bar === name),
    )
  })
  return columns([HEAD, ...rows], LEFT)
}

function cellsOf(bar: Bar, found: Measured | undefined): readonly string[] {
  if (found === undefined) return [bar.what, '-', '', '', '', barOf(bar), 'not measured', '']
  const { echelon, ai, bare, toAi, note = '' } = found
  const ratio = toAi === undefined ? '' : digits(toAi)
  return [
    bar.what,
    amount(echelon, bar.unit),
    amount(ai, bar.unit),
    amount(bare, bar.unit),
    ratio,
    barOf(bar),
    metOf(bar, found),
    note,
  ]
}

function barOf({ most, of, unit }: Bar): string {
  if (most === undefined) return 'none'
  return of === undefined ? `<= ${amount(most, unit)}` : `<= ${most} x ai`
}

function metOf(bar: Bar, found: Measured): string {
  const met = isMet(bar, found)
  if (met === undefined) return ''
  if (met) return 'yes'
  const times = (bar.of === 'ai' ? (found.toAi ?? NaN) : found.echelon) / (bar.most ?? NaN)
  return Number.isFinite(times) ? `no, ${digits(times)} x the bar` : 'no'
}

const amount = (value: number | undefined, unit: Bar['unit']): string => {
  if (value === undefined) return ''
  return unit === 'modules' ? String(value) : `${digits(value)} ${SHORT[unit]}`
}

const SHORT: Readonly<Record<Bar['unit'], string>> = {
  µs: 'µs',
  ns: 'ns',
  ms: 'ms',
  B: 'B ',
  MB: 'MB',
  times: 'x ',
  modules: '',
}

/** Rounds to three significant digits. */
export function digits(value: number): string {
  const size = Math.abs(value)
  if (size >= 100) return Math.round(value).toLocaleString('en')
  return value.toFixed(size >= 10 ? 1 : size >= 0.1 ? 2 : 4)
}

/** A table with a header; columns in `left` are left-aligned. */
export function columns(rows: readonly (readonly string[])[], left: ReadonlySet<string>): string {
  const [head = []] = rows
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const pad = (cell: string, column: number): string =>
    left.has(head[column] ?? '')
      ? cell.padEnd(widths[column] ?? 0)
      : cell.padStart(widths[column] ?? 0)
  return rows.map((row) => row.map(pad).join('  ').trimEnd()).join('\n')
}
