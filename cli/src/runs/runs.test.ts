import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test, type TestContext } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { type LocalModelServer, startModelServer } from 'echelon/testing'
import { openByHand } from '../testing/by-hand.ts'
import { finish, folderFor, type Ran, runCommand, spawned } from '../testing/run-command.ts'
import { noTerminal, spawnedOnTerminal } from '../testing/spawned-terminal.ts'
import { onTerminal } from '../testing/terminal.ts'

/** An MCP server whose tool appends a line to a file on each call. */
const stamping = (file: string): string => `
import { appendFileSync } from 'node:fs'
import { McpServer } from '${import.meta.resolve('@modelcontextprotocol/sdk/server/mcp.js')}'
import { StdioServerTransport } from '${import.meta.resolve('@modelcontextprotocol/sdk/server/stdio.js')}'
const server = new McpServer({ name: 'stamps', version: '1' })
server.registerTool('stamp', { description: 'leaves a line' }, () => {
  appendFileSync('${file}', 'stamped\\n')
  return { content: [{ type: 'text', text: 'stamped' }] }
})
await server.connect(new StdioServerTransport())
`

class Project {
  readonly folder: string
  readonly #own: Readonly<Record<string, string>>

  constructor(t: TestContext) {
    this.folder = folderFor(t)
    this.#own = { XDG_CONFIG_HOME: join(this.folder, 'own') }
  }

  get variables(): Readonly<Record<string, string>> {
    return this.#own
  }

  async run(...args: readonly string[]): Promise<Ran> {
    return runCommand(args, this.folder, { env: this.#own })
  }

  /** The run as `runs show` prints it. */
  async shown(said = 'last'): Promise<Readonly<Record<string, unknown>>> {
    const { status, stdout, stderr } = await this.run('runs', 'show', said, '--json')
    assert.equal(status, 0, stderr)
    return JSON.parse(stdout)
  }

  async addStamps(): Promise<void> {
    const server = join(this.folder, 'stamps.mjs')
    writeFileSync(server, stamping(join(this.folder, 'stamps.txt')))
    const added = await this.run('tools', 'add', 'mcp', 'office', '--', process.execPath, server)
    assert.equal(added.status, 0, added.stderr)
  }

  get stamps(): number {
    const file = join(this.folder, 'stamps.txt')
    return existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0
  }
}

const modelOf = ({ baseUrl }: LocalModelServer): readonly string[] => [
  '--model',
  'openai-compatible/m',
  '--base-url',
  baseUrl,
]

const STAMP = { type: 'reply', toolCalls: [{ tool: 'office_stamp', input: {} }] } as const

describe('a waiting run', () => {
  test('[C-31] --approve later ends the process; an answer from another one resumes the run, and the tool runs once', async (t) => {
    const project = new Project(t)
    await project.addStamps()
    await using server = await startModelServer([
      STAMP,
      { type: 'reply', text: ['It is stamped.'] },
    ])
    const asked = await project.run('chat', '--approve', 'later', ...modelOf(server), 'Stamp it')
    assert.equal(asked.status, 3, asked.stderr)
    assert.equal(asked.stdout, '')
    assert.match(
      asked.stderr,
      /the run \w{8} waits for your approval of office_stamp\n {2}office_stamp\(\)/,
    )
    const [, answer = ''] = /^ {2}echelon (runs answer \w{8} once)$/m.exec(asked.stderr) ?? []
    assert.equal(project.stamps, 0)
    const listed = await project.run('runs', 'list')
    assert.match(
      listed.stdout,
      /^run .*\n\w{8} {2}chat {3}waits for your approval of office_stamp .* Stamp it\n$/,
    )
    const unclear = await project.run('runs', 'answer', 'last', 'perhaps')
    assert.deepEqual(
      [unclear.status, unclear.stderr],
      [2, 'echelon: "perhaps" is not a valid answer; write once, always, no (or deny) or never\n'],
    )
    const answered = await project.run(...answer.split(' '))
    assert.deepEqual([answered.status, answered.stdout], [0, 'It is stamped.\n'], answered.stderr)
    assert.equal(project.stamps, 1)
    assert.equal((await project.run('runs', 'list')).stdout.split(';')[0], 'All runs have ended')
    const again = await project.run(...answer.split(' '))
    assert.equal(again.status, 2)
    assert.match(again.stderr, /has ended \(done\); echelon runs show \w{8} shows it\n$/)
    server.assertComplete()
  })

  test('[C-31] --approve later is stored with the conversation: in a pipe it waits again', async (t) => {
    const project = new Project(t)
    await project.run('chat', '--approve', 'later', '--ask', 'calculator', 'What is 1 + 1?')
    const again = await project.run('chat', '--continue', '--', 'And what is 7 * 6?')
    assert.deepEqual([again.status, again.stdout], [3, ''], again.stderr)
    assert.match(again.stderr, /what you said now was not taken: the turn before it waits/)
    assert.match(again.stderr, /waits for your approval of calculator/)
    assert.equal((await project.run('runs', 'answer', 'last', 'once')).stdout, '1 + 1 = 2\n')
    const next = await project.run('chat', '--continue', '--', 'What is 7 * 6?')
    assert.equal(next.status, 3, next.stderr)
    const denied = await project.run('chat', '--continue', '--approve', 'never')
    assert.doesNotMatch(denied.stdout, /42/)
    assert.notEqual(denied.status, 3)
  })

  test('folds long lists on the terminal, and prints them whole as JSON', async (t) => {
    const project = new Project(t)
    const task = 'Plot the last 30 closes of AAPL'
    const asking = ['chat', '--approve', 'later', '--ask', 'numeric_analysis', task]
    const { stderr } = await project.run(...asking)
    const folded =
      /numeric_analysis\(series: \[\{[^}]*\},\{[^}]*\},"… 28 more"\]\)\n {2}all of it: echelon (runs show \w{8} --json)\n/
    assert.match(stderr, folded)
    const shown = await project.run('runs', 'show', 'last')
    const [, all = ''] = folded.exec(shown.stdout) ?? []
    const { requests } = JSON.parse((await project.run(...all.split(' '))).stdout)
    assert.equal(requests[0].about.input.series.length, 30)
    const step = await project.run('runs', 'show', 'last', '--step', '2')
    assert.match(step.stdout, /series:\n.*date.*\n.*close.*\n.*date.*\n.*close.*\n +- … 28 more\n/)
    assert.match(step.stdout, /--json prints all of it/)
    assert.match(step.stdout, /role: user[^]*role: assistant[^]*role: tool/)
  })

  test('resume takes a stored answer, and reports requests that stay open', async (t) => {
    const project = new Project(t)
    await project.addStamps()
    await using server = await startModelServer([STAMP, { type: 'reply', text: ['Done.'] }])
    await project.run('chat', '--approve', 'later', ...modelOf(server), 'Stamp it')
    const open = await project.run('runs', 'resume', 'last')
    assert.equal(open.status, 3, open.stderr)
    assert.match(open.stderr, /waits for your approval of office_stamp/)
    const later = await project.run('runs', 'answer', 'last', 'deny', '--later')
    assert.equal(later.status, 0)
    assert.match(later.stderr, /^answered; echelon runs resume \w{8} continues it\n$/)
    const twice = await project.run('runs', 'answer', 'last', 'once')
    assert.equal(twice.status, 2)
    assert.match(twice.stderr, /waits for no answer; it can be resumed\n$/)
    const resumed = await project.run('runs', 'resume', 'last')
    assert.deepEqual([resumed.status, resumed.stdout], [0, 'Done.\n'], resumed.stderr)
    assert.equal(project.stamps, 0)
  })

  test('cancel ends an idle run in its own process', async (t) => {
    const project = new Project(t)
    await project.addStamps()
    await using server = await startModelServer([STAMP])
    await project.run('chat', '--approve', 'later', ...modelOf(server), 'Stamp it')
    const canceled = await project.run('runs', 'cancel', 'last')
    assert.equal(canceled.status, 0, canceled.stderr)
    assert.match(canceled.stderr, /the run \w{8} was canceled\n$/)
    assert.equal((await project.shown())['status'], 'canceled')
    assert.equal(project.stamps, 0)
  })

  test('cancel needs no key, since it calls no model', async (t) => {
    const project = new Project(t)
    const key = ['sk', 'made', 'up'].join('-')
    await using server = await startModelServer([
      { type: 'reply', toolCalls: [{ tool: 'calculator', input: { expr: '1+1' } }] },
    ])
    const model = ['--model', 'openai/gpt-5-nano', '--base-url', server.baseUrl]
    const more = { ...project.variables, OPENAI_API_KEY: key }
    const args = ['chat', '--approve', 'later', '--ask', 'all', ...model, 'Add']
    const asked = await runCommand(args, project.folder, { env: more })
    assert.equal(asked.status, 3, asked.stderr)
    const unanswered = await project.run('runs', 'answer', 'last', 'once')
    assert.equal(unanswered.status, 2)
    assert.match(
      unanswered.stderr,
      /^the answer is stored, but resuming failed; try echelon runs resume \w{8} later:\nechelon: openai needs a key; /,
    )
    const canceled = await project.run('runs', 'cancel', 'last')
    assert.equal(canceled.status, 0, canceled.stderr)
    assert.match(canceled.stderr, /the run \w{8} was canceled\n$/)
    assert.equal(JSON.stringify(await project.shown()).includes(key), false)
    assert.equal(server.requests.length, 1)
  })

  test('cancel reports why a run cannot be ended here, and keeps the request', async (t) => {
    const project = new Project(t)
    await project.run('chat', '--approve', 'later', '--ask', 'calculator', 'What is 1 + 1?')
    const file = join(project.folder, '.echelon/echelon.db')
    const db = openByHand(file)
    db.exec('update runs set made_json = replace(made_json, \'"folder":"\', \'"folder":"/gone\')')
    db.close()
    const { status, stderr } = await project.run('runs', 'cancel', 'last')
    assert.equal(status, 2)
    assert.match(
      stderr,
      /^echelon: the run \w{8} has a cancel on record, but could not be ended here: the folder \/gone.*; fix that, then cancel it again\n$/,
    )
    assert.equal((await project.shown())['isCancelAsked'], true)
  })

  test('shows a step with its state, or with the reason why it is unknown', async (t) => {
    const project = new Project(t)
    await project.run('chat', '--approve', 'later', '--ask', 'calculator', 'What is 1 + 1?')
    const told = await project.run('runs', 'show', 'last', '--step', '1')
    assert.match(told.stdout, /\nspent\n[^]*\nstate\n {2}messages:\n/)
    const db = openByHand(join(project.folder, '.echelon/echelon.db'))
    db.exec("update runs set made_json = 'null'")
    db.close()
    const untold = await project.run('runs', 'show', 'last', '--step', '1', '--json')
    const { state, stateless } = JSON.parse(untold.stdout)
    assert.deepEqual([state, stateless], [undefined, 'its agent is not known here'])
  })

  test('refuses a fork with an unknown tool before storing it', async (t) => {
    const project = new Project(t)
    await project.run('chat', '--approve', 'later', '--ask', 'calculator', 'What is 1 + 1?')
    const refused = await project.run('runs', 'fork', 'last', '--at', '1', '--act', 'stamp')
    assert.equal(refused.status, 2)
    assert.match(
      refused.stderr,
      /--act names stamp, which is not a tool of this agent; its tools are calcu/,
    )
    const elsewhere = ['--at', '1', '--base-url', 'http://127.0.0.1:9']
    assert.equal((await project.run('runs', 'fork', 'last', ...elsewhere)).status, 2)
    const { stdout } = await project.run('runs', 'list', '--json')
    assert.equal(JSON.parse(stdout).length, 1)
    const forked = await project.run('runs', 'fork', 'last', '--at', '1', '--act', 'calculator')
    assert.equal(forked.status, 3, forked.stderr)
    assert.equal(JSON.parse((await project.run('runs', 'list', '--json')).stdout).length, 2)
  })

  test('cancel ends a run in the process that works on it', async (t) => {
    const project = new Project(t)
    await using server = await startModelServer([{ type: 'silence', after: ['I am thinking'] }])
    const child = spawned(['chat', ...modelOf(server), 'Hello'], project.folder, project.variables)
    const ended = finish(child)
    while (server.requests.length === 0) await setTimeout(10)
    const busy = await project.run('runs', 'resume', 'last')
    assert.deepEqual([busy.status, busy.stdout], [2, ''])
    assert.match(busy.stderr, /a process is already working on the run \w{8};/)
    const canceled = await project.run('runs', 'cancel', 'last')
    assert.equal(canceled.status, 0, canceled.stderr)
    const { status, stderr } = await ended
    assert.equal(status, 1)
    assert.match(stderr, /canceled\n$/)
  })
})

describe('a fork', () => {
  test('of a case starts with the given model', async (t) => {
    const project = new Project(t)
    assert.equal((await project.run('decide', 'What is 15 * 23?')).status, 0)
    const fork = await project.run('runs', 'fork', 'last', '--at', '1', '--small', 'offline/big')
    assert.equal(fork.status, 0, fork.stderr)
    assert.match(fork.stdout, /verified · offline\/big 1×/)
  })
})

describe('a terminal that is gone', { skip: noTerminal, timeout: 120_000 }, () => {
  test('[C-31] getting started: killed at the question, answered from another terminal, plotted once', async (t) => {
    const project = new Project(t)
    const [ask = [], list = [], show = [], answer = [], goOn = []] = shownLines()
    const first = spawnedOnTerminal(ask, { folder: project.folder, more: project.variables })
    await first.seen('[o]nce / [a]lways / [n]o / ne[v]er? ')
    await first.kill()
    assert.deepEqual(plots(project), [])
    const listed = await project.run(...list)
    assert.match(listed.stdout, /waits for your approval of plotter .*Show me last 30 days/)
    const shown = await project.run(...show)
    assert.match(shown.stdout, /calls data_fetch_stock[^]*\? plotter\(series/)
    const answered = await project.run(...answer)
    assert.equal(answered.status, 0, answered.stderr)
    assert.match(answered.stdout, /AAPL closed at .*\n[^]*The plot is in /)
    assert.equal(plots(project).length, 1)
    // Completed steps were not repeated.
    assert.doesNotMatch(answered.stderr, /data_fetch_stock/)
    assert.equal(answered.stderr.match(/• plotter\(/g)?.length ?? 0, 1)
    const { screen } = await onTerminal(
      goOn,
      [
        ['goes on after', ''],
        ['> ', '/exit\r'],
      ],
      { folder: project.folder, more: project.variables },
    )
    assert.match(screen, /goes on after \d+ messages/)
  })

  test('chat --continue resumes the unfinished turn, and asks its question again', async (t) => {
    const project = new Project(t)
    const given = { folder: project.folder, more: project.variables }
    const first = spawnedOnTerminal(['chat', '--ask', 'calculator'], given)
    await first.type('> ', 'What is 15 * 23?\r')
    await first.seen('ne[v]er? ')
    await first.kill()
    const { status, screen } = await onTerminal(
      ['chat', '--continue'],
      [
        ['that was left: What is 15 * 23?', ''],
        ['ne[v]er? ', 'o\r'],
        ['= 345', ''],
        ['> ', 'What is 7 * 6?\r'],
        // It asks again, as before.
        ['ne[v]er? ', 'o\r'],
        ['= 42', ''],
        ['> ', '/exit\r'],
      ],
      given,
    )
    assert.equal(status, 0, screen)
    assert.equal(screen.match(/May this run\? calculator\(expr: "15 \* 23"\)/g)?.length, 1)
  })

  test('the asking terminal continues when answered from another one, and ends when canceled from there', async (t) => {
    const project = new Project(t)
    const given = { folder: project.folder, more: project.variables }
    const asking = ['chat', '--ask', 'calculator', 'What is 15 * 23?']
    const first = spawnedOnTerminal(asking, given)
    await first.seen('ne[v]er? ')
    const answered = await project.run('runs', 'answer', 'last', 'once')
    assert.equal(answered.status, 0, answered.stderr)
    assert.match(answered.stderr, /answered; the process that works on it continues\n$|= 345/)
    await first.seen('this was settled in another terminal')
    await first.seen('= 345')
    const second = spawnedOnTerminal(asking, given)
    await second.seen('ne[v]er? ')
    const canceled = await project.run('runs', 'cancel', 'last')
    assert.equal(canceled.status, 0, canceled.stderr)
    await second.seen('this was settled in another terminal')
    await second.seen('canceled')
  })

  test('a run that was to wait asks on a terminal; long lists are folded', async (t) => {
    const project = new Project(t)
    const given = { folder: project.folder, more: project.variables }
    const task = 'Plot the last 30 closes of AAPL'
    await project.run('chat', '--approve', 'later', '--ask', 'numeric_analysis', task)
    const { status, screen } = await onTerminal(
      ['chat', '--continue'],
      [
        ['ne[v]er? ', 'o\r'],
        ['> ', '/exit\r'],
      ],
      given,
    )
    assert.equal(status, 0, screen)
    const said = screen.replaceAll(/\s/g, '')
    assert.match(
      said,
      /Maythisrun\?numeric_analysis\(series:\[[^\]]{60,160}"…28more"\]\)allofit:echelon/,
    )
  })

  test('runs resume asks on the terminal, as a chat does', async (t) => {
    const project = new Project(t)
    const given = { folder: project.folder, more: project.variables }
    const first = spawnedOnTerminal(['chat', '--ask', 'calculator', 'What is 15 * 23?'], given)
    await first.seen('ne[v]er? ')
    await first.kill()
    const { status, screen } = await onTerminal(
      ['runs', 'resume', 'last'],
      [
        ['May this run? calculator', ''],
        ['ne[v]er? ', 'o\r'],
        ['= 345', ''],
      ],
      given,
    )
    assert.equal(status, 0, screen)
  })
})

/** The commands in docs/getting-started.md, as arguments. */
function shownLines(): readonly (readonly string[])[] {
  const file = join(import.meta.dirname, '../../../docs/getting-started.md')
  const page = readFileSync(file, 'utf8')
  const [, block = ''] = /A task that waits for you[^]*?```sh\n([^]*?)```/.exec(page) ?? []
  const lines = block.trim().split('\n')
  assert.equal(lines.length, 5)
  return lines.map((line) => {
    const [, words = ''] = /^npm start --silent -- (.*?)(?:\s+#.*)?$/.exec(line) ?? []
    return [...words.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain = '']) => quoted ?? plain)
  })
}

const plots = ({ folder }: Project): readonly string[] => {
  const artifacts = join(folder, 'artifacts')
  return existsSync(artifacts) ? readdirSync(artifacts) : []
}
