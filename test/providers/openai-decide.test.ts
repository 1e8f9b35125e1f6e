import assert from 'node:assert/strict'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { CaseResult } from '../../packages/echelon/src/agents/decide/case/case-result.ts'
import { wireSchema } from '../../packages/echelon/src/agents/decide/plan/wire-schema.ts'
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
} from '../../packages/echelon/src/core/value/json.ts'
import type { ProviderSettings } from '../../packages/echelon/src/core/model/model.ts'
import { createDecider } from '../../packages/echelon/src/decide.ts'
import { loadPrices } from '../../packages/echelon/src/providers/prices.ts'
import {
  type LocalModelServer,
  startModelServer,
} from '../../packages/echelon/src/testing/local-model-server.ts'
import type { ServerAnswer, ServerReply } from '../../packages/echelon/src/testing/wire/script.ts'
import { standardTools } from '@echelon/tools'
import { calc, MATH_TASK, planOf } from '../decide/fixtures.ts'

const USAGE = { input: 400, output: 60, reasoning: 20 }
const planned = (expr: string): ServerReply => ({
  type: 'reply',
  text: [planOf(calc(expr))],
  usage: USAGE,
})
const WRONG = planned('15 + 23')
const RIGHT = planned('15 * 23')

/** A case with a small and a big model, as the door creates them, with a test server. */
async function runAt(
  script: readonly ServerAnswer[],
  settings: ProviderSettings = {},
  small = 'gpt-5-nano',
): Promise<{ readonly result: CaseResult; readonly requests: LocalModelServer['requests'] }> {
  await using server = await startModelServer(script)
  await using folder = await mkdtempDisposable(join(tmpdir(), 'echelon-'))
  const { baseUrl } = server
  const decider = await createDecider({
    small: `openai/${small}`,
    big: 'openai/gpt-5',
    providers: { openai: { baseUrl, apiKey: 'test-key', ...settings } },
    artifacts: folder.path,
  })
  const result = await decider.runCase(MATH_TASK)
  server.assertComplete()
  return { result, requests: server.requests }
}

/** The two texts of a prompt in either API. */
function textsOf(body: JsonObject): readonly [orders: string, task: string] {
  const messages = body['messages'] ?? body['input'] ?? []
  assert.ok(isJsonArray(messages))
  const texts = messages.map((message) => {
    assert.ok(isJsonObject(message))
    const { content = null } = message
    if (typeof content === 'string') return content
    const [part = null] = isJsonArray(content) ? content : []
    assert.ok(isJsonObject(part) && typeof part['text'] === 'string')
    return part['text']
  })
  assert.equal(texts.length, 2)
  return [texts[0] ?? '', texts[1] ?? '']
}

interface Spoken {
  readonly api: 'chat' | 'responses'
  readonly path: string
  readonly body: (model: string, orders: string, task: string, schema: JsonObject) => JsonObject
}

const SPOKEN: readonly Spoken[] = [
  {
    api: 'chat',
    path: '/v1/chat/completions',
    body: (model, orders, task, schema) => ({
      model,
      messages: [
        { role: 'developer', content: orders },
        { role: 'user', content: task },
      ],
      ...(model === 'gpt-5'
        ? { max_completion_tokens: 4096 }
        : { max_completion_tokens: 500, reasoning_effort: 'minimal' }),
      store: false,
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'answer', strict: true, schema },
      },
    }),
  },
  {
    api: 'responses',
    path: '/v1/responses',
    body: (model, orders, task, schema) => ({
      model,
      input: [
        { role: 'developer', content: orders },
        { role: 'user', content: [{ type: 'input_text', text: task }] },
      ],
      ...(model === 'gpt-5'
        ? { max_output_tokens: 4096 }
        : { max_output_tokens: 500, reasoning: { effort: 'minimal' } }),
      store: false,
      include: ['reasoning.encrypted_content'],
      text: { format: { type: 'json_schema', name: 'answer', strict: true, schema } },
    }),
  },
]

for (const { api, path, body } of SPOKEN) {
  test(`[R1.1, R1.4, R20.2, DD-18] ${api}: gpt-5-nano goes first, and gpt-5 corrects its plan`, async () => {
    const { result, requests } = await runAt([WRONG, WRONG, RIGHT], { api })
    assert.deepEqual([result.finish_reason, result.answer], ['success', '345'])
    const schema = wireSchema(await standardTools(), 3)
    for (const [index, model] of ['gpt-5-nano', 'gpt-5-nano', 'gpt-5'].entries()) {
      const request = requests[index]
      assert.ok(request !== undefined)
      const [orders, task] = textsOf(request.body)
      assert.equal(request.path, path)
      assert.deepEqual(request.body, body(model, orders, task, schema))
      assert.ok(task.includes(MATH_TASK))
      assert.equal(orders.includes('A smaller model failed'), model === 'gpt-5')
      assert.equal(task.includes('15 + 23'), index > 0)
    }
    const { small_model, big_model, total_tokens } = result.token_usage
    const [small, big] = await Promise.all([listed('gpt-5-nano'), listed('gpt-5')])
    assert.deepEqual(small_model, { prompt_tokens: 800, completion_tokens: 120, cost: small * 2 })
    assert.deepEqual(big_model, { prompt_tokens: 400, completion_tokens: 60, cost: big })
    assert.equal(total_tokens, 1380)
    assert.ok(small > 0 && big > small)
    assert.equal(result.cost, small * 2 + big)
  })
}

test("a provider's reasoning effort applies to each rung, with a token ceiling to match", async () => {
  const { requests } = await runAt([WRONG, WRONG, RIGHT], { api: 'chat', reasoning: 'high' })
  assert.deepEqual(
    requests.map(({ body }) => [body['reasoning_effort'], body['max_completion_tokens']]),
    [
      ['high', 4096],
      ['high', 4096],
      ['high', 4096],
    ],
  )
})

test('[DD-18] a text-only model plans too: its plan is found in its text', async () => {
  const text = ['Here is the plan: ', planOf(calc('15 * 23'))]
  const { result, requests } = await runAt([{ type: 'reply', text }], {}, 'gpt-3.5-turbo-instruct')
  assert.deepEqual([result.finish_reason, result.answer], ['success', '345'])
  const [request] = requests
  assert.ok(request !== undefined)
  const { prompt, ...rest } = request.body
  assert.ok(typeof prompt === 'string' && prompt.includes(MATH_TASK))
  assert.equal(request.path, '/v1/completions')
  assert.deepEqual(rest, {
    model: 'gpt-3.5-turbo-instruct',
    max_tokens: 500,
    temperature: 0.1,
    stop: ['\nuser:', '\n\n'],
  })
})

test('an answer used up by reasoning is requested once more', async () => {
  const eaten: ServerReply = {
    type: 'reply',
    finishReason: 'length',
    usage: { input: 400, output: 500, reasoning: 500 },
  }
  for (const api of ['chat', 'responses'] as const) {
    const { result, requests } = await runAt([eaten, RIGHT], { api })
    assert.deepEqual([result.finish_reason, requests.length], ['success', 2])
    assert.match(textsOf(requests[1]?.body ?? {})[1], /Why your last answer was no plan/)
  }
})

test("the attempt that detects a server's API counts as a call and costs nothing", async () => {
  const absent: ServerAnswer = { type: 'status', status: 404, message: 'no such path' }
  const { result, requests } = await runAt([absent, RIGHT])
  assert.deepEqual(
    requests.map(({ path }) => path),
    ['/v1/chat/completions', '/v1/responses'],
  )
  assert.equal(result.finish_reason, 'success')
  assert.equal(result.counters.llm_calls_small, 2)
  assert.equal(result.cost, await listed('gpt-5-nano'))
})

/** The list price of one call of `USAGE`. */
async function listed(model: string): Promise<number> {
  const cost = (await loadPrices()).priceOf('openai', model)(USAGE)
  assert.ok(cost !== null)
  return cost
}
