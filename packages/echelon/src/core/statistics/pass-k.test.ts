import assert from 'node:assert/strict'
import test from 'node:test'
import * as fc from 'fast-check'
import { meanPassPower, passPower } from './pass-k.ts'

test('pass^k is the share of the draws of k tries that are all right', () => {
  // C(3, 2) / C(4, 2)
  assert.equal(passPower({ right: 3, of: 4 }, 2), 0.5)
  assert.equal(passPower({ right: 3, of: 4 }, 1), 0.75)
  assert.equal(passPower({ right: 3, of: 4 }, 4), 0)
  assert.equal(passPower({ right: 4, of: 4 }, 4), 1)
  assert.equal(passPower({ right: 1, of: 1 }, 2), undefined)
})

test('pass^k equals a count over all draws, and never rises with k', () => {
  const tries = fc.array(fc.boolean(), { minLength: 2, maxLength: 9 })
  fc.assert(
    fc.property(tries, (results) => {
      const right = results.filter(Boolean).length
      let [draws, all] = [0, 0]
      for (const [a, first] of results.entries()) {
        for (const second of results.slice(a + 1)) {
          draws++
          all += Number(first && second)
        }
      }
      const found = passPower({ right, of: results.length }, 2) ?? -1
      assert.ok(Math.abs(found - all / draws) < 1e-12)
      assert.ok(found <= (passPower({ right, of: results.length }, 1) ?? -1))
    }),
  )
})

test('the mean of pass^k leaves out cases with too few tries', () => {
  const cases = [
    { right: 2, of: 2 },
    { right: 1, of: 2 },
    { right: 1, of: 1 },
  ]
  const { value, n } = meanPassPower(cases, 2)
  assert.deepEqual([value, n], [0.5, 2])
  assert.equal(meanPassPower([], 2).value, null)
})
