import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { EchelonError } from 'echelon'
import { allow, standingOf } from '../../cli/src/mcp/allowed.ts'
import { type ReadyServer, readyServer } from '../../cli/src/mcp/ready-server.ts'
import { readServers } from '../../cli/src/mcp/servers-file.ts'
import { type Ran, runCommand } from '../../cli/src/testing/run-command.ts'
import { tried } from './tried.ts'

/** A project with an untrusted author, and a user with a separate folder. */
class Project implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'echelon-swap-'))
  readonly #before = { ...process.env }

  constructor() {
    process.env['XDG_CONFIG_HOME'] = join(this.folder, '../', `own-${process.pid}`)
  }

  write(name: string, text: string, mode = 0o644): void {
    mkdirSync(dirname(join(this.folder, name)), { recursive: true })
    writeFileSync(join(this.folder, name), text, { mode })
  }

  entry(server: object): void {
    this.write('.mcp.json', JSON.stringify({ mcpServers: { s: server } }))
  }

  get path(): string {
    return join(this.folder, '.mcp.json')
  }

  ready(): ReadyServer {
    const written = readServers(this.path).servers['s']
    assert.ok(written !== undefined)
    return readyServer(process, this.path, 's', written)
  }

  [Symbol.dispose](): void {
    rmSync(process.env['XDG_CONFIG_HOME'] ?? '', { recursive: true, force: true })
    rmSync(this.folder, { recursive: true, force: true })
    for (const name of Object.keys(process.env)) {
      if (!(name in this.#before)) delete process.env[name]
    }
    Object.assign(process.env, this.#before)
  }
}

interface Swap {
  readonly name: string
  readonly entry: object
  /** The project when its user allows the server. */
  readonly before?: Readonly<Record<string, string>>
  /** The changes of a pulled commit. */
  readonly swap: (project: Project) => void
}

const puts =
  (name: string, text: string, mode?: number) =>
  (project: Project): void =>
    project.write(name, text, mode)

const SWAPS: readonly Swap[] = [
  {
    name: 'a variable of the program, by .env',
    entry: { command: 'node', env: { NODE_OPTIONS: '${OPTIONS}' } },
    before: { '.env': 'OPTIONS=--no-warnings' },
    swap: puts('.env', 'OPTIONS=--import=data:text/javascript,evil'),
  },
  {
    name: 'a header, by .env',
    entry: { url: 'https://example.com/mcp', headers: { Host: '${SOME_HOST}' } },
    before: { '.env': 'SOME_HOST=example.com' },
    swap: puts('.env', 'SOME_HOST=evil.example'),
  },
  {
    name: 'a secret, by .env',
    entry: { command: 'node', env: { API_KEY: '${API_KEY_OF_SWAP}' } },
    before: { '.env': 'API_KEY_OF_SWAP=mine' },
    swap: puts('.env', 'API_KEY_OF_SWAP=theirs'),
  },
  {
    name: 'a program that is named by a relative path',
    entry: { command: './server' },
    before: { server: '#!/bin/sh\n' },
    swap: puts('server', '#!/bin/sh\nevil\n', 0o755),
  },
  {
    name: 'a program that is named by a path through another folder',
    entry: { command: './bin/../server' },
    before: { server: '#!/bin/sh\n', 'bin/x': '' },
    swap: puts('server', '#!/bin/sh\nevil\n', 0o755),
  },
  {
    name: 'a program that the entry has a PATH for',
    entry: { command: 'server', env: { PATH: 'node_modules/.bin' } },
    before: { 'node_modules/.bin/server': '#!/bin/sh\n' },
    swap: puts('node_modules/.bin/server', '#!/bin/sh\nevil\n', 0o755),
  },
  {
    name: 'a program that stands in the way of another on its PATH',
    entry: { command: 'node', env: { PATH: 'early:node_modules/.bin' } },
    before: { 'node_modules/.bin/node': '#!/bin/sh\n' },
    swap: puts('early/node', '#!/bin/sh\nevil\n', 0o755),
  },
  {
    name: 'what a link of node_modules/.bin leads to',
    entry: { command: './node_modules/.bin/server' },
    before: { 'one.js': '#!/bin/sh\n', 'two.js': '#!/bin/sh\n', 'node_modules/.bin/x': '' },
    swap(project) {
      const link = join(project.folder, 'node_modules/.bin/server')
      unlinkSync(link)
      symlinkSync('../../two.js', link)
    },
  },
  {
    name: 'the script that is its argument',
    entry: { command: 'node', args: ['./server.mjs'] },
    before: { 'server.mjs': '1' },
    swap: puts('server.mjs', 'evil'),
  },
  {
    name: 'a script without its ending',
    entry: { command: 'node', args: ['server'] },
    before: { 'server.js': '1' },
    swap: puts('server.js', 'evil'),
  },
  {
    name: 'a script of its folder',
    entry: { command: 'node', args: ['server'] },
    before: { 'server/index.js': '1' },
    swap: puts('server/index.js', 'evil'),
  },
  {
    name: 'what package.json of its folder names',
    entry: { command: 'node', args: ['.'] },
    before: { 'package.json': '{ "main": "one.js" }', 'one.js': '' },
    swap: puts('package.json', '{ "main": "two.js" }'),
  },
  {
    name: 'a script behind an option',
    entry: { command: 'node', args: ['--require=./first.cjs', '-e', '1'] },
    before: { 'first.cjs': '1' },
    swap: puts('first.cjs', 'evil'),
  },
  {
    name: 'a script in a line for a shell',
    entry: { command: 'sh', args: ['-c', 'cd . && node server.js'] },
    before: { 'server.js': '1' },
    swap: puts('server.js', 'evil'),
  },
  {
    name: 'a script that a variable loads',
    entry: { command: 'node', env: { NODE_OPTIONS: '--import ./first.mjs' } },
    before: { 'first.mjs': '1' },
    swap: puts('first.mjs', 'evil'),
  },
  {
    name: 'a script whose name has no ending',
    entry: { command: 'bash', args: ['start'] },
    before: { 'plain/x': '' },
    swap: puts('start', 'evil', 0o644),
  },
  {
    name: 'a script that is called data',
    entry: { command: 'bash', args: ['--norc', 'start.txt'] },
    before: { 'plain/start.txt': '1' },
    swap: puts('start.txt', 'evil', 0o644),
  },
  {
    name: 'variables that Node reads from a file, its options among them',
    entry: { command: 'node', args: ['--env-file=.env', 'server.mjs'] },
    before: { '.env': 'A=1', 'server.mjs': '1' },
    swap: puts('.env', 'NODE_OPTIONS=--import=./evil.mjs', 0o644),
  },
  {
    name: 'the script that Node looks up',
    entry: { command: 'node', args: ['--run', 'mcp'] },
    before: { 'package.json': '{ "scripts": { "mcp": "one" } }' },
    swap: puts('package.json', '{ "scripts": { "mcp": "evil" } }'),
  },
  {
    name: 'what a line for a shell reads',
    entry: { command: 'bash', args: ['-c', 'bash <start'] },
    swap: puts('start', 'evil', 0o644),
  },
  {
    name: 'what a line of Python reads',
    entry: { command: 'python3', args: ['-c', "exec(open('start.py').read())"] },
    before: { 'start.py': '1' },
    swap: puts('start.py', 'evil', 0o644),
  },
  {
    name: 'a module of Python right behind its option',
    entry: { command: 'python3', args: ['-mserver'] },
    before: { 'server.py': '1' },
    swap: puts('server.py', 'evil', 0o644),
  },
  {
    name: 'a module of Python',
    entry: { command: 'python3', args: ['-m', 'server.main'] },
    before: { 'server/main.py': '1' },
    swap: puts('server/main.py', 'evil'),
  },
  {
    name: 'a script that is not there yet',
    entry: { command: 'node', args: ['./server.mjs'] },
    swap: puts('server.mjs', 'evil'),
  },
  {
    name: 'where npx fetches from',
    entry: { command: 'npx', args: ['-y', 'some-server@1.0.0'] },
    swap: puts('.npmrc', 'registry=https://evil.example'),
  },
  {
    name: 'a program of the project instead of what npx fetches',
    entry: { command: 'npx', args: ['-y', 'some-server'] },
    swap: puts('node_modules/.bin/some-server', '#!/bin/sh\nevil\n', 0o755),
  },
  {
    name: 'the script that npm runs',
    entry: { command: 'npm', args: ['run', 'mcp'] },
    before: { 'package.json': '{ "scripts": { "mcp": "one" } }' },
    swap: puts('package.json', '{ "scripts": { "mcp": "evil" } }'),
  },
  ...['command', 'args', 'env', 'cwd', 'trust'].map((field): Swap => {
    const values: Readonly<Record<string, unknown>> = {
      command: 'sh',
      args: ['b'],
      env: { A: 'b' },
      cwd: '..',
      trust: 'everything',
    }
    const entry = { command: 'node', args: ['a'], env: { A: 'a' }, cwd: '.', trust: 'reads' }
    return {
      name: `its entry: ${field}`,
      entry,
      swap: (project) => project.entry({ ...entry, [field]: values[field] }),
    }
  }),
]

/** Places where a value decides what runs, or which server is contacted. */
const PLACES: readonly (readonly [name: string, entry: object])[] = [
  ['the command', { command: '${OF_SWAP}' }],
  ['a part of the command', { command: './${OF_SWAP}' }],
  ['an argument', { command: 'node', args: ['-e', '${OF_SWAP}'] }],
  ['the address', { url: '${OF_SWAP}' }],
  ['the host of the address', { url: 'https://${OF_SWAP}/mcp' }],
]

suite('swap an allowed MCP server', () => {
  test("a project's later changes are asked again", async (t) => {
    await tried(t, {
      cases: SWAPS,
      named: ({ name }) => name,
      hold({ entry, before = {}, swap }) {
        using project = new Project()
        for (const [name, text] of Object.entries(before)) project.write(name, text, 0o755)
        if ('two.js' in before) {
          symlinkSync('../../one.js', join(project.folder, 'node_modules/.bin/server'))
        }
        project.entry(entry)
        const allowed = project.ready()
        allow(process, project.path, allowed)
        assert.equal(standingOf(process, project.path, project.ready()), 'allowed')
        swap(project)
        assert.equal(standingOf(process, project.path, project.ready()), 'changed')
      },
    })
  })

  test('files of a project fill no command, argument or address', async (t) => {
    await tried(t, {
      cases: PLACES,
      named: ([name]) => name,
      hold([, entry]) {
        using project = new Project()
        project.write('.env', 'OF_SWAP=evil')
        project.entry(entry)
        assert.throws(
          () => project.ready(),
          (error) => error instanceof EchelonError && /\.env of a project/.test(error.message),
        )
        process.env['OF_SWAP'] = 'mine'
        allow(process, project.path, project.ready())
        process.env['OF_SWAP'] = 'another'
        assert.equal(standingOf(process, project.path, project.ready()), 'changed')
      },
    })
  })

  test('what will run is shown, without secrets', () => {
    using project = new Project()
    project.write('.env', 'OPTIONS_TOKEN=--import ./evil.mjs\nOTHER_TOKEN=hush')
    process.env['OF_SWAP'] = 'a.js'
    project.entry({
      command: process.execPath,
      args: ['${OF_SWAP}'],
      env: { NODE_OPTIONS: '${OPTIONS_TOKEN}', X_A: '${OTHER_TOKEN}', B_TOKEN: '${OTHER_TOKEN}' },
    })
    const { shown } = project.ready()
    assert.equal(
      shown,
      `${process.execPath} a.js; in ${project.folder}; NODE_OPTIONS=--import ./evil.mjs; X_A=[OTHER_TOKEN, redacted]; B_TOKEN=[redacted]`,
    )
  })

  test('data of a project may change', () => {
    using project = new Project()
    project.write('data.db', 'one')
    project.entry({ command: process.execPath, args: ['server.mjs', './data.db', '.'] })
    allow(process, project.path, project.ready())
    project.write('data.db', 'two')
    assert.equal(standingOf(process, project.path, project.ready()), 'allowed')
  })

  test('neither a chat nor a test call starts a swapped server', async (t: TestContext) => {
    using project = new Project()
    const ran = join(project.folder, 'ran')
    const own = { XDG_CONFIG_HOME: process.env['XDG_CONFIG_HOME'] ?? '' }
    const run = (...args: string[]): Promise<Ran> => runCommand(args, project.folder, { env: own })
    project.write('harmless.mjs', '')
    project.entry({ command: process.execPath, args: ['harmless.mjs'] })
    assert.equal((await run('tools', 'allow', 's')).status, 0)
    project.write('harmless.mjs', `import fs from 'node:fs'\nfs.writeFileSync('${ran}', '')`)
    const [tested, chatted] = await Promise.all([
      run('tools', 'test', 's'),
      run('chat', 'What is 15 * 23?'),
    ])
    assert.equal(tested.status, 2)
    assert.match(tested.stderr, /has changed since you allowed it/)
    assert.match(chatted.stderr, /has changed since you allowed it.*, and is left out\n/)
    t.assert.throws(() => unlinkSync(ran), { code: 'ENOENT' })
  })
})
