import assert from 'node:assert/strict'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { suite, test, type TestContext } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { createDecider } from 'echelon'
import { createAgent } from 'echelon/chat'
import type { Examined } from 'echelon/runtime'
import { openStore } from '@echelon/store'
import { asBound, scriptedModel, startModelServer } from 'echelon/testing'
import { openByHand } from './testing/by-hand.ts'
import { finish, folderFor, type Ran, runCommand, spawned } from './testing/run-command.ts'

/** A folder with the default store: a finished case, and two runs whose process is gone. */
async function kept(t: TestContext): Promise<string> {
  const folder = folderFor(t)
  mkdirSync(join(folder, '.echelon'))
  const store = await openStore(usual(folder))
  await (await createDecider({ journal: store.runs })).runCase('What is 15 * 23?')
  const chat = (name: string) =>
    createAgent({
      name,
      model: asBound(
        scriptedModel([{ text: 'late', delayMs: 1 }], { sleep: forever }),
        'demo/small',
      ),
      permissions: {},
      // A time limit would keep this process alive until it expires.
      modelTimeouts: { answerMs: Infinity },
      journal: store.runs,
    })
  for (const name of ['chat', 'stranger']) {
    for await (const event of chat(name).run('hello')) if (event.type === 'step-start') break
  }
  await store.close()
  return folder
}

/** Each of these runs is in progress when its store is closed. */
const forever = (): Promise<void> => new Promise(() => undefined)

const NONE =
  'echelon: there is no file none.db; name a store, or leave --store out for the default\n'

const usual = (folder: string): string => join(folder, '.echelon', 'echelon.db')

const doctor = (folder: string, ...args: readonly string[]): Promise<Ran> =>
  runCommand(['state', 'doctor', ...args], folder)

const bytesIn = (folder: string) =>
  readdirSync(folder)
    .toSorted()
    .map((name) => [name, readFileSync(join(folder, name)).toString('base64')])

suite('echelon state doctor, on a store', () => {
  test('[C-29] reports on the default store, checks unfinished runs, and writes nothing', async (t) => {
    const folder = await kept(t)
    const before = bytesIn(join(folder, '.echelon'))
    const { status, stdout, stderr } = await doctor(folder)
    assert.deepEqual([status, stderr], [1, ''], stdout)
    const [heading, whole, runs] = stdout.split('\n')
    assert.match(heading ?? '', /^\.echelon\/echelon\.db {2}version \d+, [\d.]+ [kM]B$/)
    assert.equal(whole, '  whole     yes')
    assert.match(runs ?? '', /^ {2}runs {6}0 running, 0 waiting, 2 interrupted, 1 finished, 0 canc/)
    assert.match(stdout, /^ {2}prunable {2}1 run that ended, [\d.]+ kB of entries$/m)
    assert.match(stdout, /^run [\w-]+ {2}stranger, 0 steps\n {2}refused {4}there is no agent str/m)
    assert.match(stdout, /\n1 of 2 would load: 1 refused\n$/)
    assert.deepEqual(bytesIn(join(folder, '.echelon')), before)

    const json = JSON.parse((await doctor(folder, '.echelon/echelon.db', '--json')).stdout)
    assert.deepEqual([json.file, json.omitted], ['.echelon/echelon.db', 0])
    assert.deepEqual([json.store.damage, json.store.runs.interrupted], [[], 2])
    assert.deepEqual([json.summary.checkpoints, json.summary.would_load], [2, 1])
    assert.equal(json.checkpoints[0].agent, 'stranger')
  })

  test('[C-29] loads a module for unknown agents', async (t) => {
    const folder = await kept(t)
    const module = `export default { definition: {
      name: 'stranger', version: 1, actors: {}, start: () => ({ state: 0 }),
      next: () => ({ type: 'finish', reason: 'done', result: null }), observe: () => ({ state: 0 }),
    }, middlewares: [] }`
    writeFileSync(join(folder, 'agent.mjs'), module)
    const { status, stdout } = await doctor(folder, '--agent', 'agent.mjs')
    assert.equal(status, 0, stdout)
    assert.match(stdout, /\n2 of 2 would load: 1 dropped\n$/)
  })

  test('[C-29] checks newer code as a resume would: from the snapshot, if there is one', async (t) => {
    const folder = await kept(t)
    const module = `export default { definition: {
      name: 'stranger', version: 2, actors: {}, start: () => ({ state: 0 }), load: () => 0,
      next: () => ({ type: 'finish', reason: 'done', result: null }), observe: () => ({ state: 0 }),
    }, middlewares: [] }`
    writeFileSync(join(folder, 'agent.mjs'), module)
    const older = await doctor(folder, '--agent', 'agent.mjs')
    assert.match(older.stdout, /refused {4}the run was begun by stranger version 1, not by/)
    const db = openByHand(usual(folder))
    const at = { agent: 'stranger', version: 1, seq: 0, after: 1, state: 0, at: 0 }
    const snapshot = JSON.stringify({ ...at, spent: {}, models: {} })
    db.prepare(
      "insert into snapshots (run, after, body_json) select id, 1, ? from runs where agent = 'stranger'",
    ).run(snapshot)
    db.close()
    const newer = await doctor(folder, '--agent', 'agent.mjs')
    assert.match(newer.stdout, /resumable {2}stranger decides as in the journal/)
  })

  test('[C-29] refuses invalid entries, without quoting them', async (t) => {
    const folder = await kept(t)
    const db = openByHand(usual(folder))
    db.exec(`update journal set entries_json = '[{"type":"secret-value"}]'
      where run = (select id from runs where agent = 'chat')`)
    db.close()
    const { status, stdout, stderr } = await doctor(folder)
    assert.equal(status, 1)
    assert.match(
      stdout,
      /^run [\w-]+ {2}chat\n {2}refused {4}what is stored cannot be read \(an e/m,
    )
    assert.doesNotMatch(stdout + stderr, /secret-value/)
  })

  test('reports a file that is newer, truncated, foreign or not a database', async (t) => {
    const folder = await kept(t)
    const file = (name: string): string => join(folder, name)
    copyFileSync(usual(folder), file('newer.db'))
    const newer = new DatabaseSync(file('newer.db'))
    newer.exec('pragma user_version = 99')
    newer.close()
    copyFileSync(usual(folder), file('cut.db'))
    truncateSync(file('cut.db'), 20_000)
    const foreign = new DatabaseSync(file('foreign.db'))
    foreign.exec('create table notes (text)')
    foreign.close()
    writeFileSync(file('text.db'), 'some text that is not a database'.repeat(50))
    const rows: readonly (readonly [string, RegExp])[] = [
      [
        'newer.db',
        /^echelon: newer\.db is of version 99 and this Echelon reads up to \d+; upd.*\n$/,
      ],
      [
        'foreign.db',
        /^echelon: foreign\.db is a database of another program; name another file\n$/,
      ],
      [
        'text.db',
        /^echelon: text\.db cannot be used \(.*\); nothing was changed; restore a b.*\n$/,
      ],
    ]
    for (const [name, message] of rows) {
      const before = readFileSync(file(name))
      const { status, stdout, stderr } = await doctor(folder, name)
      assert.deepEqual([status, stdout], [1, ''])
      assert.match(stderr, message)
      assert.deepEqual(readFileSync(file(name)), before)
    }
    const problem = JSON.parse((await doctor(folder, 'newer.db', '--json')).stdout)
    assert.match(problem.problem, /is of version 99/)
    const cut = await doctor(folder, 'cut.db')
    assert.equal(cut.status, 1)
    assert.match(cut.stdout + cut.stderr, /damaged|malformed/)
    const none = await doctor(folder, 'none.db')
    assert.deepEqual([none.status, none.stdout], [2, ''])
  })
})

/** A run that waits for approval of its plot. */
const PLOT = 'Show me last 30 days closing price for AAPL and plot it'

/** A folder in which chats and cases are started with the command. */
class Project {
  readonly folder: string
  readonly #own: Readonly<Record<string, string>>

  constructor(t: TestContext) {
    this.folder = folderFor(t)
    this.#own = { XDG_CONFIG_HOME: join(this.folder, 'own') }
  }

  run(...args: readonly string[]): Promise<Ran> {
    return runCommand(args, this.folder, { env: this.#own })
  }

  /** A chat that ends its process as soon as it waits. */
  async waits(...args: readonly string[]): Promise<void> {
    const { status, stderr } = await this.run('chat', '--approve', 'later', ...args, PLOT)
    assert.equal(status, 3, stderr)
  }

  async doctor(...args: readonly string[]): Promise<Ran> {
    return this.run('state', 'doctor', ...args)
  }
}

suite('echelon state doctor, on runs of this command', () => {
  test('[C-29] checks a chat against the agent it was started with, and it can still resume', async (t) => {
    const project = new Project(t)
    await project.waits('--ask', 'plotter')
    const tools = 'calculator,data_fetch_stock,numeric_analysis,plotter'
    await project.waits('--tools', tools, '--instructions', 'Be brief.', '--ask', 'plotter')
    const { status, stdout, stderr } = await project.doctor()
    assert.deepEqual([status, stderr], [0, ''], stdout)
    assert.match(stdout, /^ {2}runs {6}0 running, 2 waiting, .*; 2 open requests$/m)
    assert.match(stdout, /\n2 of 2 would load, nothing changed\n$/)
    const answered = await project.run('runs', 'answer', 'last', 'once')
    assert.equal(answered.status, 0, answered.stderr)
    const rest = await project.doctor()
    assert.match(rest.stdout, /^ {2}runs {6}0 running, 1 waiting, .*; 1 open request$/m)
    assert.match(rest.stdout, /^ {2}prunable {2}1 run that ended, /m)

    const other = `export default { definition: {
      name: 'chat', version: 99, actors: {}, start: () => ({ state: 0 }),
      load() { throw new Error('not mine') },
      next: () => ({ type: 'finish', reason: 'done', result: null }), observe: () => ({ state: 0 }),
    }, middlewares: [] }`
    writeFileSync(join(project.folder, 'agent.mjs'), other)
    const named = await project.doctor('--agent', 'agent.mjs')
    assert.equal(named.status, 1)
    assert.match(named.stdout, / {2}refused {4}chat fails on what the journal holds \(not mine\)/)
  })

  test('[C-29] checks a killed case with its own settings', async (t) => {
    const project = new Project(t)
    await using server = await startModelServer([
      { type: 'reply', text: ['no plan'] },
      { type: 'silence' },
    ])
    const models = ['--small', 'openai-compatible/s', '--big', 'openai-compatible/b']
    const args = ['decide', '--max-seconds', '100', ...models, '--base-url', server.baseUrl]
    const child = spawned([...args, 'What is 15 * 23?'], project.folder)
    const ended = finish(child)
    while (server.requests.length < 2 && child.exitCode === null) await setTimeout(10)
    child.kill('SIGKILL')
    await ended
    const { status, stdout } = await project.doctor()
    assert.equal(status, 0, stdout)
    assert.match(stdout, /^ {2}runs {6}0 running, 0 waiting, 1 interrupted, .*; 0 open requests$/m)
    assert.match(stdout, /\n1 of 1 would load, nothing changed\n$/)
  })

  test('[C-29] says why a run is not checked: missing servers, folders and configurations', async (t) => {
    const project = new Project(t)
    await project.waits('--ask', 'plotter')
    await project.waits('--tools', 'data_fetch_stock,numeric_analysis,plotter', '--ask', 'plotter')
    // The server would create this file if it were started.
    const server = join(project.folder, 'server.mjs')
    writeFileSync(server, `await import('node:fs').then((fs) => fs.writeFileSync('begun', ''))`)
    await project.run('tools', 'add', 'mcp', 'office', '--', process.execPath, server)
    const { status, stdout } = await project.doctor()
    assert.equal(status, 0, stdout)
    const why = 'it also has tools of MCP servers (office), which this check does not connect to'
    assert.deepEqual(
      stdout.split('\n').filter((line) => line.startsWith('  unchecked')),
      [`  unchecked  ${why}`],
    )
    assert.ok(!existsSync(join(project.folder, 'begun')))
    const { checkpoints, summary } = JSON.parse((await project.doctor('--json')).stdout)
    assert.deepEqual(
      checkpoints.map(({ check, loads }: Examined) => [check, loads]),
      [[{ type: 'unchecked', reason: why }, true]],
    )
    assert.equal(summary.refused, 0)

    const elsewhere = new Project(t)
    copyFileSync(usual(project.folder), join(elsewhere.folder, 'copy.db'))
    rmSync(project.folder, { recursive: true })
    const copied = await elsewhere.doctor('copy.db')
    assert.equal(copied.status, 0, copied.stdout)
    assert.match(copied.stdout, /unchecked {2}the folder .* does not exist any more/)
  })

  test('[C-29] refuses a run whose tools no longer exist', async (t) => {
    const project = new Project(t)
    await project.waits('--ask', 'plotter')
    writeFileSync(join(project.folder, 'config.yaml'), 'security:\n  denied_tools: [plotter]\n')
    const { status, stdout } = await project.doctor()
    assert.equal(status, 1, stdout)
    assert.match(stdout, / {2}refused {4}--ask names plotter, and there is no such tool here/)
  })
})

suite('echelon backup', () => {
  const backup = (folder: string, ...args: readonly string[]): Promise<Ran> =>
    runCommand(['backup', ...args], folder)

  test('[C-31] copies the default or the given store, readable only by its owner', async (t) => {
    const folder = await kept(t)
    const { status, stdout, stderr } = await backup(folder, 'one.db')
    assert.deepEqual([status, stderr], [0, ''])
    assert.match(stdout, /^Copied \.echelon\/echelon\.db to one\.db \([\d.]+ [kM]B\)\.\n$/)
    assert.equal(statSync(join(folder, 'one.db')).mode & 0o777, 0o600)
    const again = await backup(folder, 'two.db', '--store', 'one.db')
    assert.equal(again.status, 0, again.stderr)
    const [first, second] = await Promise.all([
      doctor(folder, 'one.db', '--json'),
      doctor(folder, 'two.db', '--json'),
    ])
    const { file: _, ...report } = JSON.parse(first.stdout)
    const { file: __, ...copied } = JSON.parse(second.stdout)
    assert.deepEqual(copied, report)
  })

  test('copies a store of a newer version, and says so', async (t) => {
    const folder = await kept(t)
    const db = new DatabaseSync(join(folder, '.echelon/echelon.db'))
    db.exec('pragma user_version = 999')
    db.close()
    const { status, stdout } = await backup(folder, 'one.db')
    assert.equal(status, 0)
    assert.match(stdout, /\nThe copy is complete, but its version 999 is newer than this Echelon/)
  })

  test('copies a damaged store, and says that the copy is damaged too', async (t) => {
    const folder = await kept(t)
    const bytes = readFileSync(usual(folder))
    bytes.write('octet_leogth', bytes.indexOf('octet_length'))
    writeFileSync(usual(folder), bytes)
    const { status, stdout, stderr } = await backup(folder, 'one.db')
    assert.equal(status, 1, stderr)
    assert.match(stdout, /^Copied /)
    assert.match(
      stderr,
      /^echelon: the copy is damaged, like the store: the (?:trigger|table) \w+, which differs from the schema\n$/,
    )
    assert.equal((await doctor(folder)).status, 1)
  })

  test('never overwrites a file, and reports what it cannot copy', async (t) => {
    const folder = await kept(t)
    writeFileSync(join(folder, 'there'), 'kept')
    const taken = await backup(folder, 'there')
    const sentence = 'echelon: there already exists; name a new file for the backup\n'
    assert.deepEqual([taken.status, taken.stdout, taken.stderr], [2, '', sentence])
    assert.equal(readFileSync(join(folder, 'there'), 'utf8'), 'kept')
    const none = await backup(folder, 'new.db', '--store', 'none.db')
    assert.deepEqual([none.status, none.stderr], [2, NONE])
    const nothing = await backup(folderFor(t), 'new.db')
    assert.equal(nothing.status, 2)
    assert.match(nothing.stderr, /^echelon: there is no store to copy yet; /)
    assert.deepEqual(readdirSync(folder).toSorted(), ['.echelon', 'there'])
  })
})
