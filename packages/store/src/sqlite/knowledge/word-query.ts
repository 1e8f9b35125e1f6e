import type { AnyWord } from '../../knowledge/asked-words.ts'

/** Words as an FTS5 query: each quoted, so that none is read as an operator. */
export const wordQuery = (words: AnyWord): string =>
  words.map(({ word, begins }) => (begins === true ? `"${word}" *` : `"${word}"`)).join(' OR ')
