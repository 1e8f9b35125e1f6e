import stringWidth from 'string-width'
import wrapAnsi from 'wrap-ansi'

/**
 * Breaks lines between words. A word longer than a line, such as a URL, stays whole, so that it can be
 * copied.
 * @returns at least one line
 */
export const wrap = (text: string, columns: number): readonly string[] =>
  wrapAnsi(text, Math.max(1, columns), { hard: false }).split('\n')

/** Columns of a text on a terminal: styles take none, wide characters take two. */
export const columnsOf = (text: string): number => stringWidth(text)

/** Pads a text with spaces to a number of columns. */
export function pad(text: string, columns: number, align: 'left' | 'center' | 'right'): string {
  const room = Math.max(0, columns - columnsOf(text))
  const before = align === 'left' ? 0 : align === 'right' ? room : Math.floor(room / 2)
  return `${' '.repeat(before)}${text}${' '.repeat(room - before)}`
}

/** Indentation of a line, and the first cell of a two-column list. */
const BEGINNING = /^(?<blanks> *)(?<cell>\S.*? {2,}(?=\S))?/

/**
 * Wraps plain lines. Continuation lines keep the indentation; in a two-column list they align with the
 * second column, if that leaves at least half of the width.
 */
export function wrapLines(text: string, columns: number): string {
  return text
    .split('\n')
    .flatMap((line) => (columnsOf(line) <= columns ? [line] : wrapLine(line, columns)))
    .join('\n')
}

function wrapLine(line: string, columns: number): readonly string[] {
  const { blanks = '', cell = '' } = BEGINNING.exec(line)?.groups ?? {}
  const hasRoom = cell !== '' && columnsOf(blanks + cell) <= columns / 2
  const first = hasRoom ? blanks + cell : blanks
  const rest = wrap(line.slice(first.length), columns - columnsOf(first))
  const indent = ' '.repeat(columnsOf(first))
  return rest.map((part, at) => (at === 0 ? first : indent) + part)
}
