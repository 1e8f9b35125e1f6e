import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test, type TestContext } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import {
  type ElicitRequest,
  ElicitRequestSchema,
  type ElicitResult,
} from '@modelcontextprotocol/sdk/types.js'
import { defineTool, type Tool } from 'echelon'
import type { ScriptedAnswer } from 'echelon/testing'
import { z } from 'zod'
import { mailTool } from './acting-tools.ts'
import { decider, scripted, type Served, serving } from './served.ts'

const RESULT = z.object({
  status: z.string(),
  run: z.string(),
  answer: z.string().optional(),
  checked: z.string().optional(),
  confidence: z.number().nullable().optional(),
  cost: z.number().nullable().optional(),
  waits: z.object({ request: z.string(), kind: z.string(), message: z.string() }).optional(),
})

const CALLED = z.object({
  content: z.array(z.object({ type: z.string(), text: z.string().optional() }).loose()),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().optional(),
})

type Answering = (request: ElicitRequest['params']) => ElicitResult | Promise<ElicitResult>

async function connect(
  t: TestContext,
  { url }: Pick<Served, 'url'>,
  answering?: Answering,
): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { capabilities: answering === undefined ? {} : { elicitation: {} } },
  )
  if (answering !== undefined) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => answering(params))
  }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)))
  t.after(() => client.close())
  // The client checks results by the schemas that it has listed.
  await client.listTools()
  return client
}

const call = async (client: Client, name: string, given: Record<string, unknown>) => {
  const called = CALLED.parse(await client.callTool({ name, arguments: given }))
  const { content, isError = false } = called
  const text = content.map((one) => one.text ?? '').join('\n')
  return { text, isError, content, result: RESULT.safeParse(called.structuredContent).data }
}

const calling = (tool: string, input: object = {}): ScriptedAnswer => ({
  toolCalls: [{ tool, input: { ...input } }],
})

const asker = (schema: Parameters<NonNullable<Parameters<Tool['run']>[1]['ask']>>[1]): Tool =>
  defineTool({
    name: 'ask_user',
    description: 'Asks.',
    input: { type: 'object', properties: {} },
    does: 'reads',
    run: async (_, { ask }) => (await ask?.('Which color?', schema)) ?? 'nobody',
  })

test('each agent is a tool with its options, and its result says what it is worth', async (t) => {
  const served = await serving(t, async (store) => [
    scripted(store, ['Hello.']),
    await decider(store),
  ])
  const client = await connect(t, served)
  const { tools } = await client.listTools()
  assert.deepEqual(
    tools.map(({ name }) => name),
    ['chat', 'decide', 'answer_request'],
  )
  const decide = tools.find(({ name }) => name === 'decide')
  assert.ok(JSON.stringify(decide?.inputSchema).includes('fallback_only'))
  const { result, text } = await call(client, 'decide', { input: 'What is 15 * 23?' })
  assert.match(text, /345/)
  assert.partialDeepStrictEqual(result, { status: 'finished', checked: 'proved' })
  assert.equal(typeof result?.cost, 'number')
})

test('a session continues its conversation', async (t) => {
  const served = await serving(t, (store) => [
    scripted(store, [
      'One.',
      ({ prompt }) => (JSON.stringify(prompt).includes('One.') ? 'I remember.' : 'Who?'),
    ]),
  ])
  const client = await connect(t, served)
  await call(client, 'chat', { input: 'first', session: 's' })
  const { text } = await call(client, 'chat', { input: 'second', session: 's' })
  assert.equal(text, 'I remember.')
  const { resources } = await client.listResources()
  const conversation = resources.find(({ name }) => name === 'chat: s')
  const { contents } = await client.readResource({ uri: conversation?.uri ?? '' })
  assert.match(JSON.stringify(contents), /first.*I remember/)
})

test('wrong arguments are an error that the model reads', async (t) => {
  const served = await serving(t, (store) => [scripted(store, [])])
  const client = await connect(t, served)
  for (const given of [{}, { input: 7 }, { input: '' }, { input: 'x', extra: true }]) {
    const { isError, text } = await call(client, 'chat', given)
    assert.ok(isError)
    assert.match(text, /input|extra/)
  }
  await assert.rejects(client.callTool({ name: 'nobody', arguments: {} }), /no tool nobody/)
})

test('a call tells its progress', async (t) => {
  const served = await serving(t, async (store) => [await decider(store)])
  const client = await connect(t, served)
  const notes: { progress: number; message?: string | undefined }[] = []
  await client.callTool({ name: 'decide', arguments: { input: 'What is 2 + 2?' } }, undefined, {
    onprogress: (note) => void notes.push(note),
  })
  assert.ok(notes.length > 0)
  assert.ok(
    notes.every(({ progress }, nth) => nth === 0 || progress > (notes[nth - 1]?.progress ?? 0)),
  )
})

for (const { action, decision, isSent } of [
  { action: 'accept', decision: 'once', isSent: true },
  { action: 'accept', decision: 'deny', isSent: false },
  { action: 'decline', decision: undefined, isSent: false },
] as const) {
  test(`an approval is an elicitation, answered by ${action} ${decision ?? ''}`, async (t) => {
    const sent: unknown[] = []
    const served = await serving(t, (store) => [
      scripted(store, [calling('send', { to: 'a@b.c' }), 'Done.'], { tools: [mailTool(sent)] }),
    ])
    const asked: ElicitRequest['params'][] = []
    const client = await connect(t, served, (params) => {
      asked.push(params)
      return { action, ...(decision !== undefined && { content: { decision } }) }
    })
    const { text } = await call(client, 'chat', { input: 'send it' })
    assert.equal(text, 'Done.')
    assert.equal(sent.length, isSent ? 1 : 0)
    assert.match(asked[0]?.message ?? '', /send.*a@b\.c/s)
  })
}

for (const { title, schema, content, reply } of [
  { title: 'words', schema: { type: 'string' }, content: { answer: 'blue' }, reply: 'blue' },
  { title: 'a yes', schema: { type: 'boolean' }, content: { answer: true }, reply: 'true' },
  {
    title: 'a form',
    schema: {
      type: 'object',
      properties: { color: { enum: ['red', 'blue'] }, n: { type: 'integer' } },
    },
    content: { color: 'red', n: 2 },
    reply: '{"color":"red","n":2}',
  },
  {
    title: 'JSON',
    schema: { type: 'array', items: { type: 'string' } },
    content: { answer: '["a","b"]' },
    reply: '["a","b"]',
  },
] as const) {
  test(`a question is an elicitation, answered by ${title}`, async (t) => {
    const served = await serving(t, (store) => [
      scripted(
        store,
        [calling('ask_user'), ({ prompt }) => JSON.stringify(prompt.at(-1)?.content)],
        { tools: [asker({ ...schema })] },
      ),
    ])
    const client = await connect(t, served, () => ({ action: 'accept', content: { ...content } }))
    const { text } = await call(client, 'chat', { input: 'paint' })
    assert.ok(text.replaceAll('\\', '').includes(reply), text)
  })
}

test('a user who cancels an elicitation ends the run', async (t) => {
  const served = await serving(t, (store) => [
    scripted(store, [calling('ask_user'), 'Never.'], { tools: [asker({ type: 'string' })] }),
  ])
  const client = await connect(t, served, () => ({ action: 'cancel' }))
  const { result } = await call(client, 'chat', { input: 'paint' })
  assert.equal(result?.status, 'canceled')
})

test('a client that cannot ask is told what waits, and answers with a tool', async (t) => {
  const sent: unknown[] = []
  const served = await serving(t, (store) => [
    scripted(store, [calling('send', { to: 'a@b.c' }), calling('ask_user'), 'Done.'], {
      tools: [mailTool(sent), asker({ type: 'string' })],
    }),
  ])
  const client = await connect(t, served)
  const first = await call(client, 'chat', { input: 'send it' })
  assert.equal(first.result?.status, 'waiting')
  assert.equal(first.result.waits?.kind, 'approval')
  assert.match(first.text, /answer_request/)
  const { run } = first.result
  const refused = await call(client, 'answer_request', {
    run,
    request: first.result.waits.request,
    reply: 'perhaps',
  })
  assert.ok(refused.isError)
  const second = await call(client, 'answer_request', {
    run,
    request: first.result.waits.request,
    reply: 'once',
  })
  assert.equal(second.result?.waits?.message, 'Which color?')
  const third = await call(client, 'answer_request', {
    run,
    request: second.result.waits.request,
    reply: 'blue',
  })
  assert.deepEqual([third.text, sent.length], ['Done.', 1])
  const again = await call(client, 'answer_request', {
    run,
    request: second.result.waits.request,
    reply: 'red',
  })
  assert.ok(again.isError)
})

test('a canceled call ends its run', async (t) => {
  const aborted = Promise.withResolvers<void>()
  const served = await serving(t, (store) => [
    scripted(store, [
      async ({ abortSignal }) => {
        abortSignal?.addEventListener('abort', () => aborted.resolve(), { once: true })
        await aborted.promise
        return 'too late'
      },
    ]),
  ])
  const client = await connect(t, served)
  const stop = new AbortController()
  const running = client.callTool({ name: 'chat', arguments: { input: 'go' } }, undefined, {
    signal: stop.signal,
  })
  await setTimeout(100)
  stop.abort('enough')
  await assert.rejects(running)
  await aborted.promise
})

test('a prompt of each agent asks it', async (t) => {
  const served = await serving(t, (store) => [scripted(store, [])])
  const client = await connect(t, served)
  const { prompts } = await client.listPrompts()
  assert.deepEqual(
    prompts.map(({ name }) => name),
    ['ask_chat'],
  )
  const { messages } = await client.getPrompt({ name: 'ask_chat', arguments: { input: 'hi?' } })
  assert.match(JSON.stringify(messages), /tool chat.*hi\?/)
  await assert.rejects(client.getPrompt({ name: 'ask_chat' }), /input/)
  await assert.rejects(client.getPrompt({ name: 'ask_nobody' }), /no such prompt/)
})

test('pages of other sites and foreign host names are refused', async (t) => {
  const { url } = await serving(t, (store) => [scripted(store, [])])
  const post = (headers: Record<string, string>) =>
    fetch(`${url}/mcp`, { method: 'POST', headers, body: '{}' })
  assert.equal((await post({ origin: 'https://evil.example' })).status, 403)
  assert.notEqual((await post({ origin: 'http://localhost:5173' })).status, 403)
  const { port } = new URL(url)
  assert.equal(await statusWithHost(port, 'evil.example'), 403)
  assert.notEqual(await statusWithHost(port, `localhost:${port}`), 403)
})

/** `fetch` does not let a program choose the host name. */
const statusWithHost = (port: string, host: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const asked = request({
      port,
      host: '127.0.0.1',
      path: '/mcp',
      method: 'POST',
      headers: { host },
    })
    asked.once('response', (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    asked.once('error', reject)
    asked.end('{}')
  })
