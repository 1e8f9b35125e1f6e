import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { openaiProvider } from '../../packages/echelon/src/providers/openai.ts'
import type { ProviderSettings } from '../../packages/echelon/src/core/model/model.ts'
import type { Problem } from '../../packages/echelon/src/core/model/problem.ts'
import { toProblem } from '../../packages/echelon/src/runtime/model/provider-problem.ts'
import {
  type ServerAnswer,
  startModelServer,
} from '../../packages/echelon/src/testing/local-model-server.ts'

const ASK: LanguageModelV4CallOptions = {
  prompt: [{ role: 'user', content: [{ type: 'text', text: 'how much is 6 * 7?' }] }],
}

/** The failures of successive calls to one server. */
async function problemsOf(
  answers: readonly ServerAnswer[],
  settings: ProviderSettings = {},
): Promise<readonly Problem[]> {
  await using server = await startModelServer(answers)
  const at = { baseUrl: server.baseUrl, apiKey: 'test-key', ...settings }
  const { model, normalizeError } = await openaiProvider().load('gpt-5-nano', at)
  const problems: Problem[] = []
  for (const _ of answers) {
    const failed = async (): Promise<unknown> => await model.doGenerate(ASK)
    await failed().catch((error: unknown) => problems.push(toProblem(error, 1, normalizeError)))
  }
  return problems
}

const ABSENT: ServerAnswer = { type: 'status', status: 404, message: 'Not Found' }

test('an unsupported request is reported with what to do, whatever the server says', async () => {
  const [switched, neither] = await problemsOf([ABSENT, ABSENT])
  assert.deepEqual([switched?.code, switched?.retryable], ['unavailable', true])
  assert.match(switched?.message ?? '', /later calls use responses$/)
  assert.deepEqual([neither?.code, neither?.retryable], ['not-found', false])
  assert.match(neither?.message ?? '', /neither through .*; check the base URL and the model$/)
  const [set] = await problemsOf([ABSENT], { api: 'chat' })
  assert.match(set?.message ?? '', /404: Not Found\); set api to responses or completions$/)
})

test('a date to retry at becomes a wait, and seconds stay as they are', async () => {
  const hour = 3_600_000
  const past = 'Wed, 21 Oct 2015 07:28:00 GMT'
  const answers = [new Date(Date.now() + hour).toUTCString(), past, '7', 'soon'].map(
    (after): ServerAnswer => ({
      type: 'status',
      status: 429,
      message: 'busy',
      headers: { 'retry-after': after },
    }),
  )
  const [later = 0, ...others] = (await problemsOf(answers)).map(({ retryAfterMs }) => retryAfterMs)
  assert.ok(later > 0 && later <= hour)
  assert.deepEqual(others, [0, 7000, undefined])
})
