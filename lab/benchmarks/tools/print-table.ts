import type { Row } from './row.ts'

const HEAD = ['data set', 'rows', 'count', 'right', 'share', 'seconds', 'note']

/** The rows as text in columns, the first and the last to the left. */
export function printTable(rows: readonly Row[]): string {
  const cells = [HEAD, ...rows.map(cellsOf)]
  const widths = HEAD.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
  const print = (row: readonly string[]): string =>
    row
      .map((cell, column) => {
        const left = column === 0 || column === HEAD.length - 1
        return left ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)
      })
      .join('  ')
      .trimEnd()
  return cells.map(print).join('\n')
}

function cellsOf({ set, rows, counted, right, seconds, note = '' }: Row): readonly string[] {
  const share = counted === 0 ? '-' : `${((100 * right) / counted).toFixed(2)} %`
  const figures = counted === 0 ? ['-', '-', '-'] : [String(rows), String(counted), String(right)]
  return [set, ...figures, share, counted === 0 ? '-' : seconds.toFixed(2), note]
}
