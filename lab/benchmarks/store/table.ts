import { columns, digits } from '../agent/table.ts'
import { STORE_BARS, type StoreMeasured } from './bars.ts'

const HEAD = ['figure', 'echelon', 'langgraph', 'bar', 'met', 'note']
const LEFT: ReadonlySet<string> = new Set(['figure', 'met', 'note'])

/** One line per figure. */
export const storeTable = (measured: readonly StoreMeasured[]): string =>
  columns([HEAD, ...measured.map(cells)], LEFT)

function cells({ bar, found, langgraph, note = '' }: StoreMeasured): readonly string[] {
  const { what, unit, most } = STORE_BARS[bar]
  const amount = (value: number | undefined): string =>
    value === undefined ? '' : `${digits(value)} ${unit}`
  const limit = most === undefined ? 'none' : `<= ${digits(most)} ${unit}`
  return [what, amount(found), amount(langgraph), limit, verdict(found, most), note]
}

function verdict(found: number, most: number | undefined): string {
  if (most === undefined) return ''
  return found <= most ? 'yes' : `no, ${digits(found / most)} x the bar`
}
