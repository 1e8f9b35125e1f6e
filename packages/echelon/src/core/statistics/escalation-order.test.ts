import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import * as fc from 'fast-check'
import { accuracyCurve, orderFigures } from './escalation-order.ts'

const of = (score: number, smallRight: boolean, bigRight = true) => ({
  score,
  smallRight,
  bigRight,
})

suite('an order of escalation', () => {
  test('gains where the small model is wrong and the big one right', () => {
    const tasks = [of(0.1, false), of(0.9, true), of(0.5, false), of(0.7, true, false)]
    assert.deepEqual(accuracyCurve(tasks), [0.5, 0.75, 1, 0.75, 0.75])
    const figures = orderFigures(tasks)
    assert.equal(figures?.apgr, (0 + 1 + 2 + 1 + 1) / 5)
    assert.deepEqual([figures.cpt50, figures.cpt80], [0.25, 0.25])
  })

  test('by one score for all is worth what random is', () => {
    const tasks = Array.from({ length: 100 }, (_, at) => of(1, at % 2 === 0))
    const figures = orderFigures(tasks)
    assert.ok(Math.abs((figures?.apgr ?? 0) - 0.5) < 1e-9)
    assert.deepEqual([figures?.cpt50, figures?.cpt80], [0.5, 0.8])
  })

  test('has no figures where no gap is to be recovered', () => {
    assert.equal(orderFigures([]), undefined)
    assert.equal(orderFigures([of(0, true), of(1, true)]), undefined)
    assert.equal(orderFigures([of(0, true, false), of(1, true)]), undefined)
  })

  test('is best by the truth, whatever the tasks', () => {
    const task = fc.record({
      score: fc.double({ min: 0, max: 1, noNaN: true }),
      smallRight: fc.boolean(),
      bigRight: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(task, { minLength: 1 }), (tasks) => {
        const gain = (each: (typeof tasks)[number]): number =>
          Number(each.bigRight) - Number(each.smallRight)
        const ideal = accuracyCurve(tasks.map((each) => ({ ...each, score: -gain(each) })))
        for (const [at, accuracy] of accuracyCurve(tasks).entries()) {
          assert.ok(accuracy <= (ideal[at] ?? 0) + 1e-9)
        }
      }),
    )
  })
})
