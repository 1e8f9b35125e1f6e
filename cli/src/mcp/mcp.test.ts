import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, test, type TestContext } from 'node:test'
import { startModelServer } from 'echelon/testing'
import { folderFor, type Ran, runCommand } from '../testing/run-command.ts'
import { beginOnTerminal, onTerminal } from '../testing/terminal.ts'

const FILES = fileURLToPath(
  import.meta.resolve('@modelcontextprotocol/server-filesystem/dist/index.js'),
)
const EVERYTHING = [
  '--',
  process.execPath,
  fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js')),
  'stdio',
]
const filesIn = (folder: string): readonly string[] => ['--', process.execPath, FILES, folder]

/** A server with a tool `file`, made with the SDK. */
const clashing = `
import { McpServer } from '${import.meta.resolve('@modelcontextprotocol/sdk/server/mcp.js')}'
import { StdioServerTransport } from '${import.meta.resolve('@modelcontextprotocol/sdk/server/stdio.js')}'
const server = new McpServer({ name: 'odd', version: '1' })
server.registerTool('file', { description: 'x' }, () => ({ content: [] }))
await server.connect(new StdioServerTransport())
`

/** A project, with a configuration folder apart from that of the user who runs the tests. */
class Project {
  readonly folder: string
  readonly own: Readonly<Record<string, string>>

  constructor(t: TestContext) {
    this.folder = folderFor(t)
    this.own = { XDG_CONFIG_HOME: join(this.folder, 'own') }
  }

  run(args: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<Ran> {
    return runCommand(args, this.folder, { env: { ...this.own, ...more } })
  }

  get file(): string {
    return join(this.folder, '.mcp.json')
  }
}

describe('echelon tools', () => {
  test('adds, tests, lists and removes a server', async (t) => {
    const project = new Project(t)
    const added = await project.run(['tools', 'add', 'mcp', 'files', ...filesIn(project.folder)])
    assert.deepEqual([added.status, added.stderr], [0, ''])
    const tested = await project.run(['tools', 'test', 'files'])
    assert.equal(tested.status, 0, tested.stderr)
    assert.match(tested.stdout, /^files_read_text_file\n {2}Read the complete/m)
    assert.match(tested.stdout, /^files_write_file \(asks before it runs\)\n/m)
    assert.match(tested.stderr, /files is connected, with 14 tools\n$/)
    const listed = await project.run(['tools', 'list'])
    assert.match(listed.stdout, /calculator\n[^]*files_…\n {2}the MCP server .*server-filesystem/)
    assert.equal((await project.run(['tools', 'remove', 'files'])).status, 0)
    assert.deepEqual(JSON.parse(readFileSync(project.file, 'utf8')), { mcpServers: {} })
    const gone = await project.run(['tools', 'test', 'files'])
    assert.deepEqual(
      [gone.status, gone.stderr],
      [2, 'echelon: .mcp.json has no server files; it has none\n'],
    )
  })

  test('refuses to write a secret to the file', async (t) => {
    const project = new Project(t)
    const key = ['sk', 'proj', '0123456789abcdefghij'].join('-')
    const add = ['tools', 'add', 'mcp', 'odd']
    for (const given of [
      ['--env', `API_KEY=${key}`, ...EVERYTHING],
      ['--env', `LEVEL=${key}`, ...EVERYTHING],
      [...EVERYTHING, key],
      ['--url', 'https://example.com/mcp', '--header', `Authorization: Bearer ${key}`],
    ]) {
      const { status, stderr } = await project.run([...add, ...given])
      assert.equal(status, 2)
      assert.match(stderr, /looks like a secret, and secrets are not written to the file/)
      assert.doesNotMatch(stderr, /0123456789/)
    }
    assert.ok(!existsSync(project.file))
    const { status, stdout } = await project.run([...add, '--env', 'API_KEY', ...EVERYTHING])
    assert.equal(status, 0)
    assert.match(
      stdout,
      /but not allowed yet: .* needs API_KEY.*; then run echelon tools allow odd\n$/,
    )
    assert.match(readFileSync(project.file, 'utf8'), /"API_KEY": "\$\{API_KEY\}"/)
    const unset = await project.run(['tools', 'test', 'odd'])
    assert.match(unset.stderr, /the MCP server odd needs API_KEY, which is not set/)
    const allowed = await project.run(['tools', 'allow', 'odd'], { API_KEY: key })
    assert.match(allowed.stdout, /API_KEY=\[redacted\]/)
    const set = await project.run(['tools', 'test', 'odd'], { API_KEY: key })
    assert.equal(set.status, 0, set.stderr)
    writeFileSync(join(project.folder, '.env'), 'API_KEY=from-the-file\n')
    const other = await project.run(['tools', 'test', 'odd'])
    assert.match(
      other.stderr,
      /has changed since you allowed it: its entry, a value in it or a file/,
    )
    await project.run(['tools', 'allow', 'odd'])
    assert.equal((await project.run(['tools', 'test', 'odd'])).status, 0)
  })

  test('refuses a URL with a secret, and hides only the secret when it shows one', async (t) => {
    const project = new Project(t)
    const add = ['tools', 'add', 'mcp', 'far', '--url']
    const secret = 'abcdef1234567890abcdef'
    for (const url of [
      `http://127.0.0.1:9/mcp?token=${secret}`,
      `http://127.0.0.1:9/mcp?a=1&%74oken=${secret}`,
      `http://ann:${secret}@127.0.0.1:9/mcp`,
    ]) {
      const { status, stderr } = await project.run([...add, url])
      assert.equal(status, 2, stderr)
      assert.match(stderr, /looks like a secret, and secrets are not written to the file/)
      assert.ok(!stderr.includes(secret))
    }
    const named = [...add, 'http://127.0.0.1:9/mcp?a=1&token=${FAR}', '--header', 'X-Of: ${OF}']
    writeFileSync(join(project.folder, '.env'), 'OF=violet\n')
    const unset = await project.run(named)
    assert.match(unset.stdout, /needs FAR, which is not set; set it in the environment;/)
    const allowed = await project.run(['tools', 'allow', 'far'], { FAR: secret })
    const shown = 'http://127.0.0.1:9/mcp?a=1&token=[redacted]; X-Of: [redacted]'
    assert.ok(allowed.stdout.includes(shown), allowed.stdout)
    const listed = await project.run(['tools', 'list'], { FAR: secret })
    assert.ok(listed.stdout.includes(shown), listed.stdout)
  })

  test('refuses an invalid URL and a missing folder', async (t) => {
    const project = new Project(t)
    const add = ['tools', 'add', 'mcp', 'odd']
    for (const url of ['notaurl', 'ftp://example.com/mcp', 'http://']) {
      const { status, stderr } = await project.run([...add, '--url', url])
      assert.deepEqual(
        [status, stderr],
        [2, `echelon: --url ${url} is not a URL; write one such as https://example.com/mcp\n`],
      )
    }
    const inside = [...add, '--cwd', 'inside', ...EVERYTHING]
    const missing =
      /^echelon: the MCP server odd has the working folder \S+inside, which does not exist; create it, or name another$/m
    const refused = await project.run(inside)
    assert.equal(refused.status, 2)
    assert.match(refused.stderr, missing)
    assert.ok(!existsSync(project.file))
    mkdirSync(join(project.folder, 'inside'))
    assert.equal((await project.run(inside)).status, 0)
    rmdirSync(join(project.folder, 'inside'))
    const tested = await project.run(['tools', 'test', 'odd'])
    assert.equal(tested.status, 2)
    assert.match(tested.stderr, missing)
    const named = ['tools', 'add', 'mcp', 'named', '--url', 'http://${HOST}:${PORT}/mcp']
    assert.equal((await project.run(named)).status, 0)
  })

  test('reports invalid JSON with its line, without quoting it', async (t) => {
    const project = new Project(t)
    for (const [text, says] of [
      ['{\n  "mcpServers": {\n    "a": hush,\n  }\n}\n', "line 3: Unexpected token 'h'"],
      ['{\n  "mcpServers": {},\n}\n', 'line 3: Expected double-quoted property name'],
      ['{\n  "mcpServers": {\n', "line 3: Expected property name or '}'"],
      ['{\n  "mcpServers":\n', 'line 2: Unexpected end of JSON input'],
    ] as const) {
      writeFileSync(project.file, text)
      const { status, stderr } = await project.run(['tools', 'list'])
      assert.deepEqual([status, stderr], [2, `echelon: .mcp.json is not JSON: ${says}\n`])
    }
  })

  test('a server in a cloned project does not run until the user allows it', async (t) => {
    const project = new Project(t)
    const ran = join(project.folder, 'ran')
    const args = ['-e', `fs.writeFileSync(${JSON.stringify(ran)}, '')`]
    const theirs = { mcpServers: { theirs: { command: process.execPath, args } } }
    writeFileSync(project.file, JSON.stringify(theirs))
    const chatted = await project.run(['chat', 'What is 15 * 23?'])
    assert.deepEqual([chatted.status, chatted.stdout], [0, '15 * 23 = 345\n'])
    const notAdded =
      /the MCP server theirs of \.mcp\.json was not added by you \(echelon tools allow theirs allows it\)/
    assert.match(chatted.stderr, notAdded)
    assert.match((await project.run(['tools', 'test', 'theirs'])).stderr, notAdded)
    assert.ok(!existsSync(ran))
    assert.equal((await project.run(['tools', 'allow', 'theirs'])).status, 0)
    const allowed = join(project.own['XDG_CONFIG_HOME'] ?? '', 'echelon/mcp-allowed.json')
    assert.equal(statSync(allowed).mode & 0o777, 0o600)
    const tested = await project.run(['tools', 'test', 'theirs'])
    assert.equal(tested.status, 1)
    assert.match(tested.stderr, /the MCP server theirs cannot be used: the connection was closed\n/)
    assert.ok(existsSync(ran))
    theirs.mcpServers.theirs.args.push('changed')
    writeFileSync(project.file, JSON.stringify(theirs))
    const changed = await project.run(['tools', 'test', 'theirs'])
    assert.match(
      changed.stderr,
      /the MCP server theirs of \.mcp\.json has changed since you allowed it/,
    )
    writeFileSync(allowed, JSON.stringify({ [`${project.file}#theirs`]: '0'.repeat(64) }))
    const earlier = await project.run(['tools', 'test', 'theirs'])
    assert.equal(
      earlier.stderr,
      'echelon: the MCP server theirs of .mcp.json was allowed by an earlier version, which did not check the values filled in (review it with echelon tools list; echelon tools allow theirs allows it)\n',
    )
  })

  test('shows the settings of a server, without secrets, before and when it is allowed', async (t) => {
    const project = new Project(t)
    const key = ['hush', 'hush', 'hush'].join('-')
    const program = {
      command: 'node',
      args: ['a b.js', '\u001b[2Jx'],
      env: { NODE_OPTIONS: '--require ./evil.cjs', API_KEY: key, TOKEN: '${TOKEN}' },
      cwd: 'elsewhere',
      trust: 'everything',
    }
    const address = { url: 'https://example.com/mcp', headers: { 'X-Team': 'a', Cookie: key } }
    writeFileSync(project.file, JSON.stringify({ mcpServers: { program, address } }))
    const listed = await project.run(['tools', 'list'], { TOKEN: key })
    const allowed = await project.run(['tools', 'allow', 'program'], { TOKEN: key })
    const shown = `/node "a b.js" "\\u001b[2Jx"; in ${project.folder}/elsewhere; NODE_OPTIONS=--require ./evil.cjs; API_KEY=[redacted]; TOKEN=[redacted]; trust everything\n`
    assert.ok(listed.stdout.includes(shown), listed.stdout)
    assert.ok(allowed.stdout.includes(shown), allowed.stdout)
    assert.match(listed.stdout, /https:\/\/example\.com\/mcp; X-Team: a; Cookie: \[redacted\]\n/)
  })

  test('any change of an entry needs a new permission', async (t) => {
    const project = new Project(t)
    const entry = { command: 'node', args: ['a'], env: { A: 'a' }, cwd: '.', trust: 'reads' }
    const write = (server: object): void =>
      writeFileSync(project.file, JSON.stringify({ mcpServers: { s: server } }))
    write(entry)
    await project.run(['tools', 'allow', 's'])
    const isAllowed = async (): Promise<boolean> =>
      !(await project.run(['tools', 'list'])).stdout.includes('left out')
    assert.ok(await isAllowed())
    const changes = [
      { command: 'sh' },
      { args: ['a', 'b'] },
      { env: { A: 'b' } },
      { cwd: '..' },
      { trust: 'everything' },
    ]
    for (const change of changes) {
      write({ ...entry, ...change })
      assert.ok(!(await isAllowed()), JSON.stringify(change))
    }
  })

  test('a program runs in the folder of its file, wherever the command starts', async (t) => {
    const project = new Project(t)
    writeFileSync(join(project.folder, 'config.yaml'), '')
    writeFileSync(join(project.folder, 'here.cjs'), 'console.error("it is " + __dirname)')
    const server = { command: process.execPath, args: ['./here.cjs'] }
    writeFileSync(project.file, JSON.stringify({ mcpServers: { here: server } }))
    const from = folderFor(t)
    writeFileSync(join(from, 'here.cjs'), 'console.error("another")')
    const config = ['--config', join(project.folder, 'config.yaml')]
    const run = (...args: string[]): Promise<Ran> =>
      runCommand([...config, 'tools', ...args, 'here'], from, { env: project.own })
    assert.equal((await run('allow')).status, 0)
    assert.ok((await run('test')).stderr.includes(`its last output: it is ${project.folder}`))
  })
})

describe('echelon chat', () => {
  test('leaves out the second of two tools with the same name', async (t) => {
    const project = new Project(t)
    const [first, second] = [folderFor(t), folderFor(t)]
    await project.run(['tools', 'add', 'mcp', 'a', ...filesIn(first)])
    await project.run(['tools', 'add', 'mcp', 'b', ...filesIn(second)])
    // Two servers can give the same tool name: `a_read` and `file`, or `a` and `read_file`.
    const odd = join(project.folder, 'odd.mjs')
    writeFileSync(odd, clashing)
    await project.run(['tools', 'add', 'mcp', 'a_read', '--', process.execPath, odd])
    const { status, stdout, stderr } = await project.run(['chat', 'What is 15 * 23?'])
    assert.deepEqual([status, stdout], [0, '15 * 23 = 345\n'], stderr)
    assert.match(stderr, /a_read_file of a_read is left out: another tool has that name/)
  })

  test('offers the tools of a server, and asks before one acts', async (t) => {
    const project = new Project(t)
    const path = join(project.folder, 'a.txt')
    await project.run(['tools', 'add', 'mcp', 'files', ...filesIn(project.folder)])
    const write = { tool: 'files_write_file', input: { path, content: 'hello' } }
    const chat = async (...args: string[]): Promise<Ran> => {
      await using server = await startModelServer([
        { type: 'reply', toolCalls: [write] },
        { type: 'reply', text: ['Done.'] },
      ])
      const model = ['--model', 'openai-compatible/m', '--base-url', server.baseUrl]
      return await project.run(['chat', ...model, ...args, 'write hello'])
    }
    const unasked = await chat()
    assert.equal(unasked.status, 1)
    assert.match(unasked.stderr, /^connecting to files …\nfiles: 14 tools\n/)
    assert.match(unasked.stderr, /files_write_file is not approved: nobody can be asked here/)
    assert.ok(!existsSync(path))
    const approved = await chat('--approve', 'always')
    assert.deepEqual([approved.status, approved.stdout], [0, 'Done.\n'], approved.stderr)
    assert.equal(readFileSync(path, 'utf8'), 'hello')
  })

  test('a server that is down costs one line, and the chat continues', async (t) => {
    const project = new Project(t)
    const gone = ['--', 'echelon-no-such-program']
    await project.run(['tools', 'add', 'mcp', 'gone', ...gone])
    const { status, stdout, stderr } = await project.run(['chat', 'What is 15 * 23?'])
    assert.deepEqual([status, stdout], [0, '15 * 23 = 345\n'])
    assert.match(
      stderr,
      /\nechelon: the MCP server gone cannot be used: the program echelon-no-such-program was not found; install it or give its full path; its tools are left out\n/,
    )
    const without = await project.run(['chat', '--no-tools', 'Hello'])
    assert.doesNotMatch(without.stderr, /gone/)
  })

  test('asks the questions of a server on the terminal, field by field', async (t) => {
    const project = new Project(t)
    await project.run(['tools', 'add', 'mcp', 'ev', '--trust', 'everything', ...EVERYTHING])
    await using server = await startModelServer([
      { type: 'reply', toolCalls: [{ tool: 'ev_trigger-elicitation-request', input: {} }] },
      { type: 'reply', text: ['Thank you, Ada.'] },
    ])
    const model = ['--model', 'openai-compatible/m', '--base-url', server.baseUrl]
    const { status, screen } = await onTerminal(
      ['chat', ...model],
      [
        ['> ', 'ask me\r'],
        ['text: ', 'Ada\r'],
        ['yes or no (optional): ', 'maybe\r'],
        ['type yes or no', ''],
        ['yes or no (optional): ', 'yes\r'],
        ['It was a dark and stormy night', '\r'],
        ['email', '\r'],
        ['homepage', '\r'],
        ['birthdate', '\r'],
        ['a whole number (optional, else 42): ', '7\r'],
        ['number', '\r'],
        ['Chandler', 'ross\r'],
        ['some of Guitar', 'Piano, drums\r'],
        ['hero-1', '\r'],
        ['fish-1', '\r'],
        ['pet-1', '\r'],
        ['Thank you, Ada.', ''],
        ['> ', '\u0004'],
      ],
      { folder: project.folder, more: project.own },
    )
    assert.equal(status, 0, screen)
    const [, second] = server.requests.map(({ body }) => JSON.stringify(body))
    assert.match(second ?? '', /- Name: Ada/)
    assert.match(second ?? '', /Favorite Integer: 7/)
    assert.match(second ?? '', /Ross/)
    assert.match(second ?? '', /Piano/)
  })

  test('a signal at the question of a server cancels the turn', async (t) => {
    const project = new Project(t)
    await project.run(['tools', 'add', 'mcp', 'ev', '--trust', 'everything', ...EVERYTHING])
    await using server = await startModelServer([
      { type: 'reply', toolCalls: [{ tool: 'ev_trigger-elicitation-request', input: {} }] },
    ])
    const model = ['--model', 'openai-compatible/m', '--base-url', server.baseUrl]
    const place = { folder: project.folder, more: project.own }
    const terminal = beginOnTerminal(['chat', ...model, 'ask me'], place)
    await terminal.seen('text: ')
    const { status, screen } = await terminal.tell('SIGTERM')
    assert.equal(status, 143, screen)
    assert.match(screen, /\ncanceled\n$/)
    const { stdout } = await project.run(['runs', 'list'])
    assert.match(stdout, /^All runs have ended/)
  })
})
