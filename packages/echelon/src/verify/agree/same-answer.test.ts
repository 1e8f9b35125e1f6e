import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Answer, VerifiedTask, Wanted } from '../answer.ts'
import { isSameOutcome, nearness, outcomeOf } from './same-answer.ts'

const task = (wanted: Wanted): VerifiedTask => ({ question: '', wanted })
const text = (text: string): Answer => ({ type: 'text', text })

/** Whether two answers in words are the same for a task of this kind. */
const same = (wanted: Wanted, a: string, b: string): boolean => {
  const [one, other] = [text(a), text(b)].map((answer) => outcomeOf(answer, task(wanted)))
  return isSameOutcome(one, other)
}

suite('answers are the same', () => {
  const rows: readonly [Wanted, string, string, boolean][] = [
    [{ kind: 'number' }, '1,250.50', 'She pays $1250.5.', true],
    [{ kind: 'number' }, 'Answer: -3', 'It falls to −3', true],
    [{ kind: 'number' }, '12', '12.5', false],
    [{ kind: 'number' }, '1,250', '1.250', false],
    [{ kind: 'number' }, '3 of 12 is 36', '3 of 12 is 12', false],
    [{ kind: 'number' }, 'Answer: 7\nThat is less than 9.', '7', true],
    [{ kind: 'date' }, '2021-05-30', 'May 30th, 2021', true],
    [{ kind: 'date' }, '05/30/2021', '30 May 2021', true],
    [{ kind: 'date' }, '05/06/2021', '06/05/2021', false],
    [{ kind: 'date' }, '2021-02-30', '2021-02-30', false],
    [{ kind: 'yes-no' }, 'Yes, it is.', 'Answer: yes', true],
    [{ kind: 'yes-no' }, 'I know it: no', 'yes', false],
    [{ kind: 'choice', choices: ['red', 'dark red'] }, 'Dark red!', 'dark red', true],
    [{ kind: 'choice', choices: ['red', 'blue'] }, 'red or blue', 'red', false],
    [{ kind: 'json', schema: {} }, '{"a":1,"b":[2]}', 'Here: {"b":[2.0],"a":1}', true],
    [{ kind: 'json', schema: {} }, '{"a":[1,2]}', '{"a":[2,1]}', false],
    [{ kind: 'text' }, 'The capital: Oslo.', 'the CAPITAL Oslo', true],
    [{ kind: 'text' }, 'not Oslo', 'Oslo', false],
  ]
  for (const [wanted, a, b, expected] of rows) {
    test(`${wanted.kind}: ${a} ${expected ? 'equals' : 'is not'} ${b}`, () => {
      assert.equal(same(wanted, a, b), expected)
    })
  }

  test('words are not calls, and making no call is an answer where no call is right', () => {
    const calls: Answer = { type: 'calls', calls: [{ id: '1', tool: 'a', input: {} }] }
    const none: Answer = { type: 'calls', calls: [] }
    const wanted = task({ kind: 'calls' })
    assert.ok(!isSameOutcome(outcomeOf(calls, wanted), outcomeOf(none, wanted)))
    const words = text('I have no tool for that.')
    assert.ok(isSameOutcome(outcomeOf(words, wanted), outcomeOf(none, wanted)))
    assert.equal(outcomeOf(text(' '), wanted), undefined)
  })

  test('nearness is 1 for the same answer, and the shared part of words', () => {
    const wanted = task({ kind: 'text' })
    assert.equal(nearness(text('Oslo'), text('oslo'), wanted), 1)
    assert.equal(nearness(text('red and blue'), text('red and green'), wanted), 2 / 3)
    assert.equal(nearness(text('4'), text('5'), task({ kind: 'number' })), 0)
  })
})
