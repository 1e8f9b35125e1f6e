/** A table row on one line: `name: Ada | born: 1815`. */
export const rowText = (header: readonly string[], cells: readonly string[]): string =>
  cells
    .map((cell, index) => [oneLine(header[index] ?? ''), oneLine(cell)] as const)
    .filter(([, cell]) => cell !== '')
    .map(([column, cell]) => (column === '' ? cell : `${column}: ${cell}`))
    .join(' | ')

const oneLine = (cell: string): string => cell.replaceAll(/\s+/g, ' ').trim()
