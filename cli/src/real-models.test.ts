import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { startModelServer } from 'echelon/testing'
import { folderFor, runCommand } from './testing/run-command.ts'

const plan = (expr: string): { type: 'reply'; text: [string] } => ({
  type: 'reply',
  text: [JSON.stringify({ actions: [{ tool: 'calculator', args: { expr } }], cannot: null })],
})

const WRONG_THEN_RIGHT = [plan('15 * 24'), plan('15 + 23'), plan('15 * 23')]
const KEY = 'sk-test-0123456789abcdef'

test('[R1.1, R1.4] with a key and a base URL in the environment, gpt-5-nano starts and gpt-5 finishes', async (t) => {
  await using server = await startModelServer(WRONG_THEN_RIGHT)
  const variables = { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: server.baseUrl }
  const models = ['--small', 'openai/gpt-5-nano', '--big', 'openai/gpt-5']
  const { status, stdout, stderr } = await runCommand(
    ['decide', ...models, 'What is 15 * 23?'],
    folderFor(t),
    { env: variables },
  )
  assert.equal(status, 0, stderr)
  assert.match(stdout, /escalate ▲ to openai\/gpt-5/)
  assert.equal(stdout.match(/^warning .*gpt-5-nano: temperature: /gm)?.length, 1)
  assert.match(
    stdout,
    /\n345\nverified · openai\/gpt-5-nano 2× · openai\/gpt-5 1× · 3 tool calls · \$0\.0000\d+\n$/,
  )
  assert.deepEqual(
    server.requests.map(({ path, body }) => [path, body['model'], body['max_completion_tokens']]),
    [
      ['/v1/chat/completions', 'gpt-5-nano', 500],
      ['/v1/chat/completions', 'gpt-5-nano', 500],
      ['/v1/chat/completions', 'gpt-5', 4096],
    ],
  )
  assert.deepEqual(
    server.requests.map(({ body }) => body['reasoning_effort']),
    ['minimal', 'minimal', undefined],
  )
  for (const { body, headers } of server.requests) {
    assert.equal(headers.authorization, `Bearer ${KEY}`)
    assert.equal(body['store'], false)
    for (const refused of ['temperature', 'top_p', 'stop', 'max_tokens']) {
      assert.ok(!(refused in body), `${refused} is refused by reasoning models`)
    }
    assert.match(JSON.stringify(body['response_format']), /"strict":true/)
  }
  assert.doesNotMatch(stdout + stderr, /sk-test/)
  server.assertComplete()
})

test('[R1.1] with a key and no model named, these two are the models', async (t) => {
  await using server = await startModelServer([plan('15 * 23')])
  const variables = { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: server.baseUrl }
  const { stdout, stderr } = await runCommand(
    ['decide', '--json', 'What is 15 * 23?'],
    folderFor(t),
    { env: variables },
  )
  const result = JSON.parse(stdout)
  assert.equal(stderr, '')
  assert.deepEqual(
    result.rungs.map(({ model }: { model: string }) => model),
    ['openai/gpt-5-nano', 'openai/gpt-5'],
  )
  assert.ok(result.cost > 0)
})

test('[DD-18] a configuration chooses the responses family, and its body', async (t) => {
  await using server = await startModelServer(WRONG_THEN_RIGHT)
  const folder = folderFor(t)
  const file = `providers:\n  openai:\n    base_url: ${server.baseUrl}\n    api: responses\n`
  writeFileSync(join(folder, 'config.yaml'), file)
  const env = { OPENAI_API_KEY: KEY }
  const { status, stderr } = await runCommand(['decide', 'What is 15 * 23?'], folder, { env })
  assert.equal(status, 0, stderr)
  for (const { path, body } of server.requests) {
    assert.equal(path, '/v1/responses')
    const isBig = body['model'] === 'gpt-5'
    assert.deepEqual([body['store'], body['max_output_tokens']], [false, isBig ? 4096 : 500])
    assert.deepEqual(body['reasoning'], isBig ? undefined : { effort: 'minimal' })
    assert.deepEqual(body['include'], ['reasoning.encrypted_content'])
  }
  server.assertComplete()
})

test('a missing key is one sentence that names the variable', async (t) => {
  const folder = folderFor(t)
  for (const [model, variable] of [
    ['openai/gpt-5-nano', /OPENAI_API_KEY/],
    ['anthropic/claude-haiku-4-5', /ANTHROPIC_API_KEY/],
    ['google/gemini-2.5-flash', /GOOGLE_API_KEY/],
    ['groq/llama-3.3-70b-versatile', /GROQ_API_KEY/],
  ] as const) {
    const { status, stderr } = await runCommand(['decide', '--small', model, 'x'], folder)
    assert.equal(status, 2)
    assert.match(stderr, variable)
    assert.equal(stderr.trim().split('\n').length, 1)
  }
})

test('a server without an OpenAI API ends the run in a sentence that says what to check', async (t) => {
  const absent = { type: 'status', status: 404, message: 'Not Found' } as const
  await using server = await startModelServer(Array.from({ length: 12 }, () => absent))
  const variables = { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: server.baseUrl }
  const { stdout } = await runCommand(['decide', 'What is 15 * 23?'], folderFor(t), {
    env: variables,
  })
  assert.match(
    stdout,
    /gpt-5-nano is served neither through chat completions nor through responses here \(status 404: Not Found\); check the base URL and the model/,
  )
})
