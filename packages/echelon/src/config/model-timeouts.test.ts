import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_MODEL_TIMEOUTS } from '../core/model/model-timeouts.ts'
import { configOf } from './in-tests.ts'

test('model timeouts have defaults, or the seconds of a file', async () => {
  assert.deepEqual((await configOf({})).modelTimeouts, DEFAULT_MODEL_TIMEOUTS)
  const yaml = 'model_timeouts:\n  answer_seconds: 7.5\n'
  const { modelTimeouts } = await configOf({ yaml, env: { MODEL_TIMEOUTS_PAUSE_SECONDS: '2' } })
  assert.deepEqual(modelTimeouts, { answerMs: 7500, pauseMs: 2000 })
})

test('null means no limit', async () => {
  const yaml = 'model_timeouts:\n  answer_seconds: null\n  pause_seconds: null\n'
  const { modelTimeouts } = await configOf({ yaml })
  assert.deepEqual(modelTimeouts, { answerMs: Infinity, pauseMs: Infinity })
})

test('zero and more than a day are rejected with the line', async () => {
  for (const seconds of [0, -1, 86_401, '.inf', 'soon']) {
    await assert.rejects(
      configOf({ yaml: `model_timeouts:\n  pause_seconds: ${seconds}\n` }),
      /config\.yaml:2: .*model_timeouts\.pause_seconds is .* must be a number from 0\.001 to 86400, or null/,
    )
  }
})
