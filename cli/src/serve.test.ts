import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { createClient } from 'echelon/client'
import { hashToken } from '@echelon/server'
import { folderFor, runCommand, spawned } from './testing/run-command.ts'

interface Serving {
  readonly url: string
  readonly child: ChildProcess
  readonly said: () => string
  readonly problems: () => string
}

/** Starts the server in a folder, on a free port. */
async function served(
  t: TestContext,
  folder: string,
  { args = [], env = {} }: { args?: readonly string[]; env?: Record<string, string> } = {},
): Promise<Serving> {
  const child = spawned(['serve', '--port', '0', ...args], folder, env)
  t.after(() => child.kill('SIGKILL'))
  let [said, problems] = ['', '']
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (problems += text))
  await new Promise<void>((resolve, reject) => {
    child.once('exit', () => reject(new Error(problems)))
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      said += text
      if (said.includes('Ctrl-C')) resolve()
    })
  })
  const [, url = ''] = /at (http:\S+);/.exec(said) ?? []
  return { url, child, said: () => said, problems: () => problems }
}

async function stopped({ child }: Serving, signal: NodeJS.Signals): Promise<number | null> {
  child.kill(signal)
  await once(child, 'exit')
  return child.exitCode
}

test('serve offers every agent under one address, says so in three lines, and stops on Ctrl-C', async (t) => {
  const folder = folderFor(t)
  const server = await served(t, folder)
  assert.match(
    server.said(),
    /^(?:Studio: .*\n)?Echelon is at http:\/\/127\.0\.0\.1:\d+; .*\nIt serves decide, chat, cascade, support, assist\nCtrl-C stops it.*\n$/,
  )
  const client = createClient({ url: server.url })
  const asked = [
    { agent: 'decide', input: 'What is 15 * 23?' },
    { agent: 'chat', input: 'What is 6 * 7?', session: 's' },
    { agent: 'cascade', input: 'What is 6 * 7?' },
    { agent: 'support', input: "Where's my order O-12345?", session: 's' },
    { agent: 'assist', input: 'Should I move to Berlin?', session: 's' },
  ]
  const answers: string[] = []
  for (const request of asked) {
    const { id } = await client.runs.start(request)
    const { end } = await client.runs.end(id)
    assert.equal(end?.status, 'finished', `${request.agent}: ${JSON.stringify(end)}`)
    answers.push(end.text)
  }
  assert.equal(answers[0], '345')
  assert.match(answers[1] ?? '', /42/)
  assert.match(answers[3] ?? '', /O-12345/)
  assert.equal(await stopped(server, 'SIGINT'), 0)
  const again = await served(t, folder)
  const { runs } = await createClient({ url: again.url }).runs.list()
  assert.ok(runs.some(({ agent }) => agent === 'decide'))
  assert.equal(await stopped(again, 'SIGTERM'), 143)
})

const ECHO = `
import { createAgent } from 'echelon'
import { asBound, scriptedModel } from 'echelon/testing'
export default ({ store }) =>
  createAgent({ name: 'echo', model: asBound(scriptedModel([], { beyond: 'Echo.' }), 'test/model', () => 0), store })
`

const COUNTER = `
export default {
  name: 'counter',
  version: 1,
  actors: { self: {} },
  start: (input) => ({ state: { length: input.length } }),
  next: ({ length }) => ({ type: 'finish', reason: 'counted', result: { text: \`\${length} characters\` } }),
  observe: (state) => ({ state }),
  load: (state) => state,
}
`

test('agents of the user are served from their folder and by path', async (t) => {
  const folder = folderFor(t)
  symlinkSync(join(import.meta.dirname, '../../node_modules'), join(folder, 'node_modules'))
  mkdirSync(join(folder, 'agents'))
  writeFileSync(join(folder, 'agents/echo.mjs'), ECHO)
  writeFileSync(join(folder, 'counter.mjs'), COUNTER)
  const server = await served(t, folder, { args: ['counter.mjs'] })
  const client = createClient({ url: server.url })
  const textOf = async (agent: string): Promise<string | undefined> => {
    const { id } = await client.runs.start({ agent, input: 'hello' })
    return (await client.runs.end(id)).end?.text
  }
  assert.equal(await textOf('echo'), 'Echo.')
  assert.equal(await textOf('counter'), '5 characters')
  assert.equal(await stopped(server, 'SIGINT'), 0)
})

test('a file that holds no agent is refused with a sentence', async (t) => {
  const folder = folderFor(t)
  writeFileSync(join(folder, 'none.mjs'), 'export const agent = 1')
  writeFileSync(join(folder, 'broken.mjs'), 'throw new Error("it is broken")')
  writeFileSync(join(folder, 'twin.mjs'), COUNTER.replace("name: 'counter'", "name: 'decide'"))
  const cases = [
    ['none.mjs', /none\.mjs exports no agent; its default export must be/],
    ['broken.mjs', /the agent broken\.mjs cannot be loaded: it is broken/],
    ['absent.mjs', /there is no file absent\.mjs/],
    ['twin.mjs', /two agents are called decide/],
  ] as const
  for (const [file, message] of cases) {
    const { status, stderr } = await runCommand(['serve', '--port', '0', file], folder)
    assert.equal(status, 2, stderr)
    assert.match(stderr, message)
  }
})

test('a new token is printed with the line that lets it in, and the server knows it by that line', async (t) => {
  const folder = folderFor(t)
  const { stdout, stderr, status } = await runCommand(['serve', '--new-token', 'ada'], folder)
  assert.equal(status, 0)
  const token = stdout.trim()
  assert.ok(stderr.includes(hashToken(token)))
  const local = await runCommand(['serve', '--new-token', 'local'], folder)
  assert.match(local.stderr, /^echelon: name a token with .* and not local\n$/)
  writeFileSync(join(folder, 'config.yaml'), stderr.slice(stderr.indexOf('server:')))
  const env = { ECHELON_SERVER_TOKEN: 'a-token-for-the-operator' }
  const server = await served(t, folder, { args: ['--host', '0.0.0.0'], env })
  const url = server.url.replace('0.0.0.0', '127.0.0.1')
  await assert.rejects(createClient({ url }).agents.list(), { status: 401 })
  const client = createClient({ url, token })
  assert.ok((await client.agents.list()).length >= 5)
  const operator = createClient({ url, token: env.ECHELON_SERVER_TOKEN })
  assert.ok((await operator.agents.list()).length >= 5)
  assert.equal(await stopped(server, 'SIGINT'), 0)
})

test('without a token, the server does not listen to other machines', async (t) => {
  const { status, stderr } = await runCommand(
    ['serve', '--host', '0.0.0.0', '--port', '0'],
    folderFor(t),
  )
  assert.equal(status, 2)
  assert.match(
    stderr,
    /it has no token; set one \(.* echelon serve --new-token\), or listen on 127/,
  )
})

test('an MCP host starts echelon mcp and calls its agents', async (t) => {
  const { Client } = await import('@modelcontextprotocol/sdk/client/index.js')
  const { StdioClientTransport } = await import('@modelcontextprotocol/sdk/client/stdio.js')
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: ['--conditions=echelon-source', join(import.meta.dirname, 'main.js'), 'mcp'],
      cwd: folderFor(t),
      stderr: 'ignore',
    }),
  )
  const { tools } = await client.listTools()
  assert.ok(tools.some(({ name }) => name.includes('decide')))
  await client.close()
})

test('chat talks to an agent of a server', async (t) => {
  const folder = folderFor(t)
  const server = await served(t, folder)
  const chat = await runCommand(['chat', '--url', server.url, 'What is 6 * 7?'], folder)
  assert.equal(chat.status, 0, chat.stderr)
  assert.match(chat.stdout, /42/)
  const lines = { input: 'What is 6 * 7?\nWhat is 15 * 23?\n' }
  const args = ['chat', '--url', server.url, '--agent', 'decide', '--json']
  const decide = await runCommand(args, folder, lines)
  assert.deepEqual(
    decide.stdout
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line).text),
    ['42', '345'],
  )
  const nobody = await runCommand(['chat', '--url', server.url, '--agent', 'nobody', 'Hi'], folder)
  assert.deepEqual(
    [nobody.status, nobody.stderr],
    [2, 'echelon: the server says: there is no agent nobody\n'],
  )
  assert.equal(await stopped(server, 'SIGINT'), 0)
  const gone = await runCommand(['chat', '--url', server.url, 'Hi'], folder)
  assert.match(gone.stderr, /^echelon: there is no server at/)
})
