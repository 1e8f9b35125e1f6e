import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Answer, Wanted } from '../answer.ts'
import { attempt } from '../in-tests.ts'
import type { Judgment } from '../verifier.ts'
import { format } from './format.ts'

function judged(wanted: Wanted, answer: Answer | string): Judgment {
  const given = attempt('?', typeof answer === 'string' ? answer : '', wanted)
  const judgment = format.verify(typeof answer === 'string' ? given : { ...given, answer }, [])
  assert.ok(judgment.verdict !== 'ask')
  return judgment
}

const SCHEMA = { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] } as const

suite('the verifier of the format', () => {
  test('refutes a missing answer, and one of another kind', () => {
    const rows: readonly [Wanted, Answer | string, Judgment['verdict']][] = [
      [{ kind: 'number' }, 'There are some.', 'refuted'],
      [{ kind: 'number' }, 'There are 3.', 'silent'],
      [{ kind: 'date' }, 'On the 30th of February, 2021-02-30', 'refuted'],
      [{ kind: 'yes-no' }, 'Perhaps', 'refuted'],
      [{ kind: 'choice', choices: ['red', 'blue'] }, 'green', 'refuted'],
      [{ kind: 'json', schema: SCHEMA }, '{"a": "1"}', 'refuted'],
      [{ kind: 'json', schema: SCHEMA }, '{"a": 1}', 'silent'],
      [{ kind: 'json', schema: SCHEMA }, { type: 'json', value: { b: 1 } }, 'refuted'],
      [{ kind: 'number' }, { type: 'json', value: { answer: 18 } }, 'silent'],
      [{ kind: 'number' }, { type: 'json', value: { answer: 'many' } }, 'refuted'],
      [{ kind: 'number' }, { type: 'calls', calls: [] }, 'refuted'],
      [{ kind: 'calls' }, { type: 'calls', calls: [] }, 'silent'],
      [{ kind: 'text' }, '  ', 'refuted'],
    ]
    for (const [wanted, answer, verdict] of rows) {
      assert.equal(judged(wanted, answer).verdict, verdict, JSON.stringify(answer))
    }
  })

  test('says in its features what the answer looks like', () => {
    const rows: readonly [string, number, number, number][] = [
      ['It has 5.\n#### 5', 1, 0, 1],
      ['It has 2.5 left.', 0, 0, 0],
      ['It has 12 * 3 = 36 and 36 + 1', 0, 1, 1],
      ['It has none', 0, 1, 0],
    ]
    for (const [text, marked, cut, integer] of rows) {
      const { features } = judged({ kind: 'number' }, text)
      assert.deepEqual(
        features,
        { 'format.marked': marked, 'format.cut': cut, 'format.integer': integer },
        text,
      )
      assert.deepEqual(Object.keys(features), format.features)
    }
  })
})
