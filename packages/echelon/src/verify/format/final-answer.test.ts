import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Wanted } from '../answer.ts'
import { keyOf } from '../text/rational.ts'
import { finalAnswer, type FinalAnswer, sameAnswer } from './final-answer.ts'

const inWords = (answer: FinalAnswer | undefined): string => {
  if (answer === undefined) return 'none'
  const mark = answer.isMarked ? ' marked' : ''
  switch (answer.kind) {
    case 'number':
      return keyOf(answer.value).replace(/\/1$/, '') + (answer.isPercent ? '%' : '') + mark
    case 'date':
      return answer.date + mark
    case 'choice':
      return answer.choice + mark
    case 'yes-no':
      return (answer.isYes ? 'yes' : 'no') + mark
    case 'json':
      return JSON.stringify(answer.value) + mark
    case 'text':
      return answer.text + mark
  }
}

const check = (
  wanted: Wanted,
  rows: readonly (readonly [text: string, expected: string])[],
): void => {
  for (const [text, expected] of rows) {
    assert.equal(inWords(finalAnswer(text, wanted)), expected, text)
  }
}

suite('the final answer of a text', () => {
  test('as a number', () => {
    check({ kind: 'number' }, [
      ['3 + 4 = 7 eggs.\n#### 7', '7 marked'],
      ['The answer is $18.', '18 marked'],
      ['The answer is: 1,250.50 dollars', '2501/2 marked'],
      ['Answer: -40', '-40 marked'],
      [String.raw`So \boxed{18} it is, of 20.`, '18 marked'],
      ['Final answer: 17 of the 32 children', '17 marked'],
      ['The answer is 5 + 3 = 8.', '8 marked'],
      ['The answer is twenty-five.', '25 marked'],
      ['#### 20%', '20% marked'],
      ['#### 3/4', '3/4 marked'],
      ['A: 2.5 million', '2500000 marked'],
      ['#### -$12', '-12 marked'],
      ['#### 1\nNo, I mean\n#### 2', '2 marked'],
      ['He has 12 eggs, and 5 are left.', '5'],
      ['It drops by 10 - 3 = 7.', '7'],
      ['3/4', '3/4'],
      ['He has 9 * 2 = <<9*2=18>>18', '18'],
      // A mark that a long explanation follows does not count.
      [`Answer: take 3 first. ${'Then more. '.repeat(60)} So there are 9.`, '9'],
      ['####', 'none'],
      ['I cannot tell.', 'none'],
      ['', 'none'],
    ])
  })

  test('as a date', () => {
    check({ kind: 'date' }, [
      ['The answer is 03/04/2021.', '2021-03-04 marked'],
      ['#### 2020-02-29', '2020-02-29 marked'],
      ['It began on May 1, 2019 and ended on June 12th, 2019.', '2019-06-12'],
      ['on 5 of Sept. 1998', '1998-09-05'],
      ['13/4/2021', '2021-04-13'],
      ['2021-02-30', 'none'],
      ['next Friday', 'none'],
    ])
  })

  test('as yes or no', () => {
    check({ kind: 'yes-no' }, [
      ['It has no divisors but itself. [Yes]', 'yes marked'],
      ['The answer is no.', 'no marked'],
      ['No, yes is what others say.', 'no'],
      ['I know of nobody.', 'none'],
      ['It is divisible, so no', 'no'],
    ])
  })

  test('as a choice', () => {
    const choices = ['New York', 'New York City', 'Lyon']
    check({ kind: 'choice', choices }, [
      ['The answer is (C).', 'Lyon marked'],
      ['Answer: B', 'New York City marked'],
      ['B) because it is larger', 'New York City'],
      ['lyon', 'Lyon'],
      ['Not Lyon but New York City!', 'New York City'],
      ['Between (A) and (C) I take (A).', 'New York'],
      ['The answer is (D).', 'none'],
      ['A city in the north', 'none'],
      ['The answer is B because it is larger', 'New York City marked'],
      ['a)', 'New York'],
      ['I do not know', 'none'],
    ])
  })

  test('as JSON, text and tool calls', () => {
    check({ kind: 'json', schema: {} }, [
      ['```json\n{"a": [1]}\n```', '{"a":[1]} marked'],
      ['Such as {"a": 0}; here: {"a": 1}', '{"a":1}'],
      ['{"a": 1', 'none'],
    ])
    check({ kind: 'text' }, [
      ['The answer is Paris.', 'Paris. marked'],
      [' Paris ', 'Paris'],
      ['...', 'none'],
    ])
    check({ kind: 'calls' }, [['anything', 'none']])
  })

  test('takes time that grows linearly with the text, whatever it is', () => {
    const pieces = ['answer: ', '####', '[yes', '1/1/1/', 'may 1 ', '(A', '{"a":', ' ', '\\boxed{']
    const kinds: readonly Wanted[] = [
      { kind: 'number' },
      { kind: 'date' },
      { kind: 'yes-no' },
      { kind: 'choice', choices: ['a', 'b'] },
      { kind: 'json', schema: {} },
      { kind: 'text' },
    ]
    for (const piece of pieces) {
      const text = piece.repeat(100_000 / piece.length)
      for (const wanted of kinds) {
        const start = performance.now()
        finalAnswer(text, wanted)
        assert.ok(performance.now() - start < 500, `${wanted.kind} in ${piece}`)
      }
    }
  })
})

suite('two final answers', () => {
  const of = (text: string, wanted: Wanted): FinalAnswer => {
    const found = finalAnswer(text, wanted)
    assert.ok(found)
    return found
  }

  test('say the same by their kind', () => {
    const rows: readonly [Wanted, string, string, boolean][] = [
      [{ kind: 'number' }, '#### $1,200.00', 'It is 1200.', true],
      [{ kind: 'number' }, '0.5', '1/2', true],
      [{ kind: 'number' }, '20%', '0.2', true],
      [{ kind: 'number' }, '20%', '20', true],
      [{ kind: 'number' }, '0.30000000000000004', '0.3', false],
      [{ kind: 'number' }, '7', '-7', false],
      [{ kind: 'date' }, '03/04/2021', 'March 4, 2021', true],
      [{ kind: 'date' }, '03/04/2021', '04/03/2021', false],
      [{ kind: 'yes-no' }, '[Yes]', 'yes!', true],
      [{ kind: 'yes-no' }, 'yes', 'no', false],
      [{ kind: 'text' }, 'The answer is “Paris”.', 'paris', true],
      [{ kind: 'text' }, 'Paris', 'Rome', false],
      [{ kind: 'json', schema: {} }, '{"a":1,"b":[2]}', '{"b":[2],"a":1}', true],
      [{ kind: 'json', schema: {} }, '{"a":"X"}', '{"a":"x"}', false],
    ]
    for (const [wanted, a, b, expected] of rows) {
      assert.equal(sameAnswer(of(a, wanted), of(b, wanted)), expected, `${a} and ${b}`)
    }
  })

  test('of different kinds never do', () => {
    const [number, text] = [of('7', { kind: 'number' }), of('7', { kind: 'text' })]
    assert.equal(sameAnswer(number, text), false)
  })
})
