import assert from 'node:assert/strict'
import test from 'node:test'
import { createDecider } from 'echelon'

/**
 * Real models, where a key is set; each of these costs well below a cent. Without a key they are
 * skipped, and say what is missing.
 */
const LIVE = [
  ['OPENAI_API_KEY', 'openai', 'openai/gpt-5-nano', 'openai/gpt-5-mini'],
  ['ANTHROPIC_API_KEY', 'anthropic', 'anthropic/claude-haiku-4-5', 'anthropic/claude-sonnet-4-5'],
  ['GOOGLE_API_KEY', 'google', 'google/gemini-2.5-flash-lite', 'google/gemini-2.5-flash'],
] as const

for (const [variable, provider, small, big] of LIVE) {
  const apiKey = process.env[variable]
  const skip = apiKey === undefined || apiKey === '' ? `${variable} is not set` : false
  test(`live: ${small} plans, and what it costs is known`, { skip }, async () => {
    const decider = await createDecider({
      small,
      big,
      providers: { [provider]: { apiKey: apiKey ?? '' } },
      settings: { budget: { max_cost_usd: 0.02 } },
    })
    const result = await decider.runCase('What is 15 * 23?')
    assert.deepEqual([result.answer, result.verified], ['345', true], result.explanation)
    assert.ok(result.cost !== null && result.cost > 0 && result.cost < 0.02)
    assert.ok(result.token_usage.total_tokens > 0)
  })
}
