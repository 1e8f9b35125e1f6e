const ONES = 'one two three four five six seven eight nine ten eleven twelve thirteen fourteen'
const TEENS = 'fifteen sixteen seventeen eighteen nineteen'
const SMALL: readonly string[] = `${ONES} ${TEENS}`.split(' ')
const TENS: readonly string[] = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
const UNITS = SMALL.slice(0, 9).join('|')
const NUMBER = `(?:${TENS.join('|')})(?:[- ](?:${UNITS}))?|${SMALL.join('|')}|(?:a|one) hundred`

/** A number of dollars, which no other word before or after it changes. */
const SUM = new RegExp(
  `(?<![\\p{L}\\p{N}-]|\\b(?:hundred|thousand|${TENS.join('|')}|${SMALL.join('|')}|and|half|quarter|couple|times|a few)[\\s-])(${NUMBER})(?=\\s+(?:dollars?|bucks?)\\b(?!\\s+(?:and\\s+)?(?:a half|\\p{N}|${TENS.join('|')}|${SMALL.join('|')}|cents?)(?![\\p{L}])))`,
  'giu',
)

/** "Ten dollars back": a sum that is said in words, in digits. */
export const sumsInDigits = (text: string): string =>
  text.replaceAll(SUM, (words) => String(valueOf(words.toLowerCase())))

function valueOf(words: string): number {
  if (words.endsWith('hundred')) return 100
  const small = SMALL.indexOf(words)
  if (small >= 0) return small + 1
  const [ten = '', unit = ''] = words.split(/[- ]/u)
  return (TENS.indexOf(ten) + 2) * 10 + SMALL.indexOf(unit) + 1
}
