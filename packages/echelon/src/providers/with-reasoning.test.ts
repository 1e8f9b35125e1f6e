import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withReasoning } from './with-reasoning.ts'

test('sets the effort for a model’s provider if its settings have none', () => {
  const settings = { openai: { apiKey: 'k' }, google: { reasoning: 'high' } } as const
  assert.deepEqual(withReasoning(settings, 'openai/gpt-5', 'least'), {
    ...settings,
    openai: { apiKey: 'k', reasoning: 'least' },
  })
  assert.deepEqual(withReasoning({}, 'ollama/a/b', 'low'), { ollama: { reasoning: 'low' } })
  assert.equal(withReasoning(settings, 'google/gemini-2.5-pro', 'least'), settings)
  assert.equal(withReasoning(settings, 'gpt-5', 'least'), settings)
  assert.deepEqual(withReasoning(settings, 'google/gemini-2.5-pro', 'least', 'any'), {
    ...settings,
    google: { reasoning: 'least' },
  })
})
