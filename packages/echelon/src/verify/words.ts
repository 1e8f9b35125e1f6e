/**
 * Words that say something about a subject, as roots: without case, endings and the most frequent words. A root is
 * the first letters of a word, which is crude, and needs no list of endings.
 */
export function rootsIn(text: string): readonly string[] {
  return partsOf(text).flatMap((word) =>
    FREQUENT.has(word) || word.length < 2 ? [] : [rootOf(word)],
  )
}

/** The words of a text, in lower case; `maxDepth` and `max_depth` are two each. */
export function partsOf(text: string): readonly string[] {
  const apart = text
    .slice(0, LONGEST_TEXT)
    .normalize('NFKC')
    .replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .toLowerCase()
  return apart.match(/\p{L}+|\p{N}+/gu) ?? []
}

const LONGEST_TEXT = 50_000
const ROOT = 5

export const rootOf = (word: string): string =>
  word.length > ROOT ? word.slice(0, ROOT) : word.replace(/(?<=\p{L}{3})s$/u, '')

/** The share of `words` that is among `others`; `none` without words. */
export const shareIn = (
  words: readonly string[],
  others: ReadonlySet<string>,
  none: number,
): number => {
  const distinct = [...new Set(words)]
  return distinct.length === 0
    ? none
    : distinct.filter((word) => others.has(word)).length / distinct.length
}

const FREQUENT: ReadonlySet<string> = new Set(
  `a about after all also am an and any are as at be been before between but by can could did do does for from get
  give given had has have he her here him his how i if in into is it its let like me more most my need no not of on
  one or our out over please she should so some such than that the their them then there these they this those to up
  us use using want was we were what when where which who why will with would you your`.split(
    /\s+/,
  ),
)
