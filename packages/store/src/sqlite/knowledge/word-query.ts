/** Longer texts are cut to their first words. */
const MOST_WORDS = 64

/**
 * The words of a text as an FTS5 query: any of them, each quoted, so that none is read as an
 * operator. Words that nearly every English text holds are left out if others remain: they rank
 * nothing, and looking them up takes longer than all the rest.
 * @returns undefined for a text without words
 */
export function wordQuery(text: string): string | undefined {
  const words = new Set(
    (text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).map((word) => word.toLowerCase()),
  )
  const telling = [...words].filter((word) => !COMMON.has(word))
  const asked = (telling.length > 0 ? telling : [...words]).slice(0, MOST_WORDS)
  return asked.length === 0 ? undefined : asked.map((word) => `"${word}"`).join(' OR ')
}

const COMMON: ReadonlySet<string> = new Set(
  (
    'a an and are as at be but by can could do does did for from had has have how i if in into is it ' +
    'its me my no not of on or our should so such than that the their them then there these they ' +
    'this to too was we were what when where which who why will with would you your'
  ).split(' '),
)
