import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import * as fc from 'fast-check'
import {
  compare,
  decimal,
  decimalText,
  fraction,
  isSame,
  keyOf,
  minus,
  negative,
  over,
  plus,
  power,
  times,
  whole,
} from './rational.ts'

suite('exact fractions', () => {
  test('calculate without rounding', () => {
    const [tenth, fifth] = [decimal('.1'), decimal('0.20')]
    const sum = plus(tenth, fifth)
    assert.ok(sum !== undefined && isSame(sum, decimal('0.3')))
    assert.deepEqual(over(whole(1), whole(3)), { n: 1n, d: 3n })
    assert.deepEqual(power(whole(2), whole(-2)), { n: 1n, d: 4n })
    assert.equal(keyOf(decimal('2.50')), '5/2')
  })

  test('follow the laws of fractions', () => {
    const number = fc
      .tuple(fc.bigInt(-1000n, 1000n), fc.bigInt(1n, 1000n))
      .map(([n, d]) => fraction(n, d) ?? whole(0))
    fc.assert(
      fc.property(number, number, number, (a, b, c) => {
        const [left, right] = [times(plus(a, b) ?? a, c), plus(times(a, c) ?? a, times(b, c) ?? b)]
        assert.deepEqual(left, right)
        assert.deepEqual(minus(plus(a, b) ?? a, b), a)
        assert.equal(Math.sign(compare(a, b)), -Math.sign(compare(b, a)))
      }),
    )
  })

  test('are written in digits where these end', () => {
    const written = ['0', '-12.5', '0.05', '345', '1000.001', '-0.125']
    for (const text of written) {
      const size = decimal(text.replace('-', ''))
      assert.equal(decimalText(text.startsWith('-') ? negative(size) : size), text)
    }
    assert.equal(decimalText({ n: 1n, d: 3n }), undefined)
    assert.equal(decimalText({ n: 1n, d: 2n ** 70n }), undefined)
  })

  test('have no value where a calculation has none, or one too large to work with', () => {
    assert.equal(over(whole(1), whole(0)), undefined)
    assert.equal(power(whole(2), decimal('.5')), undefined)
    assert.equal(power(whole(10), whole(10_000)), undefined)
    assert.equal(times({ n: 1n << 2000n, d: 1n }, { n: 1n << 2000n, d: 1n }), undefined)
  })
})
