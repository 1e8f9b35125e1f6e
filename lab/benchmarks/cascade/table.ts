/** A line of the benchmark's table: how one way to escalate does on one data set. */
export interface Line {
  /** The system that escalates: `echelon`, or a published baseline with its source. */
  readonly name: string
  /** The cell of each column; a column that is not named stays empty. */
  readonly cells: Readonly<Record<string, string>>
  /** A remark for the reader, such as `goal: APGR ≥ .70`. */
  readonly note?: string
}

/** The lines as text in columns: names and notes to the left, figures to the right. */
export function printLines(columns: readonly string[], lines: readonly Line[]): string {
  const rows = [
    ['', ...columns, ''],
    ...lines.map(({ name, cells, note = '' }) => [
      name,
      ...columns.map((column) => cells[column] ?? '-'),
      note,
    ]),
  ]
  const widths = rows.reduce<readonly number[]>(
    (widest, row) => row.map((cell, at) => Math.max(cell.length, widest[at] ?? 0)),
    [],
  )
  return rows
    .map((row) =>
      row
        .map((cell, at) => {
          const isLeft = at === 0 || at === row.length - 1
          return isLeft ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** A share as `.704`, with its standard error where there is one. */
export function printShare(share: number, error?: number): string {
  const digits = (value: number): string => value.toFixed(3).replace(/^(-?)0\./, '$1.')
  return error === undefined ? digits(share) : `${digits(share)} ± ${digits(error)}`
}

/** A share as `34.1 %`, with its standard error where there is one. */
export const printPercent = (share: number, error?: number): string =>
  error === undefined
    ? `${(100 * share).toFixed(1)} %`
    : `${(100 * share).toFixed(1)} ± ${(100 * error).toFixed(1)} %`
