import stringWidth from 'string-width'
import wrapAnsi from 'wrap-ansi'

/**
 * Breaks lines between words. A word that is longer than a line, such as an address, stays whole, so
 * that it can be copied.
 * @returns at least one line
 */
export const wrap = (text: string, columns: number): readonly string[] =>
  wrapAnsi(text, Math.max(1, columns), { hard: false }).split('\n')

/** Columns that a text takes on a terminal: styles take none, wide characters two. */
export const columnsOf = (text: string): number => stringWidth(text)

/** Fills a text with blanks to so many columns. */
export function pad(text: string, columns: number, align: 'left' | 'center' | 'right'): string {
  const room = Math.max(0, columns - columnsOf(text))
  const before = align === 'left' ? 0 : align === 'right' ? room : Math.floor(room / 2)
  return `${' '.repeat(before)}${text}${' '.repeat(room - before)}`
}

/** What a line begins with: blanks, and the cell of a list of two columns. */
const BEGINNING = /^(?<blanks> *)(?<cell>\S.*? {2,}(?=\S))?/

/**
 * Wraps plain lines. What follows keeps the indentation of its line; in a list of two columns it
 * stands under the second one, where that leaves it at least half of the room.
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
