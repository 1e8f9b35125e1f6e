import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { plainText, withoutAnnotations } from '../text/plain-text.ts'
import { keyOf } from '../text/rational.ts'
import { tokensOf } from '../text/token.ts'
import { calculationsIn } from './calculations.ts'

/** How each calculation is found, with its stated result: `right 36`. */
const found = (text: string): readonly string[] =>
  calculationsIn(tokensOf(withoutAnnotations(plainText(text)).text)).map(
    ({ found, stated }) => `${found} ${keyOf(stated).replace(/\/1$/, '')}`,
  )

const check = (rows: readonly (readonly [string, ...string[]])[]): void => {
  for (const [text, ...expected] of rows) assert.deepEqual(found(text), expected, text)
}

suite('recomputing written calculations', () => {
  test('reads signs, money, units, parentheses and percentages', () => {
    check([
      ['3 × 12 = 36', 'right 36'],
      ['40*.25=10', 'right 10'],
      ['$5 * 3 = $15', 'right 15'],
      ['3 boxes * 4 pens/box = 12 pens', 'right 12'],
      ['5 (green) + 10 (blue) = 15 birds', 'right 15'],
      ['$1.50 (2 sauces) + $3.00 (1 upgrade) = $4.50', 'right 9/2'],
      ['2 * (3 + 4) = 14 and 2(3+4) = 14', 'right 14', 'right 14'],
      ['50 * 20% = 10', 'right 10'],
      ['20% of 50 is 10', 'right 10'],
      ['half of the 40 apples is 20', 'right 20'],
      ['half of her age was 26 / 2 = 13', 'right 13'],
      ['3/4 of 120 = 90', 'right 90'],
      ['3 times 4 equals 12', 'right 12'],
      ['100 divided by 8 is 12.5', 'right 25/2'],
      ['2^5 = 32, 2**5 = 32', 'right 32', 'right 32'],
      ['4 cups / 1/6 cup = 24', 'right 24'],
      ['$480 - $520 = -$40', 'right -40'],
      ['1,250 + 750 = 2,000', 'right 2000'],
      ['9 * $2 = $<<9*2=18>>18', 'right 18'],
    ])
  })

  test('reads LaTeX, Markdown and lists', () => {
    check([
      [String.raw`\(\frac{3}{4} \times 20 = 15\)`, 'right 15'],
      [String.raw`\[ 12 \cdot 3 = 36 \text{ eggs} \]`, 'right 36'],
      [String.raw`16 \* 3 = \$48`, 'right 48'],
      ['**5** + 3 = **8**', 'right 8'],
      ['- 5 + 3 = 8\n- 4 + 3 = 7', 'right 8', 'right 7'],
      ['1. 5 + 3 = 8', 'right 8'],
      ['-5 + 3 = -2', 'right -2'],
      ['5 + 3\n= 8', 'right 8'],
    ])
  })

  test('finds what is wrong', () => {
    check([
      ['7 * 8 = 54', 'wrong 54'],
      ['12 + 9 = 22 eggs', 'wrong 22'],
      ['20% of 50 is 15', 'wrong 15'],
      ['10 / 3 = 3.4', 'wrong 17/5'],
      ['5 / 0 = 5', 'wrong 5'],
      ['6 * 7 = 42 = 40 + 3', 'right 42'],
      ['6 * 7 = 40 + 3 = 43', 'wrong 43', 'right 43'],
    ])
  })

  test('allows a rounding to the digits that are written, also of an earlier result', () => {
    check([
      ['10/3 = 3.33', 'rounded 333/100'],
      ['2/3 = 0.66', 'rounded 33/50'],
      ['100 / 8 = 13 buses', 'rounded 13'],
      ['10/3 = 3.33. Then 3.33*3 = 10.', 'rounded 333/100', 'rounded 10'],
      ['10/4 = 5', 'wrong 5'],
    ])
  })

  test('tells a loose reading from a wrong step', () => {
    check([
      ['5 + 3 = 8 * 2 = 16', 'loose 8', 'right 16'],
      ['100 + 20% = 120', 'loose 120'],
      ['50 * 20 = 10', 'loose 10'],
      ['3 * 20 minutes = 1 hour', 'loose 1'],
      ['5 / 20 * 100 = 25%', 'loose 1/4'],
    ])
  })

  test('ignores text that is not a calculation with numbers', () => {
    for (const text of [
      '2x + 4y = 70',
      'price - 5 = 10',
      '20 - x = 15',
      'x = 5',
      '1 hour = 60 minutes',
      '10-15 minutes',
      'a 2 x 4 piece of wood',
      'is 5 > 3 - 1?',
      '3 * 4 = 13 - the rest',
    ]) {
      assert.deepEqual(found(text), [], text)
    }
  })

  test('takes time that grows linearly with the text, whatever it is', () => {
    const hostile = [
      '1+',
      '(1+',
      '(',
      '1=',
      '9*9*',
      '1/3-',
      '5 (a) ',
      'half of ',
      '1.',
      '1,',
      '%',
      '<<1',
    ]
    for (const piece of hostile) {
      const text = piece.repeat(200_000 / piece.length)
      // Processor time, which other processes do not add to.
      const before = process.threadCpuUsage()
      found(text)
      const { user, system } = process.threadCpuUsage(before)
      assert.ok(user + system < 1_000_000, piece)
    }
  })
})
