/**
 * English words for numbers. Two readers have their own tables on purpose: the offline models, which
 * must confirm the verifiers' reading independently (`agents/decide/verification/second-reader.ts`), and
 * the calendar tool, which computes what both have written. A mistake here must not affect them.
 */

const BELOW_TWENTY =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')

/** `zero` to `nineteen` and `twenty` to `ninety`. */
export const CARDINALS: ReadonlyMap<string, number> = new Map([
  ...BELOW_TWENTY.map((word, value) => [word, value] as const),
  ...TENS.map((word, at) => [word, 20 + 10 * at] as const),
])

/** `first` to `twentieth`, and `thirtieth`. */
export const ORDINALS: ReadonlyMap<string, number> = new Map([
  ...'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth'
    .split(' ')
    .map((word, at) => [word, at + 1] as const),
  ['thirtieth', 30],
])

/** Words that multiply the number before them. */
export const SCALES: ReadonlyMap<string, number> = new Map([
  ['dozen', 12],
  ['hundred', 100],
  ['thousand', 1000],
  ['million', 1e6],
])
