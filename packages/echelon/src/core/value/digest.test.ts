import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { digestText, mixDigest } from './digest.ts'

test('a digest is a safe integer and does not change between versions', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(0xffff)), (units) => {
      const text = String.fromCharCode(...units)
      const digest = digestText(text)
      assert.ok(Number.isSafeInteger(digest) && digest >= 0)
      assert.equal(digestText(text), digest)
    }),
  )
  // From journals of earlier versions: a change here would reject every unfinished run.
  assert.deepEqual([digestText(''), digestText('echelon')], [3338908027751811, 2291469732180542])
})

test('a hundred thousand similar texts have different digests', () => {
  const digests = new Set<number>()
  for (let i = 0; i < 50_000; i++) digests.add(digestText(`step ${i}`)).add(digestText(`${i} step`))
  assert.equal(digests.size, 100_000)
})

test('a rolling digest depends on the order', () => {
  const roll = (...texts: readonly string[]): number =>
    texts.reduce((digest, text) => mixDigest(digest, digestText(text)), 0)
  assert.notEqual(roll('a', 'b'), roll('b', 'a'))
  assert.notEqual(roll('a', 'b'), roll('ab'))
  assert.equal(roll('a', 'b'), roll('a', 'b'))
})
