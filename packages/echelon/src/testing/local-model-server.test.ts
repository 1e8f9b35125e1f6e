import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { startModelServer } from './local-model-server.ts'

const post = async (baseUrl: string, body: unknown): Promise<Response> =>
  await fetch(`${baseUrl}/chat/completions`, { method: 'POST', body: JSON.stringify(body) })

test('answers by script in OpenAI’s format and records the requests', async () => {
  await using server = await startModelServer([{ type: 'reply', text: ['4', '2'] }])
  assert.match(server.baseUrl, /^http:\/\/127\.0\.0\.1:\d+\/v1$/)
  const response = await post(server.baseUrl, { model: 'm', messages: [] })
  assert.deepEqual(await response.json(), {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content: '42' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  })
  assert.equal(server.requests[0]?.path, '/v1/chat/completions')
  assert.deepEqual(server.requests[0]?.body, { model: 'm', messages: [] })
  server.assertComplete()
})

test('sends usage in a stream only on request, and ends it with [DONE]', async () => {
  const reply = { type: 'reply', text: ['a'] } as const
  await using server = await startModelServer([reply, reply])
  const plain = await (await post(server.baseUrl, { stream: true })).text()
  const options = { stream: true, stream_options: { include_usage: true } }
  const metered = await (await post(server.baseUrl, options)).text()
  assert.ok(plain.endsWith('data: [DONE]\n\n'))
  assert.doesNotMatch(plain, /usage/)
  assert.match(metered, /"choices":\[\],"usage":\{"prompt_tokens":10/)
})

test('sends refusals and reasoning tokens in the format’s own form', async () => {
  const reply = {
    type: 'reply',
    refusal: 'no',
    finishReason: 'content-filter',
    usage: { input: 3, output: 2, reasoning: 1 },
  } as const
  await using server = await startModelServer([reply, reply])
  const whole = await (await post(server.baseUrl, { model: 'm' })).text()
  assert.match(whole, /"content":null,"refusal":"no"/)
  assert.match(whole, /"finish_reason":"content_filter"/)
  assert.match(whole, /"completion_tokens_details":\{"reasoning_tokens":1\}/)
  const stream = await (await post(server.baseUrl, { model: 'm', stream: true })).text()
  assert.match(stream, /"delta":\{"refusal":"no"\}/)
})

test('answers a request beyond the script with a status that is not retried', async () => {
  await using server = await startModelServer([])
  const response = await post(server.baseUrl, { model: 'm' })
  assert.equal(response.status, 400)
  assert.match(await response.text(), /unexpected_call/)
  assert.throws(() => server.assertComplete(), { code: 'UNEXPECTED_CALL' })
})

test('fails the end of the test if answers are left', async () => {
  await using server = await startModelServer([{ type: 'reply' }])
  assert.throws(() => server.assertComplete(), { code: 'UNEXPECTED_CALL', message: /0 requests/ })
})

test('returns not found for other paths, without counting them as requests', async () => {
  await using server = await startModelServer([])
  const response = await fetch(`${server.baseUrl}/models`)
  assert.equal(response.status, 404)
  server.assertComplete()
})

test(
  'frees the port and ends open requests on close, which can be repeated',
  { timeout: 5000 },
  async () => {
    const server = await startModelServer([{ type: 'silence' }])
    const hanging = post(server.baseUrl, {})
    while (server.requests.length === 0) await new Promise(setImmediate)
    await server.close()
    await server.close()
    await assert.rejects(hanging, TypeError)
    await assert.rejects(async () => await post(server.baseUrl, {}), TypeError)
  },
)

test('lets the process end after close, with a request pending', async () => {
  const script = `
    const { startModelServer } = await import(${JSON.stringify(import.meta.resolve('./local-model-server.ts'))})
    const server = await startModelServer([{ type: 'reply', text: ['a'] }, { type: 'silence' }])
    const ask = () => fetch(server.baseUrl + '/chat/completions', { method: 'POST', body: '{}' })
    await (await ask()).text()
    const hanging = ask().catch(() => console.log('ended'))
    while (server.requests.length < 2) await new Promise(setImmediate)
    await server.close()
    await hanging
    console.log(process.getActiveResourcesInfo().filter((it) => /TCP/.test(it)).join())
  `
  const args = ['--input-type=module', '--eval', script]
  const child = spawn(process.execPath, args, { timeout: 10_000 })
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  assert.equal(output, 'ended\n\n')
  assert.equal(code, 0)
})
