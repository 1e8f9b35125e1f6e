import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { test, type TestContext } from 'node:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { createServer, hashToken, serveChat, serveMcpStdio } from '@echelon/server'
import { openStore } from '@echelon/store'
import { createAgent, defineTool, type Tool } from 'echelon'
import { artifactFolder } from 'echelon/runtime'
import { asBound, scriptedModel } from 'echelon/testing'
import * as fc from 'fast-check'
import { z } from 'zod'
import { IS_WHOLE } from '../share.ts'
import { scripted, serving } from './served.ts'

const acting: Tool = defineTool({
  name: 'act',
  description: 'Acts.',
  input: { type: 'object', properties: {} },
  does: 'acts',
  needsApproval: true,
  run: async () => 'acted',
})

const WAITING = z.object({ run: z.string(), waits: z.object({ request: z.string() }) })
const SHOWN = z.object({
  isError: z.boolean().optional(),
  content: z.array(z.object({ text: z.string() })),
})

async function connect(t: TestContext, url: string, token: string): Promise<[Client, string]> {
  const client = new Client({ name: 'test', version: '1.0.0' })
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  })
  await client.connect(transport)
  t.after(() => client.close())
  return [client, transport.sessionId ?? '']
}

test('sessions, runs, conversations and files of one user are unknown to another', async (t) => {
  const [a, b] = ['a'.repeat(40), 'b'.repeat(40)]
  const { url } = await serving(
    t,
    (store) => [
      scripted(store, [{ toolCalls: [{ tool: 'act', input: {} }] }, 'Done.'], { tools: [acting] }),
    ],
    {
      tokens: [
        { name: 'ada', sha256: hashToken(a) },
        { name: 'bob', sha256: hashToken(b), agents: [] },
      ],
    },
  )
  const [ada, session] = await connect(t, url, a)
  const [bob] = await connect(t, url, b)
  const called = await ada.callTool({ name: 'chat', arguments: { input: 'go', session: 's' } })
  const { run, waits } = WAITING.parse(called.structuredContent)
  const answer = (client: Client, given: object) =>
    client.callTool({
      name: 'answer_request',
      arguments: { run, request: waits.request, reply: 'once', ...given },
    })
  const stolen = SHOWN.parse(await answer(bob, {}))
  const unknown = SHOWN.parse(await answer(bob, { run: 'none' }))
  assert.ok(stolen.isError && unknown.isError)
  assert.equal(stolen.content[0]?.text.replace(run, 'none'), unknown.content[0]?.text)
  await assert.rejects(bob.callTool({ name: 'chat', arguments: { input: 'go' } }), /no tool chat/)
  for (const uri of [
    `echelon://runs/${run}`,
    'echelon://conversations/chat/s',
    'echelon://x',
    'echelon://runs/%',
  ]) {
    await assert.rejects(bob.readResource({ uri }), /there is no/)
  }
  assert.deepEqual((await bob.listResources()).resources, [])
  const other = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${b}`,
      'mcp-session-id': session,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  })
  assert.equal(other.status, 404)
  const done = SHOWN.parse(await answer(ada, {}))
  assert.equal(done.content[0]?.text, 'Done.')
  assert.match(JSON.stringify(await ada.readResource({ uri: `echelon://runs/${run}` })), /finished/)
})

test('a file that a run wrote is a resource of its user', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'echelon-mcp-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const write = defineTool({
    name: 'write',
    description: 'Writes a file.',
    input: { type: 'object', properties: {} },
    does: 'idempotent',
    run: async (_, context) =>
      (await context.artifacts.write('a note.txt', new TextEncoder().encode('hi'))).name,
  })
  const [a, b] = ['a'.repeat(40), 'b'.repeat(40)]
  const { url } = await serving(
    t,
    (store) => {
      const model = scriptedModel([{ toolCalls: [{ tool: 'write', input: {} }] }, 'Written.'])
      const agent = createAgent({
        name: 'chat',
        model: asBound(model, 'test/model', () => 0),
        tools: [write],
        store,
        artifacts: artifactFolder({ folder }),
      })
      return [serveChat(agent, { description: 'Writes.' })]
    },
    {
      tokens: [
        { name: 'ada', sha256: hashToken(a) },
        { name: 'bob', sha256: hashToken(b) },
      ],
    },
  )
  const [ada] = await connect(t, url, a)
  const [bob] = await connect(t, url, b)
  const called = await ada.callTool({ name: 'chat', arguments: { input: 'go' } })
  const links = z.array(z.looseObject({ type: z.string(), uri: z.string().optional() }))
  const link = links.parse(called.content).find(({ type }) => type === 'resource_link')
  const uri = link?.uri ?? ''
  const { contents } = await ada.readResource({ uri })
  assert.partialDeepStrictEqual(contents, [{ uri, text: 'hi' }])
  assert.ok((await ada.listResources()).resources.some((one) => one.uri === uri))
  await assert.rejects(bob.readResource({ uri }), /there is no/)
  const above = uri.replace(/[^/]+$/, encodeURIComponent('../../etc/passwd'))
  await assert.rejects(ada.readResource({ uri: above }), /there is no/)
})

test('a program that started the server uses it over its streams', async (t) => {
  const store = await openStore(':memory:')
  const server = createServer({ agents: [scripted(store, ['Hello.'])], store })
  t.after(async () => {
    await server.stop()
    await store.close()
  })
  const input = new PassThrough()
  const output = new PassThrough()
  const served = serveMcpStdio(server, { input, output })
  const lines = output.setEncoding('utf8')[Symbol.asyncIterator]()
  const ask = async (message: object): Promise<unknown> => {
    input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
    const next = await lines.next()
    return JSON.parse(z.string().parse(next.value))
  }
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 't', version: '1' },
  }
  assert.match(JSON.stringify(await ask({ id: 1, method: 'initialize', params })), /echelon/)
  const call = { name: 'chat', arguments: { input: 'hi' } }
  assert.match(JSON.stringify(await ask({ id: 2, method: 'tools/call', params: call })), /Hello\./)
  input.end()
  await served
})

test('the client of the SDK starts the server as a program', async (t) => {
  const client = new Client({ name: 'test', version: '1.0.0' })
  const program = new URL('../fixtures/mcp-stdio-program.ts', import.meta.url)
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: ['--conditions=echelon-source', program.pathname],
    }),
  )
  t.after(() => client.close())
  const called = await client.callTool({ name: 'chat', arguments: { input: 'hi' } })
  assert.equal(SHOWN.parse(called).content[0]?.text, 'Hello from a program.')
})

const anything = fc.jsonValue({ maxDepth: 4 })
const METHODS = [
  'initialize',
  'ping',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/read',
  'resources/templates/list',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'notifications/initialized',
  'notifications/cancelled',
  'notifications/progress',
  'elicitation/create',
]
const rpc = fc.record(
  {
    jsonrpc: fc.oneof({ weight: 9, arbitrary: fc.constant('2.0') }, anything),
    id: fc.oneof({ weight: 9, arbitrary: fc.nat() }, anything),
    method: fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...METHODS) }, anything),
    params: fc.oneof(
      fc.record(
        {
          name: fc.oneof(fc.constantFrom('chat', 'answer_request', 'ask_chat'), fc.string()),
          arguments: fc.oneof(
            fc.record(
              { input: anything, run: anything, request: anything, reply: anything },
              { requiredKeys: [] },
            ),
            anything,
          ),
          uri: fc.oneof(
            fc.webUrl(),
            fc.string().map((path) => `echelon://${path}`),
          ),
          requestId: anything,
          _meta: anything,
        },
        { requiredKeys: [] },
      ),
      anything,
    ),
    result: anything,
  },
  { requiredKeys: ['jsonrpc'] },
)

const RUNS = IS_WHOLE ? 10_000 : 100

test(
  'no message makes the server fail or hang',
  { timeout: IS_WHOLE ? 900_000 : 60_000 },
  async (t) => {
    const { url } = await serving(t, (store) => [
      scripted(
        store,
        Array.from({ length: RUNS }, () => 'ok'),
      ),
    ])
    const client = new Client({ name: 'test', version: '1.0.0' })
    const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`))
    await client.connect(transport)
    const { sessionId = '' } = transport
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(rpc, fc.array(rpc, { maxLength: 3 }), anything, fc.string()),
        fc.constantFrom(sessionId, sessionId, 'none', undefined),
        fc.constantFrom('POST', 'POST', 'POST', 'DELETE', 'PUT'),
        async (given, session, method) => {
          const response = await fetch(`${url}/mcp`, {
            method: method === 'DELETE' && session === sessionId ? 'POST' : method,
            headers: {
              'content-type': 'application/json',
              accept: 'application/json, text/event-stream',
              ...(session !== undefined && { 'mcp-session-id': session }),
            },
            body: typeof given === 'string' ? given : JSON.stringify(given),
            signal: AbortSignal.timeout(10_000),
          })
          const text = await response.text()
          assert.ok(response.status < 500, `${response.status}: ${text}`)
          assert.doesNotMatch(text, /internal_error|at .*\.ts:\d|node_modules/)
        },
      ),
      { numRuns: RUNS },
    )
    // It still serves those who speak the protocol.
    assert.equal((await client.listTools()).tools.length, 2)
    await client.close()
  },
)
