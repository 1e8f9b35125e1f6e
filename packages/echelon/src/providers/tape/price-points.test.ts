import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import type { Price, Usage } from '../../core/model/model.ts'
import { loadPrices } from '../prices.ts'
import { type PricePoint, priceThrough, PROBES } from './price-points.ts'

/** The price points on the tape of a model with this price, for some usages. */
const pointsOf = (price: Price, ...asked: readonly Usage[]): PricePoint[] =>
  [...PROBES, ...asked].map((usage) => ({ ...usage, usd: price(usage) }))

const tokens = fc.nat({ max: 2_000_000 })
const usage = fc.record({ input: tokens, output: tokens })

test('prices a recorded usage exactly', async () => {
  const prices = await loadPrices()
  const listed = [
    prices.priceOf('openai', 'gpt-5-nano'),
    prices.priceOf('google', 'gemini-2.5-pro'),
    () => null,
  ]
  fc.assert(
    fc.property(fc.constantFrom(...listed), usage, (price, asked) => {
      const replayed = priceThrough(pointsOf(price, asked))
      assert.equal(replayed(asked), price(asked))
    }),
  )
})

test('prices any other usage per token if the model is priced per token', async () => {
  const prices = await loadPrices()
  const nano = prices.priceOf('openai', 'gpt-5-nano')
  const replayed = priceThrough(pointsOf(nano))
  fc.assert(
    fc.property(usage, (other) => {
      const [before, now] = [nano(other) ?? Number.NaN, replayed(other) ?? Number.NaN]
      assert.ok(Math.abs(before - now) <= 1e-9 * before, `${now} instead of ${before}`)
    }),
  )
})

test('knows a price with tiers or fees only at its points, and an unknown price nowhere', async () => {
  const prices = await loadPrices()
  const other = { input: 77, output: 7 }
  assert.notEqual(prices.priceOf('google', 'gemini-2.5-pro')(other), null)
  assert.equal(priceThrough(pointsOf(prices.priceOf('google', 'gemini-2.5-pro')))(other), null)
  assert.equal(priceThrough(pointsOf(({ input }) => 0.01 + input))(other), null)
  assert.equal(priceThrough(pointsOf(() => null))(other), null)
  assert.equal(priceThrough([])(other), null)
  assert.equal(priceThrough(pointsOf(() => 0))(other), 0)
})
