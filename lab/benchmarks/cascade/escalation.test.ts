import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { standardErrors } from './bootstrap.ts'
import { escalationFigures } from './escalation.ts'

const of = (score: number, smallRight: boolean, bigRight = true) => ({
  score,
  smallRight,
  bigRight,
})

suite('an order of escalation', () => {
  test('by one score for all is worth what random is', () => {
    const cases = Array.from({ length: 100 }, (_, at) => of(1, at % 2 === 0))
    const { apgr, cpt50, cpt80, accuracyAt15 } = escalationFigures(cases)
    assert.ok(Math.abs(apgr - 0.5) < 1e-9)
    assert.deepEqual([cpt50, cpt80, accuracyAt15], [0.5, 0.8, 0.575])
  })
})

test('the standard error of a mean by bootstrap is its deviation over the root of the count', () => {
  const values = Array.from({ length: 400 }, (_, at) => at % 2)
  const { mean = 0 } = standardErrors(values.length, (drawn) => ({
    mean: drawn.reduce((sum, at) => sum + (values[at] ?? 0), 0) / drawn.length,
  }))
  assert.ok(Math.abs(mean - 0.025) < 0.003)
})
