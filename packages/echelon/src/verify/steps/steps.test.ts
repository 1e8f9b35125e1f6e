import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Answer } from '../answer.ts'
import { attempt } from '../in-tests.ts'
import type { Judgment } from '../verifier.ts'
import { steps } from './steps.ts'

function judged(question: string, text: string): Judgment {
  const judgment = steps.verify(attempt(question, text, { kind: 'number' }), [])
  assert.ok(judgment.verdict !== 'ask')
  return judgment
}

const QUESTION = 'A farm sells 12 crates of 8 melons for $3 a melon. How much does it earn?'

suite('the verifier of steps', () => {
  test('judges by the calculations of an answer', () => {
    const rows: readonly [string, Judgment['verdict'], number][] = [
      ['12 * 8 = 96 melons, and 96 * $3 = $288.\n#### 288', 'scored', 0.7],
      // Looks the same, and its last calculation is wrong.
      ['12 * 8 = 96 melons, and 96 * $3 = $298.\n#### 298', 'refuted', 0],
      ['12 * 8 = 98 melons, and 98 * $3 = $294.\n#### 294', 'scored', 0.2],
      ['12 * 8 = 96 melons, and 96 * $3 = $288.\n#### 96', 'scored', 0.7],
      ['12 * 8 = 96 melons.\n#### 300', 'scored', 0.5],
      ['It earns $288.', 'silent', 0.5],
      ['', 'silent', 0.5],
    ]
    for (const [text, verdict, score] of rows) {
      const judgment = judged(QUESTION, text)
      assert.deepEqual([judgment.verdict, judgment.score], [verdict, score], text)
    }
  })

  test('refutes no answer that one honest reading makes right', () => {
    for (const text of [
      '100 / 8 = 13 buses. #### 13',
      '5 + 3 = 8 * 2 = 16. #### 16',
      '2/3 = .67, so 67% in all. #### 67',
      '96 * 3 = 298, that is 96 * 3 = 288. #### 288',
      '3 * 20 minutes = 1 hour. #### 1',
    ]) {
      assert.notEqual(judged('How many?', text).verdict, 'refuted', text)
    }
  })

  test('names all its features each time, as finite numbers', () => {
    for (const text of ['', '1/0 = 5', '12 * 8 = 96', '9'.repeat(1_000), '½ of 5']) {
      const { features } = judged(QUESTION, text)
      assert.deepEqual(Object.keys(features), steps.features)
      assert.ok(Object.values(features).every(Number.isFinite))
    }
  })

  test('sees which numbers of the question are used', () => {
    const used = (text: string): number | undefined => judged(QUESTION, text).features['steps.used']
    assert.equal(used('12 * 8 = 96, 96 * 3 = 288'), 1)
    assert.equal(used('12 * 8 = 96')?.toFixed(3), '0.667')
    const discount = 'A book costs $40 and is twenty-five percent off, or 20% with two coupons.'
    assert.equal(judged(discount, '25, 40 * .8, 2').features['steps.used'], 1)
  })

  test('never states its own value, which a bigger model would copy', () => {
    assert.doesNotMatch(judged(QUESTION, '12 * 8 = 96, 96 * 3 = 298. #### 298').reason, /\d/)
  })

  test('judges JSON and the words beside tool calls too', () => {
    const rows: readonly [Answer, Judgment['verdict']][] = [
      [{ type: 'json', value: { work: '12 * 8 = 97', answer: 97 } }, 'refuted'],
      [{ type: 'json', value: { work: '12 * 8 = 96', answer: 96 } }, 'scored'],
      [{ type: 'calls', calls: [], text: '12 * 8 = 97' }, 'scored'],
      [{ type: 'calls', calls: [] }, 'silent'],
    ]
    for (const [answer, verdict] of rows) {
      const given = { ...attempt(QUESTION, '', { kind: 'number' }), answer }
      assert.equal(steps.verify(given, []).verdict, verdict)
    }
  })

  test('refutes only where a number is asked for', () => {
    const wanted = { kind: 'choice', choices: ['97', '96'] } as const
    const judgment = steps.verify(attempt(QUESTION, '12 * 8 = 97, so (A)', wanted), [])
    assert.ok(judgment.verdict === 'scored' && judgment.score === 0.2)
  })
})
