/** Longer texts are cut: people do not write that much in a turn, and answers may not. */
const MOST_CHARACTERS = 20_000

/** Normalizes a text: plain characters for typeset ones, single blanks, no formatting characters. */
export const readable = (text: string): string =>
  text
    .slice(0, MOST_CHARACTERS)
    .normalize('NFKC')
    .replace(/[\u2018\u2019\u02bc`]/g, "'")
    .replace(/[\u201c\u201d]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{C}\n\t]/gu, '')
    .replace(/[^\S\n]+/g, ' ')
    .trim()

/** The sentences, with their closing marks; a line break ends a sentence. */
export const sentencesOf = (text: string): readonly string[] =>
  text
    .split(/(?<=[.!?…])\s+|\n+/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))

/** The pieces between commas and the like, each of which may be a statement of its own. */
export const clausesOf = (text: string): readonly string[] =>
  text
    .split(/[.,;:!?…\n]+\s*|\s+-+\s+|\s+but\s+/u)
    .map((clause) => clause.trim())
    .filter((clause) => /[\p{L}\p{N}]/u.test(clause))

export const wordsOf = (text: string): readonly string[] =>
  text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? []
