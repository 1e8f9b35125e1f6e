import type { Row } from './row.ts'

const HEAD = ['data set', 'rows', 'count', 'right', 'wrong', 'refused', 'share', 'seconds', 'note']

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

function cellsOf(row: Row): readonly string[] {
  const { set, rows, counted, right, wrong, seconds, note = '' } = row
  const share = counted === 0 ? '-' : `${((100 * right) / counted).toFixed(2)} %`
  const missed = wrong === undefined ? ['-', '-'] : [wrong, counted - right - wrong]
  const figures = counted === 0 ? Array(5).fill('-') : [rows, counted, right, ...missed]
  return [set, ...figures.map(String), share, counted === 0 ? '-' : seconds.toFixed(2), note]
}
