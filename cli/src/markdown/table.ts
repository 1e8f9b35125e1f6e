import type { Tokens } from 'marked'
import pc from 'picocolors'
import { inline } from './inline.ts'
import { columnsOf, pad, wrap } from './wrap.ts'

const GAP = '  '

/** Tables with longer cells are shown as lists. */
const MOST_LINES = 5

/** A table in columns with wrapped cells if it fits; otherwise each row as a list. */
export function tableLines({ header, rows, align }: Tokens.Table, columns: number): string[] {
  const head = header.map(cellOf)
  const body = rows.map((row) => row.map(cellOf))
  const room = columns - GAP.length * Math.max(0, head.length - 1)
  const widths = widthsOf([head, ...body], room)
  const isReadable = widths !== undefined && [head, ...body].every((row) => isLow(row, widths))
  if (!isReadable) return body.flatMap((row) => rowAsList(head, row, columns))
  const line = (cells: readonly string[], paint: (text: string) => string): string[] => {
    const wrapped = cells.map((cell, at) => wrap(cell, widths[at] ?? 1))
    const height = Math.max(...wrapped.map(({ length }) => length))
    return Array.from({ length: height }, (_, n) =>
      wrapped
        .map((parts, at) => paint(pad(parts[n] ?? '', widths[at] ?? 1, align[at] ?? 'left')))
        .join(GAP)
        .trimEnd(),
    )
  }
  const rule = widths.map((width) => pc.dim('─'.repeat(width))).join(GAP)
  return [...line(head, pc.bold), rule, ...body.flatMap((row) => line(row, String))]
}

const isLow = (row: readonly string[], widths: readonly number[]): boolean =>
  row.every((cell, at) => wrap(cell, widths[at] ?? 1).length <= MOST_LINES)

const cellOf = ({ text }: Tokens.TableCell): string => inline(text).trim()

/**
 * Width of each column, at least that of its longest word.
 * @returns undefined if the columns do not fit
 */
function widthsOf(cells: readonly (readonly string[])[], room: number): number[] | undefined {
  const count = cells[0]?.length ?? 0
  const least: number[] = []
  const most: number[] = []
  for (let at = 0; at < count; at++) {
    const column = cells.map((row) => row[at] ?? '')
    least.push(Math.max(1, ...column.flatMap((cell) => cell.split(/\s+/).map(columnsOf))))
    most.push(Math.max(1, ...column.flatMap((cell) => cell.split('\n').map(columnsOf))))
  }
  const sum = (widths: readonly number[]): number => widths.reduce((all, one) => all + one, 0)
  if (sum(most) <= room) return most
  if (sum(least) > room) return undefined
  const wanted = sum(most) - sum(least)
  const spare = room - sum(least)
  return least.map(
    (width, at) => width + Math.floor((spare * ((most[at] ?? width) - width)) / wanted),
  )
}

/** A row of a table that is too wide: one line per cell, after the column name. */
function rowAsList(head: readonly string[], row: readonly string[], columns: number): string[] {
  const filled = row.flatMap((cell, at) => (cell === '' ? [] : [{ cell, name: head[at] ?? '' }]))
  return filled.flatMap(({ cell, name }, at) => {
    const named = name === '' ? cell : `${pc.bold(name)}: ${cell}`
    const [first = '', ...more] = wrap(named, columns - 2)
    return [`${at === 0 ? '• ' : '  '}${first}`, ...more.map((line) => `  ${line}`)]
  })
}
