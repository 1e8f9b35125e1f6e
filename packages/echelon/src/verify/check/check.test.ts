import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { attempt, budgetRefused, judgedWith, modelFailed } from '../in-tests.ts'
import type { Judgment, Observed } from '../verifier.ts'
import { check, type CheckFound } from './check.ts'
import { commandCheck } from './command-check.ts'

const ATTEMPT = attempt('Name a palindrome.', 'level')

suite('a check of your own', () => {
  const judged = (found: () => CheckFound): Judgment =>
    judgedWith(check('palindrome', found), ATTEMPT).judgment

  test('proves, refutes, scores or is silent, as its function says', () => {
    const verdicts = [true, false, 0.7, undefined].map((found) => {
      const { verdict, score, features } = judged(() => found)
      return [verdict, score, features['palindrome.passed']]
    })
    assert.deepEqual(verdicts, [
      ['proved', 1, 1],
      ['refuted', 0, 0],
      ['scored', 0.7, 0.7],
      ['silent', 0.5, 0.5],
    ])
  })

  test('sees the attempt, and gives its reason on one line', () => {
    const verifier = check('palindrome', ({ answer }) => {
      const text = answer.type === 'text' ? answer.text : ''
      return { found: text === text.split('').toReversed().join(''), reason: 'read\nbackwards' }
    })
    assert.equal(judgedWith(verifier, ATTEMPT).judgment.reason, 'read backwards')
    assert.equal(judgedWith(verifier, attempt('', 'levels')).judgment.verdict, 'refuted')
  })

  test('is silent for an error, and for a number outside 0 to 1', () => {
    const fails = (): CheckFound => {
      throw new Error('51 is right')
    }
    assert.equal(judged(fails).verdict, 'silent')
    assert.equal(judged(fails).reason, 'the check failed')
    for (const odd of [Number.NaN, 2, -0.1, Infinity, JSON.parse('null'), JSON.parse('{}')]) {
      assert.equal(judged(() => odd).verdict, 'silent')
    }
  })

  test('needs a name that can begin a feature', () => {
    for (const name of ['', 'a b', 'a.b']) {
      assert.throws(() => check(name, () => true), { code: 'INVALID_DEFINITION' })
    }
  })
})

suite('a check by a command', () => {
  const ended = (exit: number | null): Observed => ({
    type: 'tools-called',
    outcomes: [{ type: 'ok', value: { exit, stdout: 'expected 51', stderr: '' } }],
  })
  const CODE = attempt(
    'Write a function that doubles.',
    'First try:\n```js\nreturn 1\n```\nBetter:\n```js\nreturn 2 * x\n```\nDone.',
  )
  const tested = commandCheck({ name: 'tests', tool: 'run_tests' })

  test('runs the last block of the answer', () => {
    const { asked } = judgedWith(tested, CODE, [ended(0)])
    assert.deepEqual(asked, [
      {
        type: 'call-tools',
        calls: [{ id: 'tests.run', tool: 'run_tests', input: { text: 'return 2 * x\n' } }],
      },
    ])
    const open = judgedWith(tested, attempt('', 'So:\n```sql\nselect 1'), [ended(0)])
    assert.ok(open.asked[0]?.type === 'call-tools')
    assert.deepEqual(open.asked[0].calls[0]?.input, { text: 'select 1\n' })
  })

  test('scores what passes, and refutes what does not, without telling the output', () => {
    assert.equal(judgedWith(tested, CODE, [ended(0)]).judgment.score, 0.9)
    const { verdict, reason } = judgedWith(tested, CODE, [ended(1)]).judgment
    assert.deepEqual([verdict, reason], ['refuted', 'the command exits with 1'])
    const killed = judgedWith(tested, CODE, [ended(null)]).judgment
    assert.deepEqual(
      [killed.verdict, killed.reason],
      ['refuted', 'the command was ended by a signal'],
    )
  })

  test('proves only if told so', () => {
    const proving = commandCheck({ tool: 'run_tests', passing: 'proves' })
    assert.equal(judgedWith(proving, CODE, [ended(0)]).judgment.verdict, 'proved')
  })

  test('is silent if the command could not be run', () => {
    const late: Observed = {
      type: 'tools-called',
      outcomes: [{ type: 'error', code: 'NET_TIMEOUT', message: 'took too long' }],
    }
    const odd: Observed = { type: 'tools-called', outcomes: [{ type: 'ok', value: 'fine' }] }
    for (const observed of [late, odd, budgetRefused, modelFailed]) {
      assert.equal(judgedWith(tested, CODE, [observed]).judgment.verdict, 'silent')
    }
    assert.equal(judgedWith(tested, attempt('', ' ')).judgment.verdict, 'silent')
  })
})
