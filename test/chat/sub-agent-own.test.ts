import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createAgent } from '../../src/chat.ts'
import { defineMiddleware } from '../../src/core/define-middleware.ts'
import { apiError, scriptedModel } from '../../src/testing/scripted-model.ts'
import { agentWith, model, source } from './kit.ts'

const AS_TOOL = { name: 'ask_expert', description: 'knows sums' }
const ASKS_EXPERT = { toolCalls: [{ tool: 'ask_expert', input: { task: 'what is 2 + 3?' } }] }

describe('an agent as a tool of another keeps what it was built with', () => {
  test('its model wrappers, and the container that they are handed', async () => {
    const expert = createAgent({
      name: 'expert',
      model: model(['unwrapped']),
      services: { inner: scriptedModel(['from the container']) },
      wrapModel: [(_model, { inner }) => inner],
    })
    const agent = createAgent({
      model: model(['unwrapped']),
      services: { outer: scriptedModel([ASKS_EXPERT, 'done']) },
      wrapModel: [(_model, { outer }) => outer],
      tools: [expert.asTool(AS_TOOL)],
    })
    const { messages } = await agent.run('2 + 3?').result
    assert.match(JSON.stringify(messages), /from the container/)
  })

  test('its registry, where a middleware of its own asks for a model by name', async () => {
    const models = source({ 'q/other': model(['from the registry'], 'q/other') })
    const elsewhere = defineMiddleware({
      name: 'elsewhere',
      generate: (call, next) => next({ ...call, model: 'q/other' }),
    })
    const expert = createAgent({
      name: 'expert',
      model: model(['mine']),
      registry: models,
      use: [elsewhere()],
    })
    const agent = agentWith([ASKS_EXPERT, 'done'], { tools: [expert.asTool(AS_TOOL)] })
    const { messages } = await agent.run('2 + 3?').result
    assert.match(JSON.stringify(messages), /from the registry/)
  })

  test('its error handling', async () => {
    const busy = { error: apiError(503) }
    const expert = agentWith([busy, 'at the second try'], {
      name: 'expert',
      errorHandling: { retries: 1, baseMs: 0, factor: 1, jitter: 0 },
    })
    const agent = agentWith([ASKS_EXPERT, 'done'], {
      errorHandling: { retries: 0, baseMs: 0, factor: 1, jitter: 0 },
      tools: [expert.asTool(AS_TOOL)],
    })
    const { messages } = await agent.run('2 + 3?').result
    assert.match(JSON.stringify(messages), /at the second try/)
  })
})
