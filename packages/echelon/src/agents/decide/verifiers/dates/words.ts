/**
 * The words of a text in lower case, its numbers, numeric dates, ordinals in digits (`3rd`) and marks. A
 * possessive ending is a word of its own (`'s`). Contractions are written out.
 */
export function wordsOf(text: string): readonly string[] {
  const plain = text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/[–—−]/g, '-')
    .replaceAll(/\b(what|when|which|that|it|there|where)'s\b/g, '$1 is')
    .replaceAll(/\bwhats\b/g, 'what is')
    .replaceAll(/\bi'd\b/g, 'i would')
    .replaceAll(/\b(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|st|jr)\./g, (one) =>
      one.slice(0, -1),
    )
  return plain.match(PIECE) ?? []
}

const PIECE =
  /\d{4}([-/.])\d{1,2}\1\d{1,2}(?![-/.]?\d)|\d{1,2}([-/.])\d{1,2}\2\d{4}(?![-/.]?\d)|\d+(?:st|nd|rd|th)\b|\d{1,3}(?:,\d{3})+(?![,.]?\d)|\d+(?![.,]?\d)|\d[\d.,]*|[\p{L}]+|'s(?![\p{L}])|\S/gu

/** A reading position in a text. */
export interface Place {
  readonly words: readonly string[]
  readonly at: number
  /** The day of the case, as an ISO date. */
  readonly today: string
}

/** The word here, or `ahead` words further on; '' past the end. */
export function here({ words, at }: Place, ahead = 0): string {
  return words[at + ahead] ?? ''
}

/** The position `count` words further on. */
export function on(place: Place, count = 1): Place {
  return { ...place, at: place.at + count }
}

/** The position after these words, given as one string, if they come next. */
export function past(place: Place, words: string): Place | undefined {
  // Most phrases differ in the first word, and one question is compared with thousands of them.
  if (!words.startsWith(here(place))) return undefined
  const wanted = words.split(' ')
  return wanted.every((word, ahead) => here(place, ahead) === word)
    ? on(place, wanted.length)
    : undefined
}

/** The position after the first of these phrases that comes next. */
export function pastAny(place: Place, phrases: readonly string[]): Place | undefined {
  for (const phrase of phrases) {
    const next = past(place, phrase)
    if (next !== undefined) return next
  }
  return undefined
}

/** A result and the position after it. */
export type Found<Thing> = { readonly thing: Thing; readonly next: Place } | undefined
