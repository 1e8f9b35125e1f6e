import assert from 'node:assert/strict'
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { loadConfig } from 'echelon/config'
import { EchelonError, type Entry, type StateContainer } from 'echelon/runtime'
import { openStore } from '@echelon/store'
import { CLOSED, lines, STARTED } from '../testing/journal-lines.ts'
import { folderFor } from '../testing/run-command.ts'
import { type FoundAgent, loadAgent } from './load-agent.ts'
import { readCheckpoints } from './read-checkpoints.ts'

const CONTAINER: StateContainer = {
  states: {},
  schemaSignature: '',
  schemaVersion: 1,
  stateVersions: {},
}

const SESSION = {
  kind: 'echelon-session',
  version: 1,
  id: 's-1',
  agent: 'speaker',
  messages: [],
  states: CONTAINER,
}

/** One entry of each type with all fields, so that the schema must cover new fields. */
const WHOLE: { readonly [Type in Entry['type']]: Required<Extract<Entry, { type: Type }>> } = {
  started: {
    ...STARTED,
    session: { id: 's', length: 0, digest: 0 },
    traceparent: '',
    caller: 'me',
    made: { command: 'chat' },
    forkedFrom: {
      run: 'r',
      at: 1,
      act: ['a'],
      memories: ['m'],
      session: { id: 's', length: 0, digest: 0 },
    },
    states: CONTAINER,
  },
  opened: { type: 'opened', path: '', seq: 0, hold: { tokens: 5 } },
  intended: { type: 'intended', path: '', seq: 0, call: 0, key: 'k' },
  settled: {
    type: 'settled',
    path: '',
    seq: 0,
    call: 0,
    outcome: { type: 'ok', value: 1 },
    states: {},
  },
  requested: {
    type: 'requested',
    path: '',
    seq: 0,
    call: 0,
    request: 'r',
    about: 'x',
    hash: 'h',
    at: 0,
    until: 9,
  },
  replied: { type: 'replied', request: 'r', reply: 'yes', at: 0, by: 'ada' },
  'cancel-asked': { type: 'cancel-asked', by: 'user', at: 0 },
  closed: { ...CLOSED, states: {}, prompt: { digest: 1, head: 2, tail: 3 } },
  bound: { type: 'bound', path: '', role: 'small', model: 'a/b', at: 0 },
  resumed: {
    type: 'resumed',
    path: '1.0/',
    charged: {},
    at: 0,
    after: 3,
    interrupted: true,
    states: CONTAINER,
  },
  ended: {
    type: 'ended',
    path: '',
    status: 'finished',
    reason: 'done',
    at: 0,
    states: {},
    text: 'x',
  },
  dropped: {
    type: 'dropped',
    count: 4,
    snapshot: {
      agent: 'speaker',
      version: 1,
      seq: 2,
      after: 5,
      state: { said: 1 },
      spent: {},
      models: {},
      states: CONTAINER,
      at: 0,
    },
  },
}

const EVERY: readonly Entry[] = [...Object.values(WHOLE), { ...STARTED, path: '0.0' }]

describe('readCheckpoints', () => {
  test('reads the runs of a journal, as lines or as a list', (t) => {
    const file = join(folderFor(t), 'j')
    const second = [{ ...STARTED, runId: 'run-2' }, CLOSED]
    const all = [...EVERY, ...second]
    const withBlanks = `\ufeff${lines(EVERY)}\r\n\n${lines(second)}`
    for (const text of [lines(all), withBlanks, JSON.stringify(all, null, 2)]) {
      writeFileSync(file, text)
      assert.deepEqual(readCheckpoints(file), [
        { kind: 'run', entries: EVERY },
        { kind: 'run', entries: second },
      ])
    }
    writeFileSync(file, JSON.stringify(STARTED))
    assert.deepEqual(readCheckpoints(file), [{ kind: 'run', entries: [STARTED] }])
  })

  test('reads a saved chat session, with or without the version of its agent', (t) => {
    const file = join(folderFor(t), 's')
    for (const [agent, version] of [
      ['speaker', null],
      [{ name: 'speaker', version: 3 }, 3],
    ] as const) {
      writeFileSync(file, JSON.stringify({ ...SESSION, agent }, null, 2))
      const expected = { kind: 'session', id: 's-1', agent: 'speaker', version, states: CONTAINER }
      assert.deepEqual(readCheckpoints(file), [expected])
    }
  })

  test('reports invalid lines by number, without quoting them', (t) => {
    const file = join(folderFor(t), 'j')
    const good = lines([STARTED])
    const rows: readonly (readonly [string, RegExp])[] = [
      [`${good}\n{"type": "secret-value`, /j: line 3 is not JSON$/],
      [`${good}{"type":"unheard-of"}\n`, /j: line 2 is not a journal entry \(type: /],
      [`${good}[1]\n`, /j: line 2 is not a journal entry/],
      [lines([STARTED, { ...CLOSED, seq: -1 }]), /j: line 2 .*\(seq: /],
      [lines([STARTED, { ...CLOSED, seen: { type: 'x' } }]), /line 2 .*\(seen: expected an obs/],
      [lines([STARTED, { ...CLOSED, states: [] }]), /line 2 .*\(states: expected an object/],
      [lines([{ ...STARTED, states: { ...CONTAINER, schemaVersion: 2 } }]), /schemaVersion: exp/],
      [lines([CLOSED]), /j: line 1 belongs to no run/],
      [lines([STARTED, STARTED]), /j: line 2 starts the run run-1 a second time/],
      [JSON.stringify([STARTED, {}]), /j: entry 2 is not a journal entry/],
      [`[\n${JSON.stringify(STARTED)},\n{"secret-value\n]`, /j: is not JSON/],
      ['', /j: holds no journal entry/],
      ['[]', /j: holds no journal entry/],
      ['{\n  "name": "x",\n  "type": "module"\n}\n', /j: holds neither a journal nor a session$/],
      ['not json', /j: line 1 is not JSON$/],
      ['1', /j: line 1 is not a journal entry/],
      [JSON.stringify({ kind: 'other' }), /j: is not a session \(kind: /],
      [
        JSON.stringify({ ...SESSION, states: { ...CONTAINER, stateVersions: { a: 0 } } }),
        /is not a session \(states\.stateVersions/,
      ],
      [JSON.stringify({ ...SESSION, version: 2 }), /is not a session \(version: expected 1/],
    ]
    for (const [text, message] of rows) {
      writeFileSync(file, text)
      assert.throws(
        () => readCheckpoints(file),
        (error: unknown) => {
          assert.ok(error instanceof EchelonError && error.code === 'INVALID_INPUT')
          assert.match(error.message, message)
          assert.doesNotMatch(error.message, /secret-value|\n/)
          return true
        },
      )
    }
  })

  test('refuses a folder, a file that is too large and one that is not text', (t) => {
    const folder = folderFor(t)
    mkdirSync(join(folder, 'folder'))
    writeFileSync(join(folder, 'bytes'), Buffer.from([0xff, 0xfe, 0x00]))
    writeFileSync(join(folder, 'large'), '')
    truncateSync(join(folder, 'large'), 64 * 1024 * 1024 + 1)
    const rows: readonly (readonly [string, RegExp])[] = [
      ['none', /none: does not exist; name a store, an exported journal or a session$/],
      ['folder', /folder: is not a file;/],
      ['bytes', /bytes: cannot be read \(it is not UTF-8\)$/],
      ['large', /large: has more than 67108864 bytes; export fewer runs$/],
    ]
    for (const [file, message] of rows) {
      assert.throws(() => readCheckpoints(join(folder, file)), { code: 'INVALID_INPUT', message })
    }
  })
})

async function loaded(module: string): Promise<FoundAgent> {
  const [store, config] = [await openStore(':memory:'), await loadConfig({ env: {} })]
  try {
    return await loadAgent(module, { store, config })
  } finally {
    await store.close()
  }
}

describe('loadAgent', () => {
  test('refuses a module that is missing, fails or exports no agent', async (t) => {
    const rows: readonly (readonly [string, RegExp])[] = [
      ['export default 1', /exports no agent; its default export must be/],
      ['export default [1]', /exports no agent/],
      ['export default [{ key: "a", slot: { version: 1 } }]', /exports no agent/],
      ['export default { middlewares: [1] }', /exports no agent/],
      ['export const middlewares = 1', /exports no agent/],
      ['throw new Error("on purpose")', /cannot be loaded \(on purpose\)/],
      ['throw "on purpose"', /cannot be loaded \(on purpose\)/],
    ]
    const folder = folderFor(t)
    for (const [index, [source, message]] of rows.entries()) {
      const module = join(folder, `${index}.mjs`)
      writeFileSync(module, source)
      await assert.rejects(loaded(module), { code: 'INVALID_INPUT', message })
    }
    const missing = { code: 'INVALID_INPUT', message: /there is no module .*none\.mjs/ }
    await assert.rejects(loaded(join(folder, 'none.mjs')), missing)
  })

  test('accepts a definition alone, a promise of an agent, or a function of how the run started', async (t) => {
    const folder = folderFor(t)
    const definition = `{ name: 'a', version: 1, start() {}, next() {}, observe() {} }`
    const rows: readonly (readonly [string, string])[] = [
      [`export default ${definition}`, 'object'],
      [`export default Promise.resolve({ definition: ${definition}, middlewares: [] })`, 'object'],
      [`export default { definition: () => undefined, middlewares: [] }`, 'function'],
    ]
    for (const [index, [source, type]] of rows.entries()) {
      const module = join(folder, `${index}.mjs`)
      writeFileSync(module, source)
      const found = await loaded(module)
      assert.ok('holder' in found)
      const { holder } = found
      assert.deepEqual([typeof holder.definition, holder.middlewares], [type, []])
    }
  })
})
