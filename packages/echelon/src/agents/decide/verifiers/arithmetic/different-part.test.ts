import assert from 'node:assert/strict'
import { test } from 'node:test'
import { differentPart } from './different-part.ts'

const QUESTION = 'What is 25% of $1,200 plus 40?'

/** The hint that a model gets for a plan of these expressions. */
const toldOf = (exprs: readonly string[], values: readonly string[] = ['340']): string =>
  differentPart({
    question: QUESTION,
    claim: {
      kind: 'math',
      expressions: ['25 / 100 * 1200 + 40'],
      quantities: ['25 %', '1200', '40'],
      why: 'as written',
    },
    plan: exprs.map((expr) => ({ expr })),
    values,
  })

test('[DD-8] names a quantity of the question that the plan leaves out', () => {
  assert.equal(toldOf(['25% * 1200']), 'the plan leaves out the quantity 40')
  assert.equal(toldOf(['1,200 + 40']), 'the plan leaves out the quantity 25 %')
  assert.equal(toldOf(['0.25 * 40']), 'the plan leaves out the quantity 1200')
})

test('[DD-8] finds the quantities in any action of the plan', () => {
  assert.match(toldOf(['0.25 * 1200', '$1.value - 40']), /^an operation differs/)
})

test('[DD-8] names a number of the plan that the question does not give', () => {
  assert.equal(
    toldOf(['0.25 * 1200 + 40 + 7']),
    'the plan uses the number 7, which the question does not give',
  )
})

test("[DD-8] never names the question's own result", () => {
  const unsaid = 'the quantities of the question do not give this number'
  assert.equal(toldOf(['25% * 1200'], ['40']), unsaid)
  assert.equal(toldOf(['1200 + 40'], ['0.25']), unsaid)
  assert.equal(toldOf(['0.25 * 1200 + 40 + 7'], ['7']), unsaid)
  assert.equal(toldOf(['pi']).includes('340'), false)
})
