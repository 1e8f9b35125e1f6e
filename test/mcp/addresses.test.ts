import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json } from '../../packages/echelon/src/core/value/json.ts'
import { jsonForm } from '../../packages/echelon/src/core/value/json-form.ts'
import { ToolError } from '../../packages/echelon/src/core/tool/tool.ts'
import { SetClock } from '../../packages/echelon/src/testing/set-clock.ts'
import { connectMcp, type McpConnection } from '@echelon/mcp'
import { contextIn, end, everythingAt, folderFor, freePort, until } from './peers.ts'

const call = async (
  connection: McpConnection,
  name: string,
  input: Json,
  context = contextIn('/nowhere'),
): Promise<Json> => {
  const tool = connection.tools.find((tool) => tool.name === name)
  assert.ok(tool !== undefined)
  return jsonForm(await tool.run(input, context))
}

const PATIENT = { retries: 1000, baseMs: 500, factor: 1, jitter: 0 }

test('a server at a URL is called like a program', async (t) => {
  const port = await freePort()
  const child = await everythingAt(port)
  t.after(() => end(child))
  const progress: Json[] = []
  await using server = await connectMcp({ name: 'web', url: `http://127.0.0.1:${port}/mcp` })
  assert.equal(await call(server, 'web_echo', { message: 'hello' }), 'Echo: hello')
  const context = contextIn(folderFor(t), { progress: (data) => progress.push(data) })
  await call(server, 'web_trigger-long-running-operation', { duration: 0.02, steps: 2 }, context)
  assert.deepEqual(progress, [
    { progress: 1, total: 2 },
    { progress: 2, total: 2 },
  ])
  const asking = contextIn(folderFor(t), { ask: () => Promise.resolve({ name: 'Ada' }) })
  const result = await call(server, 'web_trigger-elicitation-request', {}, asking)
  assert.match(JSON.stringify(result), /- Name: Ada/)
})

test('a restarted server gets a new session', async (t) => {
  const port = await freePort()
  let child = await everythingAt(port)
  t.after(() => end(child))
  const clock = new SetClock()
  const states: string[] = []
  await using server = await connectMcp(
    { name: 'web', url: `http://127.0.0.1:${port}/mcp` },
    { clock, reconnect: PATIENT, onState: (state) => states.push(state) },
  )
  await end(child)
  await until(() => server.state === 'reconnecting')
  const waits = call(server, 'web_echo', { message: 'hello' })
  const refused = assert.rejects(
    waits,
    (error) => error instanceof ToolError && error.code === 'NET_TIMEOUT',
  )
  await clock.advance(5000)
  await refused
  child = await everythingAt(port)
  while (server.state !== 'connected') {
    await until(() => clock.pending > 0 || server.state === 'connected')
    await clock.advance(5000)
  }
  assert.equal(await call(server, 'web_echo', { message: 'again' }), 'Echo: again')
  assert.deepEqual(states, ['connected', 'reconnecting', 'connected'])
})

test('a call fails when the server dies during it', async (t) => {
  const port = await freePort()
  const child = await everythingAt(port)
  t.after(() => end(child))
  const clock = new SetClock()
  await using server = await connectMcp(
    { name: 'web', url: `http://127.0.0.1:${port}/mcp` },
    { clock },
  )
  let killing: Promise<void> | undefined
  const context = contextIn(folderFor(t), {
    progress: () => {
      killing ??= end(child)
    },
  })
  const name = 'web_trigger-long-running-operation'
  await assert.rejects(
    call(server, name, { duration: 60, steps: 2000 }, context),
    (error) => error instanceof ToolError && error.code === 'NET_TIMEOUT',
  )
  await killing
  assert.equal(server.state, 'reconnecting')
})

test('an address where nothing listens is reported in one sentence', async () => {
  const url = `http://127.0.0.1:${await freePort()}/mcp`
  await assert.rejects(connectMcp({ name: 'web', url }), {
    code: 'SERVER_UNREACHABLE',
    message: `the MCP server web cannot be used: it is unreachable at ${url} (ECONNREFUSED)`,
  })
})

test('an address that is not an MCP server is reported in one sentence', async (t) => {
  const port = await freePort()
  const child = await everythingAt(port)
  t.after(() => end(child))
  const url = `http://127.0.0.1:${port}/elsewhere`
  await assert.rejects(connectMcp({ name: 'web', url }), {
    message: `the MCP server web cannot be used: no streamable HTTP server at ${url} (status 404); the older SSE transport is not supported`,
  })
})
