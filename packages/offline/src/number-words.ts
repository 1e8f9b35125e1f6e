/**
 * English words for numbers. The verifiers have their own table
 * (`packages/echelon/src/core/value/number-words.ts`): these models also confirm the verifiers'
 * readings, and two readers that share a table would share its mistakes.
 */

export const SMALL: readonly string[] = (
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen ' +
  'fifteen sixteen seventeen eighteen nineteen'
).split(' ')

export const TENS: readonly string[] =
  'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
