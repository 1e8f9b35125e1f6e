import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { seededIds, seededRandom } from './random.ts'

const draw = (seed: number, count: number): number[] => {
  const random = seededRandom(seed)
  return Array.from({ length: count }, random)
}

test('[R22.1] a seed determines its numbers, which are in [0, 1)', () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const numbers = draw(seed, 20)
      assert.deepEqual(numbers, draw(seed, 20))
      assert.ok(numbers.every((one) => one >= 0 && one < 1))
      assert.notDeepEqual(numbers, draw(seed + 1, 20))
    }),
  )
})

test('numbers are evenly distributed: each tenth of [0, 1) gets a tenth of 100,000', () => {
  const tenths = Array.from({ length: 10 }, () => 0)
  for (const one of draw(42, 100_000)) {
    const tenth = Math.floor(one * 10)
    tenths[tenth] = (tenths[tenth] ?? 0) + 1
  }
  for (const count of tenths) assert.ok(Math.abs(count - 10_000) < 400, tenths.join())
})

test('seeded ids are version 4 UUIDs that repeat only with their seed', () => {
  const [ids, same, others] = [seededIds(1), seededIds(1), seededIds(2)]
  const seen = new Set<string>()
  for (let i = 0; i < 1000; i++) {
    const id = ids.next()
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    assert.equal(same.next(), id)
    seen.add(id).add(others.next())
  }
  assert.equal(seen.size, 2000)
})
