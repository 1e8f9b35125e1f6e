import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Json } from '../../packages/echelon/src/core/value/json.ts'
import { jsonForm } from '../../packages/echelon/src/core/value/json-form.ts'
import {
  type Tool,
  type ToolContext,
  ToolError,
} from '../../packages/echelon/src/core/tool/tool.ts'
import { SetClock } from '../../packages/echelon/src/testing/set-clock.ts'
import { connectMcp, type McpConnection } from '@echelon/mcp'
import {
  contextIn,
  everything,
  filesIn,
  folderFor,
  hostile,
  odd,
  traceable,
  until,
} from './peers.ts'

const toolNamed = (connection: McpConnection, name: string): Tool => {
  const tool = connection.tools.find((tool) => tool.name === name)
  assert.ok(tool !== undefined, `there is no ${name}`)
  return tool
}

/** The text of a result. */
const textOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))

const run = async (
  connection: McpConnection,
  name: string,
  input: Json,
  context: ToolContext,
): Promise<Json> => jsonForm(await toolNamed(connection, name).run(input, context))

const isToolError =
  (code: ToolError['code'], says: RegExp) =>
  (error: unknown): boolean =>
    error instanceof ToolError && error.code === code && says.test(error.message)

test('tools of a server have its name as prefix and ask unless they only read', async (t) => {
  const folder = folderFor(t)
  await using files = await connectMcp(filesIn(folder))
  const facts = Object.fromEntries(
    files.tools.map(({ name, does, needsApproval }) => [name, [does, needsApproval]]),
  )
  assert.deepEqual(facts['files_read_text_file'], ['reads', false])
  assert.deepEqual(facts['files_write_file'], ['idempotent', true])
  assert.deepEqual(facts['files_edit_file'], ['acts', true])
  assert.deepEqual(facts['files_move_file'], ['acts', true])
  const write = toolNamed(files, 'files_write_file')
  assert.match(write.description, /^Create a new file/)
  assert.deepEqual(write.jsonSchema['required'], ['path', 'content'])
})

test('trust and rules decide whether annotations count', async (t) => {
  const server = filesIn(folderFor(t))
  const asks = async (options: Parameters<typeof connectMcp>[1]): Promise<readonly string[]> => {
    await using files = await connectMcp(server, options)
    return files.tools.filter(({ needsApproval }) => needsApproval).map(({ name }) => name)
  }
  const only = ['read_text_file', 'write_file']
  assert.deepEqual(await asks({ only, trust: 'nothing' }), [
    'files_read_text_file',
    'files_write_file',
  ])
  assert.deepEqual(await asks({ only, trust: 'everything' }), [])
  const rules = { read_text_file: { needsApproval: true }, write_file: { needsApproval: false } }
  assert.deepEqual(await asks({ only, rules }), ['files_read_text_file'])
})

test('an unknown name in only is refused with the tools of the server', async (t) => {
  const only = ['read_text_file', 'nope']
  await assert.rejects(connectMcp(filesIn(folderFor(t)), { only }), {
    code: 'INVALID_DEFINITION',
    message:
      /^only names nope, but the MCP server files has no such tool; it has .*read_text_file, .*write_file/,
  })
})

test('a call returns text, data, files and links of the server', async (t) => {
  const folder = folderFor(t)
  const context = contextIn(folder)
  await using server = await connectMcp(everything)
  const call = (name: string, input: Json): Promise<Json> => run(server, name, input, context)
  assert.equal(await call('everything_echo', { message: 'hello' }), 'Echo: hello')
  assert.deepEqual(await call('everything_get-structured-content', { location: 'Chicago' }), {
    temperature: 36,
    conditions: 'Light rain / drizzle',
    humidity: 82,
  })
  const image = JSON.stringify(await call('everything_get-tiny-image', {}))
  assert.match(image, /"files":\[\{"file":"mcp-[0-9a-f]{12}\.png","mediaType":"image\/png"/)
  const links = JSON.stringify(await call('everything_get-resource-links', { count: 2 }))
  assert.match(links, /"links":\[\{"uri":"demo:\/\//)
})

test('a call that the server refuses is a tool error', async (t) => {
  const folder = folderFor(t)
  await using files = await connectMcp(filesIn(folder))
  const read = run(files, 'files_read_text_file', { path: '/etc/passwd' }, contextIn(folder))
  await assert.rejects(read, isToolError('TOOL_ERROR', /outside allowed directories/))
})

test('arguments are checked against the schema of the server before they are sent', async (t) => {
  await using files = await connectMcp(filesIn(folderFor(t)))
  const { input } = toolNamed(files, 'files_read_text_file')
  const missing = await input['~standard'].validate({})
  assert.match(JSON.stringify(missing.issues), /"message":"path: is required"/)
  const fitting = await input['~standard'].validate({ path: 'a' })
  assert.deepEqual(fitting, { value: { path: 'a' } })
})

test('a long result is cut, and an error holds the message of the server', async (t) => {
  const context = contextIn(folderFor(t))
  await using server = await connectMcp(odd, { maxResultCharacters: 100 })
  const long = await run(server, 'odd_long', { characters: 150 }, context)
  assert.equal(long, `${'x'.repeat(100)}… (50 more characters omitted)`)
  const failed = run(server, 'odd_fail', {}, context)
  await assert.rejects(failed, isToolError('TOOL_ERROR', /^no such planet$/))
})

test('progress of a call is reported as it arrives', async (t) => {
  const progress: Json[] = []
  const context = contextIn(folderFor(t), { progress: (data) => progress.push(data) })
  await using server = await connectMcp(everything)
  const name = 'everything_trigger-long-running-operation'
  await run(server, name, { duration: 0.03, steps: 3 }, context)
  assert.deepEqual(progress, [
    { progress: 1, total: 3 },
    { progress: 2, total: 3 },
    { progress: 3, total: 3 },
  ])
})

test('[DD-27] the trace of a call is passed to the server', async (t) => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  await using server = await connectMcp(odd)
  const meta = await run(server, 'odd_meta', {}, contextIn(folderFor(t), { traceparent }))
  assert.equal(JSON.parse(textOf(meta)).traceparent, traceparent)
  const none = await run(server, 'odd_meta', {}, contextIn(folderFor(t)))
  assert.equal(JSON.parse(textOf(none)).traceparent, undefined)
})

test('a program gets only safe and named environment variables', async (t) => {
  process.env['ECHELON_TEST_SECRET'] = 'not for servers'
  t.after(() => delete process.env['ECHELON_TEST_SECRET'])
  await using server = await connectMcp({ ...odd, env: { GIVEN: 'yes' } })
  const names = textOf(await run(server, 'odd_environment', {}, contextIn(folderFor(t))))
  assert.match(names, /\bGIVEN\b/)
  assert.match(names, /\bPATH\b/)
  assert.doesNotMatch(names, /ECHELON_TEST_SECRET/)
})

test('an aborted call is canceled at the server', async (t) => {
  const folder = folderFor(t)
  await using server = await connectMcp(odd)
  const controller = new AbortController()
  const hanging = run(server, 'odd_hang', {}, contextIn(folder, { signal: controller.signal }))
  // Its answer shows that the server has received the call before it.
  await run(server, 'odd_meta', {}, contextIn(folder))
  controller.abort()
  await assert.rejects(hanging)
  let canceled = '0'
  while (canceled === '0') {
    canceled = textOf(await run(server, 'odd_canceled', {}, contextIn(folder)))
  }
  assert.equal(canceled, '1')
})

test('a change of tools is noticed and replaces the list', async (t) => {
  const context = contextIn(folderFor(t))
  let changes = 0
  await using server = await connectMcp(odd, { onTools: () => changes++ })
  const before = server.tools
  await run(server, 'odd_grow', {}, context)
  await until(() => changes > 0)
  assert.ok(!before.some(({ name }) => name === 'odd_grown'))
  assert.equal(await run(server, 'odd_grown', {}, context), 'I am new')
})

test('a server that dies during a call is restarted; the call fails and may have acted', async (t) => {
  const folder = folderFor(t)
  const { server, kill } = traceable(odd, folder)
  const states: string[] = []
  const clock = new SetClock()
  await using connection = await connectMcp(server, {
    clock,
    onState: (state) => states.push(state),
  })
  const context = contextIn(folder)
  const hanging = run(connection, 'odd_hang', {}, context)
  kill()
  await assert.rejects(
    hanging,
    (error) =>
      isToolError('NET_TIMEOUT', /lost during the call$/)(error) &&
      error instanceof ToolError &&
      error.mayHaveActed,
  )
  assert.deepEqual(states, ['connected', 'reconnecting'])
  const waits = run(connection, 'odd_meta', {}, context)
  const early = assert.rejects(waits, isToolError('NET_TIMEOUT', /; it is being reconnected/))
  await clock.advance(5000)
  await early
  await until(() => connection.state === 'connected')
  assert.match(textOf(await run(connection, 'odd_meta', {}, context)), /progressToken/)
})

test('a server that stays down is retried at the next call', async (t) => {
  const folder = folderFor(t)
  const { server, kill } = traceable(odd, folder)
  const states: string[] = []
  const clock = new SetClock()
  // It starts only once: then the shell finds the file and exits.
  const once = join(folder, 'once')
  const args = ['-c', `test -e ${once} && exit 1; touch ${once}; exec "$@"`, 'sh', server.command]
  await using connection = await connectMcp(
    { ...server, command: 'sh', args: [...args, ...(server.args ?? [])] },
    {
      clock,
      reconnect: { retries: 2, baseMs: 100, factor: 2, jitter: 0 },
      onState: (state, why) => states.push(`${state}: ${why}`),
    },
  )
  kill()
  await until(() => connection.state === 'reconnecting')
  for (let tries = 0; tries < 2; tries++) {
    await until(() => clock.pending > 0)
    await clock.advance(200)
  }
  await until(() => connection.state === 'down')
  assert.match(states.at(-1) ?? '', /^down: the connection was closed/)
  const tried = run(connection, 'odd_meta', {}, contextIn(folder))
  const refused = assert.rejects(tried, isToolError('NET_TIMEOUT', /^odd is not connected/))
  assert.equal(connection.state, 'reconnecting')
  await clock.advance(5000)
  await refused
})

test('without retries a lost server is down, and can be reconnected by hand', async (t) => {
  const folder = folderFor(t)
  const { server, kill } = traceable(odd, folder)
  const states: string[] = []
  await using connection = await connectMcp(server, {
    reconnect: { retries: 0, baseMs: 1, factor: 1, jitter: 0 },
    onState: (state) => states.push(state),
  })
  for (let time = 0; time < 2; time++) {
    kill()
    await until(() => connection.state === 'down')
    for (let call = 0; call < 2; call++) {
      await assert.rejects(
        run(connection, 'odd_meta', {}, contextIn(folder)),
        isToolError('NET_TIMEOUT', /^odd is not connected/),
      )
    }
    await connection.reconnect()
    assert.match(textOf(await run(connection, 'odd_meta', {}, contextIn(folder))), /progressToken/)
  }
  const lost = ['reconnecting', 'down']
  assert.deepEqual(states.slice(0, 8), ['connected', ...lost, ...lost, ...lost, 'connected'])
})

test('tools beyond the limit are left out and listed', async () => {
  await using server = await connectMcp(hostile)
  const characters = server.tools
    .map(({ description, jsonSchema }) => description.length + JSON.stringify(jsonSchema).length)
    .reduce((one, other) => one + other, 0)
  assert.ok(characters <= 500_000 && server.tools.length > 100)
  assert.equal(server.tools.length + server.left.length, 512)
  for (const { name } of server.tools) assert.match(name, /^hostile_[a-zA-Z0-9_-]+$/)
})

test('endless change notices do not cause endless listings', async (t) => {
  const context = contextIn(folderFor(t))
  const clock = new SetClock()
  let changes = 0
  await using server = await connectMcp(hostile, { clock, onTools: () => changes++ })
  assert.equal(await run(server, 'hostile_listed', {}, context), '1')
  await until(() => clock.pending > 0)
  assert.equal(changes, 1)
  // Listed on connecting, on the first notice, and once for all later ones.
  await clock.advance(1000)
  await until(() => changes === 2)
  assert.equal(await run(server, 'hostile_listed', {}, context), '3')
})

test('a server that cannot be started is reported in one sentence', async () => {
  const command = 'echelon-no-such-program'
  await assert.rejects(connectMcp({ name: 'gone', command }), {
    code: 'SERVER_UNREACHABLE',
    message: `the MCP server gone cannot be used: the program ${command} was not found; install it or give its full path`,
  })
  const secret = ['hush', 'hush', 'hush'].join('-')
  const args = ['-e', 'console.error("no license " + process.env.KEY); process.exit(3)']
  const broken = { name: 'broken', command: process.execPath, args, env: { KEY: secret } }
  await assert.rejects(connectMcp(broken), {
    message:
      'the MCP server broken cannot be used: the connection was closed; its last output: no license [redacted]',
  })
})

test('an invalid name or URL is refused before anything is started', async () => {
  const invalid = { code: 'INVALID_DEFINITION' }
  await assert.rejects(connectMcp({ name: 'my files', command: 'x' }), invalid)
  await assert.rejects(connectMcp({ name: 'a', command: ' ' }), invalid)
  await assert.rejects(connectMcp({ name: 'a', url: 'file:///etc' }), invalid)
  await assert.rejects(connectMcp({ name: 'a', url: 'https://a:b@example.com' }), invalid)
  const headers = { authorization: 'Bearer x' }
  await assert.rejects(connectMcp({ name: 'a', url: 'http://example.com', headers }), invalid)
})

test('a closed connection stays closed', async (t) => {
  const server = await connectMcp(odd)
  await server.close()
  await server.close()
  assert.equal(server.state, 'closed')
  await assert.rejects(
    run(server, 'odd_meta', {}, contextIn(folderFor(t))),
    isToolError('TOOL_ERROR', /odd was closed/),
  )
  await assert.rejects(server.reconnect(), { code: 'SERVER_UNREACHABLE' })
})
