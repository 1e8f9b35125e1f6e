import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MiddlewareRun, ModelCall, ModelOutcome } from '../../core/extension/middleware.ts'
import { NOTHING_SAID } from '../../core/message/thread.ts'
import { type RequestOptions, requestOptionsMiddleware } from './request-options.ts'

const ANSWER: ModelOutcome = {
  type: 'generated',
  text: 'hello',
  calls: [],
  finish: 'stop',
  model: 'p/m',
  usage: { input: 1, output: 1 },
  cost: 0,
}

const CALL: ModelCall = {
  actor: 'agent',
  role: 'main',
  modelId: 'scripted/scripted',
  show: 'user',
  tools: ['add', 'read'],
  maxTokens: 9,
  prompt: { head: [], thread: NOTHING_SAID, tail: [] },
}

/** The call after the callback has changed it. The middleware uses nothing of the host. */
async function through(
  configure: (options: RequestOptions) => RequestOptions,
): Promise<ModelCall | undefined> {
  let passed: ModelCall | undefined
  const run = new Proxy<MiddlewareRun>(Object.create(null), {
    get: (_, name) => assert.fail(`it looked at ${String(name)}`),
  })
  const next = async (call: ModelCall): Promise<ModelOutcome> => {
    passed = call
    return ANSWER
  }
  assert.equal(await requestOptionsMiddleware(configure).generate?.(CALL, next, run), ANSWER)
  return passed
}

test('[C-9] the callback receives the options of the call and returns those to use', async () => {
  let seen: RequestOptions | undefined
  const passed = await through((options) => {
    seen = options
    return { ...options, maxTokens: 5, model: 'q/n', sampling: { temperature: 0 } }
  })
  assert.deepEqual(seen, { tools: ['add', 'read'], maxTokens: 9 })
  assert.deepEqual(passed, {
    ...CALL,
    maxTokens: 5,
    model: 'q/n',
    sampling: { temperature: 0 },
  })
})

test('[C-9] options that the callback omits are not sent', async () => {
  const { prompt, actor, role, show, modelId } = CALL
  assert.deepEqual(await through(() => ({})), { prompt, actor, role, show, modelId })
})

test('[C-9] the callback can remove tools but not add any', async () => {
  const passed = await through((options) => ({ ...options, tools: ['read', 'rm'] }))
  assert.deepEqual(passed?.tools, ['read'])
})
