import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { evaluate } from 'mathjs'
import { readQuestion } from '../../in-tests.ts'

/** The value of a question, or why it was not read. */
function valueOf(question: string): number | string {
  const claim = readQuestion(question)
  if (claim.kind !== 'math') return claim.kind === 'unknown' ? claim.why : claim.kind
  const values = new Set(claim.expressions.map((text) => Number(evaluate(text))))
  assert.equal(values.size, 1, question)
  const [value = Number.NaN] = values
  return Math.round(value * 1e9) / 1e9
}

const CHANGES: readonly (readonly [question: string, value: number])[] = [
  ['Increase 50 by 10.', 60],
  ['Increase 50 by 10%.', 55],
  ['Decrease 50 by 10.', 40],
  ['Decrease 90 by 20%.', 72],
  ['Reduce 80 by 30.', 50],
  ['Reduce 80 by 25%.', 60],
  ['What is 50 increased by 10?', 60],
  ['What is 50 increased by 10%?', 55],
  ['What is 90 decreased by 20?', 70],
  ['What is 90 decreased by 20%?', 72],
  ['What is 80 reduced by 30?', 50],
  ['What is 80 reduced by 25%?', 60],
]

suite('[DD-8] a change goes the way that its verb says', () => {
  for (const [question, value] of CHANGES) {
    test(question, () => assert.equal(valueOf(question), value))
  }
})
