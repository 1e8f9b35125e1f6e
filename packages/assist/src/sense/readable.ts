/** What is longer is read no further: no person writes that much in a turn, and no answer may. */
const MOST_CHARACTERS = 20_000

/** A text with plain signs in place of typeset ones, one blank for many, and no formatting characters. */
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

/** Its sentences, with their closing signs; lines end sentences. */
export const sentencesOf = (text: string): readonly string[] =>
  text
    .split(/(?<=[.!?…])\s+|\n+/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))

/** Pieces between commas and the like, each of which may say something of its own. */
export const clausesOf = (text: string): readonly string[] =>
  text
    .split(/[.,;:!?…\n]+\s*|\s+-+\s+|\s+but\s+/u)
    .map((clause) => clause.trim())
    .filter((clause) => /[\p{L}\p{N}]/u.test(clause))

export const wordsOf = (text: string): readonly string[] =>
  text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? []
