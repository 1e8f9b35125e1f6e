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

test('a server at an address is called like a program', async (t) => {
  const port = await freePort()
  const child = await everythingAt(port)
  t.after(() => end(child))
  const heard: Json[] = []
  await using server = await connectMcp({ name: 'web', url: `http://127.0.0.1:${port}/mcp` })
  assert.equal(await call(server, 'web_echo', { message: 'hello' }), 'Echo: hello')
  const context = contextIn(folderFor(t), { progress: (data) => heard.push(data) })
  await call(server, 'web_trigger-long-running-operation', { duration: 0.02, steps: 2 }, context)
  assert.deepEqual(heard, [
    { progress: 1, total: 2 },
    { progress: 2, total: 2 },
  ])
  const asking = contextIn(folderFor(t), { ask: () => Promise.resolve({ name: 'Ada' }) })
  const said = await call(server, 'web_trigger-elicitation-request', {}, asking)
  assert.match(JSON.stringify(said), /- Name: Ada/)
})

test('a server that was started anew has forgotten the session, and is given a new one', async (t) => {
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

test('a server that dies in mid-call does not leave it hanging', async (t) => {
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

test('an address at which nothing listens is one sentence', async () => {
  const url = `http://127.0.0.1:${await freePort()}/mcp`
  await assert.rejects(connectMcp({ name: 'web', url }), {
    code: 'SERVER_UNREACHABLE',
    message: `the MCP server web cannot be used: it cannot be reached at ${url} (ECONNREFUSED)`,
  })
})

test('an address that is something else is one sentence', async (t) => {
  const port = await freePort()
  const child = await everythingAt(port)
  t.after(() => end(child))
  const url = `http://127.0.0.1:${port}/elsewhere`
  await assert.rejects(connectMcp({ name: 'web', url }), {
    message: `the MCP server web cannot be used: nothing speaks streamable HTTP at ${url} (status 404); the older SSE is not spoken here`,
  })
})
