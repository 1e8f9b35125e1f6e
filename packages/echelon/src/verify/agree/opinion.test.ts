import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Answer } from '../answer.ts'
import { compareOpinion, OPINION_FEATURES, opinionFeatures } from './opinion.ts'

const text = (words: string): Answer => ({ type: 'text', text: words })
const NUMBER = { kind: 'number' } as const

suite('opinions on an answer', () => {
  test('are compared by final answer and by the numbers on the way', () => {
    const answer = text('3 * 4 = 12, 12 + 1 = 13. #### 13')
    assert.deepEqual(compareOpinion(answer, text('13 is the answer'), NUMBER), {
      isSame: true,
      sharedNumbers: 1 / 5,
    })
    const other = compareOpinion(answer, text('3 * 4 = 12, 12 + 1 = 13, 13 * 2 = 26'), NUMBER)
    assert.ok(!other.isSame && other.sharedNumbers > 0.6)
  })

  test('weigh by how many agree, and how many agree on something else', () => {
    const others = ['#### 13', 'It is 13.00', '26', 'the answer is 26', '26', 'no idea'].map(text)
    const features = opinionFeatures(text('13'), others, NUMBER)
    assert.deepEqual(Object.keys(features), OPINION_FEATURES)
    assert.equal(features['agree.same'], 2 / 6)
    assert.equal(features['agree.runnerUp'], 3 / 6)
  })

  test('count for nothing without an opinion or an answer to compare', () => {
    for (const opinions of [[], [text('none')]]) {
      const features = opinionFeatures(text('13'), opinions, NUMBER)
      assert.ok(Object.values(features).every((value) => value === 0))
    }
    const rival = opinionFeatures(text('no number'), [text('13')], NUMBER)
    assert.deepEqual([rival['agree.same'], rival['agree.runnerUp']], [0, 1])
  })
})
