import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openaiModelCatalog } from '@ai-sdk/openai/internal'
import { CATALOG } from '../catalog.ts'
import { effortFor, reasons } from './reasoning.ts'

test('agrees with the SDK on which models reason', () => {
  for (const [modelId, { capabilities }] of Object.entries(openaiModelCatalog)) {
    if (capabilities.language === undefined) continue
    assert.equal(reasons(modelId), capabilities.language.reasoning.support === true, modelId)
  }
})

test('uses the least effort only where the SDK knows a model’s efforts', () => {
  for (const modelId of CATALOG.openai.models) {
    const efforts = openaiModelCatalog[modelId]?.capabilities.language?.reasoning.efforts
    if (effortFor(modelId, 'least') === 'none') assert.ok(efforts !== undefined, modelId)
  }
})

test('maps least to an effort only for models that accept it', () => {
  const rows = [
    ['gpt-5-nano', 'none'],
    ['gpt-5-2025-08-07', 'none'],
    ['gpt-5.1', 'none'],
    ['gpt-5.4-mini-2026-03-17', 'none'],
    ['gpt-6-luna', 'none'],
    ['o4-mini', 'low'],
    ['o3-2025-04-16', 'low'],
    ['o3-deep-research', undefined],
    ['gpt-5-pro', undefined],
    ['gpt-5.3-codex', undefined],
    ['gpt-5-chat-latest', undefined],
    ['gpt-4.1-nano', undefined],
    ['gpt-4o', undefined],
    ['gpt-3.5-turbo-instruct', undefined],
    ['a-model-of-my-own', undefined],
  ] as const
  for (const [modelId, effort] of rows) assert.equal(effortFor(modelId, 'least'), effort, modelId)
})

test('passes a configured effort on, except to models that accept none', () => {
  assert.equal(effortFor('gpt-5-pro', 'high'), 'high')
  assert.equal(effortFor('a-model-of-my-own', 'low'), 'low')
  assert.equal(effortFor('gpt-5-nano', 'provider-default'), undefined)
  for (const modelId of ['gpt-4.1', 'gpt-4o-mini', 'gpt-5-chat-latest', 'ft:gpt-4o:me::x']) {
    assert.equal(effortFor(modelId, 'high'), undefined, modelId)
  }
})
