import assert from 'node:assert/strict'
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { EchelonError } from 'echelon/runtime'
import type { Entry, StateContainer } from 'echelon/runtime'
import { folderFor } from '../testing/run-command.ts'
import { loadHolder } from './load-holder.ts'
import { readCheckpoints } from './read-checkpoints.ts'

const lines = (entries: readonly unknown[]): string =>
  entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')

const STARTED = {
  type: 'started' as const,
  path: '',
  runId: 'run-1',
  agent: 'speaker',
  version: 1,
  input: null,
  at: 0,
  seed: 1,
  timeZone: 'UTC',
  models: {},
  limits: {},
}

const CLOSED = {
  type: 'closed' as const,
  path: '',
  seq: 0,
  digest: 0,
  seen: { type: 'said' as const },
  at: 0,
  spent: {},
}

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

/** One entry of each type, with everything that it may hold: what it gains must be read, too. */
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
  resumed: { type: 'resumed', path: '1.0/', charged: {}, at: 0, after: 3, states: CONTAINER },
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

describe('the checkpoints of a file', () => {
  test('are its runs, each from its beginning on, as lines or as a list', (t) => {
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

  test('are the conversation that a chat kept, with its agent by name or with its version', (t) => {
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

  test('tells lines that are no entries by their number, and shows nothing of what they hold', (t) => {
    const file = join(folderFor(t), 'j')
    const good = lines([STARTED])
    const rows: readonly (readonly [string, RegExp])[] = [
      [`${good}\n{"type": "secret-value`, /j: line 3 is no JSON$/],
      [`${good}{"type":"unheard-of"}\n`, /j: line 2 is no entry of a journal \(type: /],
      [`${good}[1]\n`, /j: line 2 is no entry/],
      [lines([STARTED, { ...CLOSED, seq: -1 }]), /j: line 2 .*\(seq: /],
      [lines([STARTED, { ...CLOSED, seen: { type: 'x' } }]), /line 2 .*\(seen: expected an obs/],
      [lines([STARTED, { ...CLOSED, states: [] }]), /line 2 .*\(states: expected an object/],
      [lines([{ ...STARTED, states: { ...CONTAINER, schemaVersion: 2 } }]), /schemaVersion: exp/],
      [lines([CLOSED]), /j: line 1 belongs to no run/],
      [lines([STARTED, STARTED]), /j: line 2 begins the run run-1 a second time/],
      [JSON.stringify([STARTED, {}]), /j: entry 2 is no entry of a journal/],
      [`[\n${JSON.stringify(STARTED)},\n{"secret-value\n]`, /j: is no JSON/],
      ['', /j: holds no entry of a journal/],
      ['[]', /j: holds no entry of a journal/],
      ['{\n  "name": "x",\n  "type": "module"\n}\n', /j: holds neither a journal nor a session$/],
      ['not json', /j: line 1 is no JSON$/],
      ['1', /j: line 1 is no entry/],
      [JSON.stringify({ kind: 'other' }), /j: is no session \(kind: /],
      [
        JSON.stringify({ ...SESSION, states: { ...CONTAINER, stateVersions: { a: 0 } } }),
        /is no session \(states\.stateVersions/,
      ],
      [JSON.stringify({ ...SESSION, version: 2 }), /is no session \(version: expected 1/],
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

  test('refuses what is no file, is too large or is no text', (t) => {
    const folder = folderFor(t)
    mkdirSync(join(folder, 'folder'))
    writeFileSync(join(folder, 'bytes'), Buffer.from([0xff, 0xfe, 0x00]))
    writeFileSync(join(folder, 'large'), '')
    truncateSync(join(folder, 'large'), 64 * 1024 * 1024 + 1)
    const rows: readonly (readonly [string, RegExp])[] = [
      ['none', /none: is not there; name a store, an exported journal or a session$/],
      ['folder', /folder: is no file;/],
      ['bytes', /bytes: cannot be read \(it is no UTF-8\)$/],
      ['large', /large: has more than 67108864 bytes; export fewer runs$/],
    ]
    for (const [file, message] of rows) {
      assert.throws(() => readCheckpoints(join(folder, file)), { code: 'INVALID_INPUT', message })
    }
  })
})

describe('the module of an agent', () => {
  test('is refused when it is not there, fails or holds no agent', async (t) => {
    const rows: readonly (readonly [string, RegExp])[] = [
      ['export default 1', /exports no agent; let its default export be/],
      ['export default [1]', /exports no agent/],
      ['export default [{ key: "a", slot: { version: 1 } }]', /exports no agent/],
      ['export default { layers: [1] }', /exports no agent/],
      ['export const layers = 1', /exports no agent/],
      ['throw new Error("on purpose")', /cannot be loaded \(on purpose\)/],
      ['throw "on purpose"', /cannot be loaded \(on purpose\)/],
    ]
    const folder = folderFor(t)
    for (const [index, [source, message]] of rows.entries()) {
      const module = join(folder, `${index}.mjs`)
      writeFileSync(module, source)
      await assert.rejects(loadHolder(module), { code: 'INVALID_INPUT', message })
    }
    const missing = { code: 'INVALID_INPUT', message: /there is no module .*none\.mjs/ }
    await assert.rejects(loadHolder(join(folder, 'none.mjs')), missing)
  })

  test('may export a definition alone, a promise of an agent, or a choice by how a run began', async (t) => {
    const folder = folderFor(t)
    const definition = `{ name: 'a', version: 1, start() {}, next() {}, observe() {} }`
    const rows: readonly (readonly [string, string])[] = [
      [`export default ${definition}`, 'object'],
      [`export default Promise.resolve({ definition: ${definition}, layers: [] })`, 'object'],
      [`export default { definition: () => undefined, layers: [] }`, 'function'],
    ]
    for (const [index, [source, type]] of rows.entries()) {
      const module = join(folder, `${index}.mjs`)
      writeFileSync(module, source)
      const { definition: found, layers } = await loadHolder(module)
      assert.deepEqual([typeof found, layers], [type, []])
    }
  })
})
