import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { createAgent, createDecider, defineTool } from 'echelon'
import { loadConfig } from 'echelon/config'
import { cascade } from 'echelon/middleware'
import { type Entry, MemoryJournal } from 'echelon/runtime'
import { asBound, scriptedModel } from 'echelon/testing'
import { any, format, steps } from 'echelon/verify'
import { openStore } from '@echelon/store'
import { z } from 'zod'
import { chatTools } from './chat/chat-tools.ts'
import { CLOSED, lines, STARTED } from './testing/journal-lines.ts'
import { folderFor, type Ran, runCommand } from './testing/run-command.ts'

/** Runs the doctor on the first of these files, in a folder that holds them all. */
async function doctor(
  t: TestContext,
  files: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<Ran> {
  const folder = folderFor(t)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const [file = ''] = Object.keys(files)
  return runCommand(['state', 'doctor', file, ...args], folder)
}

/** Journal of a case of the decision agent. */
async function decided(task: string): Promise<readonly Entry[]> {
  const journal = new MemoryJournal()
  const { run_id } = await (await createDecider({ journal })).runCase(task)
  return journal.read(run_id)
}

const states = (counters: Readonly<Record<string, unknown>>, version: number | null = 1) => ({
  states: counters,
  schemaSignature: version === null ? null : Object.keys(counters).toSorted().join(','),
  schemaVersion: 1,
  stateVersions:
    version === null
      ? null
      : Object.fromEntries(Object.keys(counters).map((key) => [key, version])),
})

const session = (container: unknown, agent: unknown = 'speaker') =>
  JSON.stringify({
    kind: 'echelon-session',
    version: 1,
    id: 's-1',
    agent,
    messages: [],
    states: container,
  })

/** Middleware by shape only, since a user's module may use another copy of Echelon. */
const MIDDLEWARES = `
const slot = (name, version, migrate) => ({
  key: 'app/' + name, version, scope: 'session', initial: { count: 0 }, migrate,
  jsonSchema: {}, refusal: ({ count }) => typeof count === 'number' ? undefined : 'count: expected number',
})
const middleware = (slot) => ({ name: slot.key, key: slot.key, slot, replaces: [] })
export const middlewares = [
  middleware(slot('counter', 2, { 1: (old) => ({ count: Number(old.count) }) })),
  middleware(slot('fresh', 1, {})),
  { name: 'bare', key: 'app/bare', slot: undefined, replaces: [] },
]
export const definition = {
  name: 'speaker', version: 1, actors: { all: { speaks: true } },
  start: () => ({ state: 0 }),
  next: (said) => said < 1 ? { type: 'say', actor: 'all', text: 'one' } : { type: 'finish', reason: 'done', result: null },
  observe: (said) => ({ state: said + 1 }),
  load: () => 0,
}
`

suite('echelon state doctor', () => {
  test('[C-29] finds cases of the decision agent resumable, in both export formats', async (t) => {
    const entries = [...(await decided('What is 15 * 23?')), ...(await decided('What is 7 * 6?'))]
    for (const text of [lines(entries), JSON.stringify(entries, null, 2)]) {
      const { status, stdout, stderr } = await doctor(t, { 'journal.jsonl': text })
      assert.deepEqual([status, stderr], [0, ''], stdout)
      assert.equal(stdout.match(/^run [\w-]+ {2}decide, \d+ steps?, ended$/gm)?.length, 2, stdout)
      assert.equal(stdout.match(/^ {2}resumable {2}decide returns the same result$/gm)?.length, 2)
      assert.match(stdout, /\n2 of 2 would load, nothing changed\n$/)
    }
  })

  test('[C-29] knows the agents chat and cascade of a server, with the state of the gate', async (t) => {
    const folder = folderFor(t)
    const config = await loadConfig({ env: {} })
    const { tools } = await chatTools({}, config)
    const maxParallelTools = config.settings.security.max_concurrent_tool_calls
    const store = await openStore(join(folder, 'store.db'))
    const [small, big] = ['small', 'big'].map((name) => {
      const calls = { toolCalls: [{ tool: 'calculator', input: { expression: '6 * 7' } }] }
      return asBound(scriptedModel([calls, calls]), `test/${name}`)
    })
    assert.ok(small !== undefined && big !== undefined)
    const gate = cascade([small, big], { verify: any([format, steps]), accept: 0.8 })
    for (const [name, use] of [
      ['chat', []],
      ['cascade', [gate]],
    ] as const) {
      const agent = createAgent({ name, model: small, tools, maxParallelTools, use, store })
      const run = agent.run('6 * 7?', { made: { served: { by: 'ada', agent: name } } })
      const left = assert.rejects(run.result, { code: 'RUN_SUSPENDED' })
      await assert.rejects(async () => {
        for await (const { type } of run) if (type === 'step-end') run.suspend()
      })
      await left
    }
    await store.close()
    const { status, stdout, stderr } = await runCommand(['state', 'doctor', 'store.db'], folder)
    assert.deepEqual([status, stderr], [0, ''], stdout)
    assert.match(stdout, /runs {6}0 running, 2 waiting/)
    assert.match(stdout, /\n2 of 2 would load, nothing changed\n$/)
  })

  test('[C-29] still refuses a run of the name cascade that a program started with its own tools', async (t) => {
    const journal = new MemoryJournal()
    const model = asBound(scriptedModel(['Done.']), 'test/one')
    const own = defineTool({
      name: 'own',
      description: 'Its own.',
      input: z.object({}),
      run: () => 'done',
    })
    const agent = createAgent({ name: 'cascade', model, tools: [own], journal })
    await agent.run('Do it.', { runId: 'r' }).result
    const entries = journal.read('r').filter(({ type }) => type !== 'ended')
    const { status, stdout } = await doctor(t, { 'journal.jsonl': lines(entries) })
    assert.equal(status, 1, stdout)
    assert.match(stdout, /refused/)
  })

  test('[C-29] refuses a case of another version, and one that would be decided differently now', async (t) => {
    const entries = await decided('What is 15 * 23?')
    const older = entries.map((entry) =>
      entry.type === 'started' ? { ...entry, runId: 'older', version: 99 } : entry,
    )
    const other = entries.map((entry) =>
      entry.type === 'closed' ? { ...entry, digest: entry.digest + 1 } : entry,
    )
    const { status, stdout } = await doctor(t, { j: lines([...older, ...other]) })
    assert.equal(status, 1)
    assert.match(
      stdout,
      /refused {4}the run was begun by decide version 99, not by decide version 1;/,
    )
    assert.match(stdout, /refused {4}at step 0 decide now asks for something other/)
    assert.match(stdout, /\n0 of 2 would load: 2 refused\n$/)
  })

  test('[C-29] reports the change of each state', async (t) => {
    const container = states({ 'app/counter': { count: '7' }, 'app/old': { count: 1 } })
    const files = { 's.json': session(container), 'agent.mjs': MIDDLEWARES }
    const { status, stdout, stderr } = await doctor(t, files, '--agent', 'agent.mjs')
    assert.deepEqual([status, stderr], [0, ''])
    assert.deepEqual(stdout.split('\n'), [
      'session s-1  speaker',
      '  unchecked  a conversation keeps no step of its agent, so that only its states are tried',
      '  dropped    app/old: no middleware uses this state any more',
      '  defaulted  app/fresh: not in the checkpoint; starts from its initial state',
      '  migrated   app/counter: version 1 to 2',
      '1 of 1 would load: 1 dropped, 1 defaulted, 1 migrated',
      '',
    ])
  })

  test('[C-29] refuses a state that cannot be migrated, and reads one without a version as version 1', async (t) => {
    const upgraded = states({ 'app/counter': { count: '7' } }, null)
    const broken = states({ 'app/counter': { count: 'x' } })
    const entries = [
      { ...STARTED, states: upgraded },
      { ...CLOSED, states: { 'app/fresh': { count: 1 } } },
      { ...STARTED, runId: 'run-2', states: broken },
      { ...CLOSED, states: { 'app/counter': { count: {} } } },
    ]
    const files = { j: lines(entries), 'agent.mjs': MIDDLEWARES }
    const { status, stdout } = await doctor(t, files, '--agent', 'agent.mjs', '--json')
    assert.equal(status, 1)
    const { file, summary, checkpoints } = JSON.parse(stdout)
    assert.equal(file, 'j')
    assert.deepEqual(summary, {
      checkpoints: 2,
      would_load: 1,
      upgraded: 1,
      dropped: 0,
      defaulted: 1,
      migrated: 1,
      refused: 1,
    })
    const [first, second] = checkpoints
    assert.deepEqual([first.id, first.check, first.loads], ['run-1', { type: 'resumable' }, true])
    assert.match(second.changes.at(-1).reason, /migrate\[1\]|does not fit/)
  })

  test('refuses an unknown agent, and says how to name it', async (t) => {
    for (const [name, text] of [
      ['j', lines([STARTED, CLOSED])],
      ['s.json', session(states({}), { name: 'speaker', version: 1 })],
    ] as const) {
      const { status, stdout } = await doctor(t, { [name]: text })
      assert.equal(status, 1)
      assert.match(stdout, /refused {4}there is no agent speaker here; name the module .*--agent/)
    }
  })

  test('accepts a list of middleware as an agent, and then checks only the states', async (t) => {
    const module = `${MIDDLEWARES.replaceAll('export const', 'const')}\nexport default middlewares`
    const entries = [{ ...STARTED, states: states({ 'app/counter': { count: '7' } }) }, CLOSED]
    const files = { j: lines(entries), 'agent.mjs': module }
    const { status, stdout } = await doctor(t, files, '--agent', 'agent.mjs')
    assert.equal(status, 0)
    assert.match(stdout, /unchecked {2}only middleware was given, no agent/)
    assert.match(stdout, /migrated {3}app\/counter/)
  })

  test('exits with 2 and one line for unreadable input, without quoting it', async (t) => {
    const torn = `${lines([STARTED])}\n{"type": "secret-value`
    const { status, stdout, stderr } = await doctor(t, { j: torn })
    assert.deepEqual([status, stdout, stderr], [2, '', 'echelon: j: line 3 is not JSON\n'])
    const missing = await runCommand(['state', 'doctor'], folderFor(t))
    assert.deepEqual([missing.status, missing.stdout], [2, ''])
    assert.match(missing.stderr, /nothing is stored yet; name a store/)
    const none = await doctor(t, { j: lines([STARTED]) }, '--agent', './none.mjs')
    assert.deepEqual([none.status, none.stderr.includes('no module ./none.mjs')], [2, true])
  })

  test('reports a missing agent and nothing else', async (t) => {
    const old = states({ 'app/old': { count: 1 } })
    const { status, stdout } = await doctor(t, { j: lines([{ ...STARTED, states: old }]) })
    assert.equal(status, 1)
    assert.deepEqual(stdout.split('\n').slice(1), [
      '  refused    there is no agent speaker here; name the module that has it with --agent',
      '0 of 1 would load: 1 refused',
      '',
    ])
  })

  test('file content cannot control the terminal', async (t) => {
    const runId = 'run\u001b[31m\n1'
    const container = states({ 'app/\u001b[2Jold': 1 })
    const files = {
      j: lines([{ ...STARTED, runId, states: container }]),
      'agent.mjs': MIDDLEWARES,
    }
    const { stdout } = await doctor(t, files, '--agent', 'agent.mjs')
    assert.ok(!stdout.includes('\u001b'))
    assert.match(stdout, /^run run 1 {2}speaker, 0 steps\n/)
    assert.match(stdout, /dropped {4}app\/\\u001b\[2Jold: no middleware/)
  })
})
