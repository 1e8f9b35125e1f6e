/**
 * PostgreSQL's `text` cannot hold the character U+0000, and SQLite's can. It is stored as two others,
 * the first of which no text needs: U+FFFE is not a character.
 */
const MARK = '\u{fffe}'

export const toKept = (text: string): string =>
  text.includes('\0') || text.includes(MARK)
    ? text.replaceAll(MARK, `${MARK}1`).replaceAll('\0', `${MARK}0`)
    : text

export const fromKept = (text: string): string =>
  text.includes(MARK)
    ? text.replaceAll(/\u{fffe}([01])/gu, (_, kind) => (kind === '0' ? '\0' : MARK))
    : text
