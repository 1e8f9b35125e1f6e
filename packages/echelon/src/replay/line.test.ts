import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRunLine, type RunLine } from './line.ts'

const artifact = {
  name: 'a.png',
  path: 'run/a.png',
  mediaType: 'image/png',
  bytes: 3,
  sha256: 'ab',
}

/** A line of each kind and form, with all its fields. */
const LINES: readonly RunLine[] = [
  { kind: 'event', key: 'e', at: 1 },
  { kind: 'time', at: 1 },
  { kind: 'act', run: 'r', at: 1, act: 'cancel' },
  { kind: 'act', run: 'r', at: 1, act: 'hear', text: 'hello' },
  { kind: 'act', run: 'r', at: 1, act: 'respond', request: 'q', reply: { approved: true } },
  { kind: 'tool', key: 't', tool: 'add', input: { a: 1 } },
  { kind: 'tool-end', key: 't', at: 1, end: { type: 'ok', value: 3 } },
  { kind: 'tool-end', key: 't', at: 1, end: { type: 'error', message: 'no', code: 'TOOL_ERROR' } },
  {
    kind: 'tool-end',
    key: 't',
    at: 1,
    end: { type: 'error', message: 'no', code: null, mayHaveActed: true },
  },
  { kind: 'tool-act', key: 't', call: 'c', at: 1, does: { act: 'progress', data: 0.5 } },
  { kind: 'tool-act', key: 't', call: 'c', at: 1, does: { act: 'ask', question: '?', schema: {} } },
  {
    kind: 'tool-act',
    key: 't',
    call: 'c',
    at: 1,
    does: { act: 'write', name: 'a.png', artifact, content: null },
  },
  { kind: 'child', key: 'c', models: { small: 'a/b' } },
  { kind: 'state', store: 'memory', key: 'k', read: 1 },
  { kind: 'state', store: 'memory', key: 'k', read: 2, state: [1] },
  { kind: 'id', id: 'i' },
  { kind: 'entries', run: 'r', entries: [] },
  { kind: 'note', note: 'n' },
  { kind: 'end', problem: null },
  { kind: 'end', problem: 'the disk is full' },
]

/** Fields that may be missing or of another type; the line is then read without them. */
const OPTIONAL = new Set(['state', 'problem', 'code', 'mayHaveActed', 'content', 'small'])

/** The value with one field, at any depth, replaced by what no field may be. */
function* spoiled(value: object): Generator<readonly [name: string, value: object]> {
  for (const [name, inner] of Object.entries(value)) {
    yield [name, { ...value, [name]: () => 0 }]
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) continue
    for (const [deeper, changed] of spoiled(inner)) yield [deeper, { ...value, [name]: changed }]
  }
}

test('a line of each kind is read as it was written', () => {
  for (const line of LINES) assert.deepEqual(readRunLine(JSON.parse(JSON.stringify(line))), line)
})

test('a line is not read if a field that it needs is of another type', () => {
  for (const line of LINES) {
    for (const [name, changed] of spoiled(line)) {
      const read = readRunLine(changed)
      if (!OPTIONAL.has(name)) assert.equal(read, undefined, `${line.kind}: ${name}`)
    }
  }
})

test('an optional field of another type is left out', () => {
  const end = { type: 'error', message: 'no', code: 'UNHEARD_OF', mayHaveActed: 'yes' }
  assert.deepEqual(readRunLine({ kind: 'tool-end', key: 't', at: 1, end }), {
    kind: 'tool-end',
    key: 't',
    at: 1,
    end: { type: 'error', message: 'no', code: null },
  })
  assert.deepEqual(readRunLine({ kind: 'child', key: 'c', models: { small: 'a/b', big: 1 } }), {
    kind: 'child',
    key: 'c',
    models: { small: 'a/b' },
  })
  assert.deepEqual(readRunLine({ kind: 'end', problem: 1 }), { kind: 'end', problem: null })
})

test('an unknown or incomplete line is not read', () => {
  const others = [
    undefined,
    null,
    'end',
    [],
    {},
    { kind: 'later' },
    { kind: 'act', run: 'r', at: 1 },
  ]
  for (const other of others) assert.equal(readRunLine(other), undefined)
})
