import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { agree } from './agree/agree.ts'
import { asProgram, inWords } from './agree/way.ts'
import type { Attempt, Wanted } from './answer.ts'
import { call } from './call/call.ts'
import { check } from './check/check.ts'
import { commandCheck } from './check/command-check.ts'
import { format } from './format/format.ts'
import { gate } from './gate.ts'
import { grounded } from './grounded/grounded.ts'
import { attempt, calling, computed, judgedWith, said } from './in-tests.ts'
import { judge } from './judge/judge.ts'
import { steps } from './steps/steps.ts'
import type { Observed, Verifier } from './verifier.ts'

/** A right answer and one that looks like it, with what the verifier is told about each. */
interface Pair {
  readonly name: string
  readonly verifier: Verifier
  readonly right: Attempt
  readonly wrong: Attempt
  readonly toldOfRight?: readonly Observed[]
  readonly toldOfWrong?: readonly Observed[]
}

const NUMBER: Wanted = { kind: 'number' }
const QUESTION = 'A shelf holds 14 books. 6 shelves are full. How many books are there?'
const inNumbers = (text: string): Attempt => attempt(QUESTION, text, NUMBER)
const told = (text: string): Attempt => ({
  ...attempt('How long is the warranty?', text),
  task: {
    question: 'How long is the warranty?',
    wanted: { kind: 'text' },
    sources: [
      {
        name: 'terms',
        text: 'The warranty lasts 24 months. Batteries have a warranty of 6 months.',
      },
    ],
  },
})
const verdict = (says: string, quote: string, holds: boolean): Observed =>
  said(
    JSON.stringify({
      evidence: [{ quote, finding: 'recomputed', holds }],
      verdict: says,
      confidence: 90,
    }),
  )
const exited = (exit: number): Observed => computed({ exit, stdout: '', stderr: '' })
const TOOLS = [
  {
    name: 'set_alarm',
    description: 'Sets an alarm',
    jsonSchema: {
      type: 'object',
      properties: { hour: { type: 'integer' }, minute: { type: 'integer' } },
      required: ['hour', 'minute'],
    },
  },
]
const alarm = (hour: number, minute: number): Attempt =>
  calling('Set an alarm for 7:45.', TOOLS, [['set_alarm', { hour, minute }]])

const PAIRS: readonly Pair[] = [
  {
    name: 'steps',
    verifier: steps,
    right: inNumbers('14 × 6 = 84 books. #### 84'),
    wrong: inNumbers('14 × 6 = 94 books. #### 94'),
  },
  {
    name: 'agree, in words',
    verifier: agree({ ways: [inWords('opinion')], atMost: 1, need: 2 }),
    right: inNumbers('There are 84 books.'),
    wrong: inNumbers('There are 48 books, not 84 shelves: the answer is 48.'),
    toldOfRight: [said('14 per shelf makes 84. Answer: 84')],
    toldOfWrong: [said('14 per shelf makes 84. Answer: 84')],
  },
  {
    name: 'agree, as a program',
    verifier: agree({ ways: [asProgram('small')], atMost: 1, need: 2, across: true }),
    right: inNumbers('There are 84 books.'),
    wrong: inNumbers('There are 20 books.'),
    toldOfRight: [said('{"expr":"14 * 6"}'), computed({ value: '84' })],
    toldOfWrong: [said('{"expr":"14 * 6"}'), computed({ value: '84' })],
  },
  {
    name: 'judge',
    verifier: judge(),
    right: inNumbers('There are 84 books.'),
    wrong: inNumbers('There are exactly 94 books, as I have checked twice.'),
    toldOfRight: [verdict('right', 'There are 84 books', true)],
    toldOfWrong: [verdict('wrong', 'exactly 94 books', false)],
  },
  {
    name: 'judge, whose verdict quotes another answer',
    verifier: judge(),
    right: inNumbers('There are 84 books.'),
    wrong: inNumbers('There are 94 books.'),
    toldOfRight: [verdict('right', 'There are 84 books', true)],
    toldOfWrong: [verdict('right', 'There are 84 books', true)],
  },
  {
    name: 'grounded',
    verifier: grounded(),
    right: told('The warranty lasts 24 months.'),
    wrong: told('The warranty lasts 6 months.'),
  },
  { name: 'call', verifier: call(), right: alarm(7, 45), wrong: alarm(7, 15) },
  {
    name: 'check',
    verifier: check('even', ({ answer }) => answer.type === 'text' && / 84 /.test(answer.text)),
    right: inNumbers('There are 84 books.'),
    wrong: inNumbers('There are 85 books.'),
  },
  {
    name: 'commandCheck',
    verifier: commandCheck({ tool: 'run_tests' }),
    right: attempt('Double a number.', '```js\nexport default (x) => 2 * x\n```'),
    wrong: attempt('Double a number.', '```js\nexport default (x) => x ** 2\n```'),
    toldOfRight: [exited(0)],
    toldOfWrong: [exited(1)],
  },
]

suite('an answer that looks right and is wrong', () => {
  for (const { name, verifier, right, wrong, toldOfRight, toldOfWrong } of PAIRS) {
    test(`is not accepted by ${name}, which accepts the right one`, () => {
      const options = { accept: 0.6 }
      const good = judgedWith(verifier, right, toldOfRight ?? []).judgment
      const bad = judgedWith(verifier, wrong, toldOfWrong ?? []).judgment
      assert.equal(gate(good, options).decision, 'accept', JSON.stringify(good))
      assert.equal(gate(bad, options).decision, 'promote', JSON.stringify(bad))
      assert.ok(bad.score < good.score)
    })
  }

  test('is never supported by its form alone', () => {
    for (const text of ['#### 94', 'The answer is 94.', '\\boxed{94}']) {
      assert.equal(judgedWith(format, inNumbers(text)).judgment.verdict, 'silent')
    }
    for (const text of ['The answer is a lot.', 'I counted them all.']) {
      assert.equal(judgedWith(format, inNumbers(text)).judgment.verdict, 'refuted')
    }
  })
})
