import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { type Token, tokenize } from './token.ts'

const SMALL =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')

/** 1 to 9999 in words. */
function spell(value: number, and: string): string {
  if (value >= 1000) return joined(`${spell(Math.floor(value / 1000), and)} thousand`, value % 1000)
  if (value >= 100) return joined(`${spell(Math.floor(value / 100), and)} hundred`, value % 100)
  if (value < 20) return SMALL[value] ?? ''
  const unit = value % 10
  return `${TENS[Math.floor(value / 10) - 2]}${unit === 0 ? '' : `-${SMALL[unit]}`}`

  function joined(head: string, rest: number): string {
    return rest === 0 ? head : `${head} ${and}${spell(rest, and)}`
  }
}

const values = (text: string): readonly (number | string)[] =>
  tokenize(text).map((token: Token) => ('value' in token ? token.value : token.text))

test('numbers in words become numbers', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9999 }), fc.constantFrom('', 'and '), (value, and) => {
      deepEqual(values(`${spell(value, and)} days`), [value, 'days'])
    }),
  )
})

const ROWS: readonly (readonly [string, readonly (number | string)[]])[] = [
  ['the twenty-second of June', ['the', 22, 'of', 'june']],
  ['twenty twenty five', [20, 25]],
  ['nineteen hundred', [1900]],
  ['a hundred and one days', [101, 'days']],
  ['a day and a hundred', ['a', 'day', 'and', 100]],
  ['hundredth day', [100, 'day']],
  ['one second', [1, 2]],
  ['and', ['and']],
]

for (const [text, expected] of ROWS) test(text, () => deepEqual(values(text), expected))
