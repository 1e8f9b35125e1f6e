import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { evaluate } from 'mathjs'
import { readArithmetic } from './read-arithmetic.ts'
import { tokenise } from '../english/token.ts'

interface Sample {
  readonly text: string
  readonly value: number
}

function read(text: string): string | undefined {
  return readArithmetic(tokenise(text))?.text
}

function valueOf(text: string): number {
  const expression = read(text)
  assert.notEqual(expression, undefined, text)
  return Number(evaluate(expression ?? ''))
}

const OPERATORS = [
  { wordings: ['+', 'plus'], apply: (a: number, b: number) => a + b },
  { wordings: ['-', 'minus', '−'], apply: (a: number, b: number) => a - b },
  { wordings: ['*', 'times', '×', 'multiplied by', 'x'], apply: (a: number, b: number) => a * b },
  { wordings: ['/', '÷', 'divided by'], apply: (a: number, b: number) => a / b },
] as const

const leaf = fc
  .integer({ min: 1, max: 99_999 })
  .chain((n) =>
    fc
      .constantFrom(String(n), n.toLocaleString('en-US'), inWords(n))
      .map((text): Sample => ({ text, value: n })),
  )

/** Any nesting, every operation in parentheses, in symbols and words mixed. */
const { nested } = fc.letrec<{ nested: Sample }>((tie) => ({
  nested: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc
      .tuple(tie('nested'), fc.constantFrom(...OPERATORS), fc.nat(), tie('nested'))
      .map(([a, { wordings, apply }, pick, b]): Sample => {
        const operator = wordings[pick % wordings.length] ?? wordings[0]
        return { text: `(${a.text} ${operator} ${b.text})`, value: apply(a.value, b.value) }
      }),
  ),
}))

const opening = fc.constantFrom('What is ', 'Calculate ', 'Please compute ', 'How much is ', '')

test('[DD-8] arithmetic in any wording reads back to its value', () => {
  fc.assert(
    fc.property(
      opening,
      nested,
      fc.constantFrom('?', '.', ' ?', ''),
      (start, { text, value }, end) => {
        fc.pre(Number.isFinite(value))
        const own = valueOf(`${start}${text}${end}`)
        assert.ok(Math.abs(own - value) <= 1e-9 * Math.max(1, Math.abs(value)))
      },
    ),
    { numRuns: 500 },
  )
})

test('[DD-8] a hyphen between blanks subtracts, also between number words', () => {
  assert.equal(valueOf('What is fifty - three?'), 47)
  assert.equal(valueOf('What is fifty-three?'), 53)
  assert.equal(valueOf('What is fifty-three - three?'), 50)
})

test('[DD-8] a hyphen within a fraction joins it and does not subtract', () => {
  assert.equal(valueOf('two-thirds of 48'), 32)
  assert.equal(valueOf('one-third of 48'), 16)
  assert.equal(valueOf('8 -third of 48'), -8)
})

test('[DD-8] courtesies are ignored, and an exclamation mark after a number may be a factorial', () => {
  assert.equal(valueOf('Hi, could you give me 7 * 6 for me, please?'), 42)
  assert.equal(valueOf('Forty plus two is?'), 42)
  assert.equal(read('4!'), undefined)
  assert.equal(read('2 + 3!'), undefined)
})

test("[DD-8] a chain without parentheses has the calculator's value", () => {
  const chain = fc.tuple(
    leaf,
    fc.array(fc.tuple(fc.constantFrom(...OPERATORS), leaf), { minLength: 1, maxLength: 5 }),
  )
  fc.assert(
    fc.property(chain, ([first, others]) => {
      const symbols = [
        first.value,
        ...others.flatMap(([{ wordings }, { value }]) => [wordings[0], value]),
      ]
      const symbolsOnly = symbols.join(' ')
      assert.equal(valueOf(`What is ${symbolsOnly}?`), Number(evaluate(symbolsOnly)))
      // Sums and products in words within one chain are ambiguous.
      const kinds = new Set(others.map(([{ wordings }]) => ('+-'.includes(wordings[0]) ? 1 : 2)))
      const divides = others.some(([{ wordings }]) => wordings[0] === '/')
      if (kinds.size > 1 || (divides && others.length > 1)) return
      const words = [
        first.text,
        ...others.flatMap(([{ wordings }, { text }]) => [wordings.at(-1), text]),
      ]
      assert.equal(valueOf(`What is ${words.join(' ')}?`), Number(evaluate(symbols.join(' '))))
    }),
  )
})

test('[DD-8] numbers in words are the numbers', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 9_999_999 }), (n) =>
      assert.equal(valueOf(`${inWords(n)} plus 0`), n),
    ),
  )
})

test('operations in words', () => {
  const expected: readonly (readonly [string, number])[] = [
    ['What is a third of 96?', 32],
    ['What is 8 less than twice 30?', 52],
    ['the sum of 3 and 4, times 5', 35],
    ['Divide 144 by 12 and subtract 5.', 7],
    ['Add 3 and 4, then multiply by 5, then divide by 7', 5],
    ['What is 2 to the power of 3?', 8],
    ['2^3^2', 512],
    ['What is a 15% tip on a $60 bill?', 9],
    ['What is two and a half times 4?', 10],
  ]
  for (const [text, value] of expected) assert.equal(valueOf(text), value, text)
})

test('[DD-8] ambiguous speech has no reading', () => {
  for (const text of [
    'What is half of 90 plus 10?',
    'What is the square root of 16 plus 9?',
    'What is 6/2(1+2)?',
    'What is 100 plus 10%?',
    'What is -3^2?',
    'What is 1,25 + 3?',
    'What is the difference between 5 and 8?',
    'What is 2 + 2, and why?',
    'the sum of 3 and 4 times 5',
    '5 +',
    '',
  ]) {
    assert.equal(read(text), undefined, text)
  }
})

const ONES =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const TENS = '- - twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')

function inWords(n: number): string {
  if (n < 20) return ONES[n] ?? ''
  if (n < 100) return `${TENS[Math.floor(n / 10)]}${n % 10 === 0 ? '' : `-${inWords(n % 10)}`}`
  for (const [size, name] of [
    [1e6, 'million'],
    [1000, 'thousand'],
    [100, 'hundred'],
  ] as const) {
    if (n < size) continue
    const tail = n % size === 0 ? '' : `${n % size < 100 ? ' and' : ''} ${inWords(n % size)}`
    return `${inWords(Math.floor(n / size))} ${name}${tail}`
  }
  return ''
}
