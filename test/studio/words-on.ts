/** Words of times and durations, and the names of months. */
const OF_TIME =
  /^(just|now|ago|sec\.?|min\.?|hr\.?|ms|s|yesterday|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)$/

/** The words of a page, each once, in their order. Numbers, ids and times are left out: they differ each time. */
export function wordsOn(text: string): string {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .map((word) => word.replaceAll(/^[^\p{L}\d]+|[^\p{L}\d.]+$/gu, ''))
    .filter((word) => /^[^\d]*\p{L}[^\d]*$/u.test(word) && !OF_TIME.test(word))
  return [...new Set(words)].toSorted().join(' ')
}
