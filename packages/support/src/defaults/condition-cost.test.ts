import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { Environment } from '@marcbachmann/cel-js'
import { sizeOf, stepsOf, USUAL } from './condition-cost.ts'

const environment = new Environment({ enableOptionalTypes: true })

const steps = (source: string): number =>
  stepsOf(environment.parse(source).ast, (name) =>
    name === 'order' ? USUAL : { elements: 0, characters: 10, weight: 110 },
  )

suite('what judging a condition takes', () => {
  test('grows with each loop by the length of its list', () => {
    const [one, two, three] = [
      'order.a.all(x, true)',
      'order.a.all(x, order.a.all(y, true))',
      'order.a.all(x, order.a.all(y, order.a.all(z, true)))',
    ].map(steps)
    assert.ok(one !== undefined && two !== undefined && three !== undefined)
    assert.ok(one < 3_000 && two > 10 * one && two < 30 * one && three > 10 * two, `${one} ${two}`)
  })

  test('takes a literal list at its length', () => {
    assert.ok(steps('[1, 2].map(x, x + 1) == [2, 3]') < 30)
    assert.ok(steps('params.a in ["a", "b", "c"]') < 20)
  })

  test('counts what is compared and concatenated', () => {
    assert.ok(steps('order == order') > 200)
    assert.ok(steps('order.status == "x"') < 10)
    assert.ok(steps('cel.bind(a, order.s + order.s, (a + a).contains("x"))') > 100)
    assert.ok(steps('order.s.split("").all(c, c == "x")') > 5 * USUAL.characters)
  })

  test('measures data, and treats unbounded data as endless', () => {
    assert.deepEqual(sizeOf({ a: [1, 2, 3], b: 'xyz' }), {
      elements: 3,
      characters: 3,
      weight: 805,
    })
    const round: Record<string, unknown> = {}
    round['self'] = round
    assert.equal(sizeOf(round).elements, 1e12)
    assert.equal(sizeOf('x'.repeat(20_000_000)).characters, 1e12)
  })
})
