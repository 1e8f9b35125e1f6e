import assert from 'node:assert/strict'
import test from 'node:test'
import * as fc from 'fast-check'
import { frontierOf, type Worth } from './pareto.ts'

test('a frontier keeps what nothing beats, cheapest first', () => {
  const choices = [
    { cost: 3, value: 0.9 },
    { cost: 1, value: 0.5 },
    { cost: 2, value: 0.4 },
    { cost: 1, value: 0.3 },
    { cost: 4, value: 0.9 },
  ]
  assert.deepEqual(frontierOf(choices), [
    { cost: 1, value: 0.5 },
    { cost: 3, value: 0.9 },
  ])
})

test('each choice is beaten by one of the frontier, and none of these by another', () => {
  const figure = fc.integer({ min: 0, max: 9 })
  const choices = fc.array(fc.record({ cost: figure, value: figure }), { minLength: 1 })
  const beats = (a: Worth, b: Worth): boolean => a.cost <= b.cost && a.value >= b.value
  fc.assert(
    fc.property(choices, (all) => {
      const frontier = frontierOf(all)
      for (const each of all) assert.ok(frontier.some((other) => beats(other, each)))
      for (const each of frontier) {
        assert.ok(frontier.every((other) => other === each || !beats(other, each)))
      }
    }),
  )
})
