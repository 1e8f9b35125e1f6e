import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { calcPrice } from '@pydantic/genai-prices'
import * as fc from 'fast-check'
import type { Price } from '../core/model/model.ts'
import { loadPrices } from './prices.ts'

const prices = await loadPrices()
const MILLION = 1_000_000
const FLAT = ['gpt-5', 'gpt-5-mini', 'gpt-5-nano', 'gpt-5.1'] as const
const TIERED = [
  { provider: 'openai', model: 'gpt-5.6' },
  { provider: 'anthropic', model: 'claude-sonnet-4-5' },
  { provider: 'google', model: 'gemini-2.5-pro' },
] as const

const known = (price: Price, input: number, output: number): number => {
  const dollars = price({ input, output })
  assert.ok(dollars !== null, 'the price is known')
  return dollars
}

/** The package's own price, in US dollars per million tokens. */
const listed = (model: string, side: 'input_mtok' | 'output_mtok'): number => {
  const price = calcPrice({}, model, { providerId: 'openai' })?.model_price[side]
  assert.ok(typeof price === 'number' && price > 0, `${model} is listed`)
  return price
}

const near = (actual: number, expected: number): void =>
  assert.ok(Math.abs(actual - expected) <= 1e-9 * Math.max(1, expected), `${actual} ~ ${expected}`)

test('prices a million input and output tokens as listed', () => {
  for (const model of FLAT) {
    const price = prices.priceOf('openai', model)
    near(known(price, MILLION, 0), listed(model, 'input_mtok'))
    near(known(price, 0, MILLION), listed(model, 'output_mtok'))
    assert.ok(known(price, 0, 1000) > known(price, 1000, 0), 'output costs more than input')
  }
  const [big, small] = [prices.priceOf('openai', 'gpt-5'), prices.priceOf('openai', 'gpt-5-nano')]
  assert.ok(known(big, 1000, 1000) > known(small, 1000, 1000), 'the small model is the cheap one')
})

test('is linear without tiers, up to the largest calls', () => {
  const tokens = fc.nat({ max: 1_000_000_000 })
  fc.assert(
    fc.property(fc.constantFrom(...FLAT), tokens, tokens, (model, input, output) => {
      const price = prices.priceOf('openai', model)
      const [i, o] = [listed(model, 'input_mtok'), listed(model, 'output_mtok')]
      near(known(price, input, output), (input * i + output * o) / MILLION)
    }),
  )
})

test('never decreases with more tokens, and is never zero, with tiers too', () => {
  const tokens = fc.nat({ max: 2_000_000 })
  fc.assert(
    fc.property(fc.constantFrom(...TIERED), fc.tuple(tokens, tokens, tokens, tokens), (id, t) => {
      const price = prices.priceOf(id.provider, id.model)
      const [input, output, moreInput, moreOutput] = t
      const less = known(price, input, output)
      assert.ok(less > 0 || input + output === 0)
      assert.ok(known(price, input + moreInput, output + moreOutput) >= less)
    }),
  )
})

test('prices a long prompt by its tier, unlike a sum of short ones', () => {
  for (const { provider, model } of TIERED) {
    const price = prices.priceOf(provider, model)
    assert.ok(known(price, MILLION, 0) > 10 * known(price, MILLION / 10, 0))
  }
})

test('[DD-20] returns null, not 0, for models that are not listed', () => {
  for (const [provider, model] of [
    ['openai', 'gpt-99'],
    ['openai', ''],
    ['nobody', 'gpt-5'],
    ['ollama', 'llama3.2'],
    // The package answers these by similarity.
    ['openai-compatible', 'gpt-5'],
    ['my-openai-proxy', 'gpt-5'],
    ['OpenAI', 'gpt-5'],
    ['', 'gpt-5'],
  ] as const) {
    assert.equal(prices.priceOf(provider, model)({ input: 100, output: 100 }), null, provider)
  }
})

test('[DD-20] returns null for a model without an input or output price', () => {
  for (const [provider, model] of [
    ['openai', 'text-embedding-3-small'],
    ['openai', 'text-moderation-latest'],
    ['google', 'gemma-3'],
    ['openrouter', 'deepseek/deepseek-chat:free'],
  ] as const) {
    assert.ok(calcPrice({}, model, { providerId: provider }) !== null, `${model} is listed`)
    assert.equal(prices.priceOf(provider, model)({ input: 100, output: 100 }), null, model)
  }
})

test('returns null for a usage that is not a count, and 0 for no tokens', () => {
  const price = prices.priceOf('openai', 'gpt-5')
  for (const tokens of [Number.NaN, Number.POSITIVE_INFINITY, -1]) {
    assert.equal(price({ input: tokens, output: 1 }), null)
    assert.equal(price({ input: 1, output: tokens }), null)
  }
  assert.equal(price({ input: 0, output: 0 }), 0)
})

test('matches an address to a service by its whole origin', () => {
  const at = (url: string): string | null => prices.providerAt(new URL(url))
  assert.equal(at('https://api.openai.com/v1'), 'openai')
  assert.equal(at('https://api.groq.com/openai/v1'), 'groq')
  assert.equal(at('https://openrouter.ai/api/v1'), 'openrouter')
  for (const url of [
    'http://localhost:11434/v1',
    'https://api.openai.com.example.org/v1',
    'https://example.org/https://api.openai.com/v1',
    'http://api.openai.com/v1',
    'https://api.openai.com:8443/v1',
  ]) {
    assert.equal(at(url), null, url)
  }
})

test('installs the tested version of the list', async () => {
  const url = import.meta.resolve('@pydantic/genai-prices')
  const text = await readFile(new URL('../package.json', url), 'utf8')
  assert.match(text, /"version": "0\.1\./)
})
