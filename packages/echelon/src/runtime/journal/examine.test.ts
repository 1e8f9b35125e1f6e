import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { z } from 'zod'
import type { AgentDefinition } from '../../core/agent/agent.ts'
import { defineMiddleware } from '../../core/extension/define-middleware.ts'
import { digestEffect } from '../../core/agent/effect-digest.ts'
import type { Say } from '../../core/agent/effect.ts'
import type { Closed, Entry, Started } from '../../core/journal/journal.ts'
import type { Json } from '../../core/value/json.ts'
import type { StateContainer } from '../../core/state/state.ts'
import { type Checkpoint, type Examined, examineCheckpoint } from './examine.ts'

const say = (text: string): Say => ({ type: 'say', actor: 'all', text })

/** Says its texts, one after the other. */
const speaker = (
  texts: readonly string[],
  { name = 'speaker', version = 1 } = {},
): AgentDefinition<Json, number, null> => ({
  name,
  version,
  actors: { all: { speaks: true } },
  start: () => ({ state: 0 }),
  next(said) {
    const text = texts[said]
    return text === undefined ? { type: 'finish', reason: 'done', result: null } : say(text)
  },
  observe: (said, { type }) => {
    if (type === 'failed') throw new TypeError('no failure was expected')
    return { state: said + 1 }
  },
  load: () => 0,
})

const counter = defineMiddleware({
  name: 'counter',
  state: { version: 1, schema: z.object({ count: z.number() }), initial: { count: 0 } },
})()

const states = (count: Json): StateContainer => ({
  states: { 'app/counter': { count } },
  schemaSignature: 'app/counter',
  schemaVersion: 1,
  stateVersions: { 'app/counter': 1 },
})

const STARTED: Started = {
  type: 'started',
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

const closed = (seq: number, text: string, more: Partial<Closed> = {}): Closed => ({
  type: 'closed',
  path: '',
  seq,
  digest: digestEffect(say(text)),
  seen: { type: 'said' },
  at: 0,
  spent: {},
  ...more,
})

const ENDED: Entry = { type: 'ended', path: '', status: 'finished', reason: 'done', at: 0 }

const JOURNAL: readonly Entry[] = [STARTED, closed(0, 'one'), closed(1, 'two')]

const run = (entries: readonly Entry[]): Checkpoint => ({ kind: 'run', entries })

const holder = (texts: readonly string[], of: { name?: string; version?: number } = {}) => ({
  definition: speaker(texts, of),
  middlewares: [counter],
})

const examine = (
  entries: readonly Entry[],
  texts: readonly string[],
  of: { name?: string; version?: number } = {},
): Examined => examineCheckpoint(run(entries), [holder(texts, of)])

describe('a journal checked against the current code', () => {
  test('[C-29] an agent that decides the same continues, and no step is performed', () => {
    assert.deepEqual(examine(JOURNAL, ['one', 'two', 'three']), {
      kind: 'run',
      id: 'run-1',
      agent: 'speaker',
      steps: 2,
      ended: false,
      check: { type: 'resumable' },
      changes: [],
      loads: true,
    } satisfies Examined)
    const ended = examine([...JOURNAL, ENDED], ['one', 'two'])
    assert.deepEqual([ended.ended, ended.check.type], [true, 'resumable'])
  })

  test('[C-29] an agent of another version is rejected, as on resume', () => {
    const { check, loads } = examine(JOURNAL, ['one', 'two'], { version: 2 })
    assert.equal(loads, false)
    assert.deepEqual(check, {
      type: 'refused',
      code: 'JOURNAL_MISMATCH',
      reason:
        'the run was begun by speaker version 1, not by speaker version 2; finish it on that version',
    })
  })

  test('[C-29] an agent that now decides differently is rejected, and the step is named', () => {
    for (const [texts, step] of [
      [['one', 'other'], 1],
      [[], 0],
    ] as const) {
      const { check, loads } = examine(JOURNAL, texts)
      assert.ok(check.type === 'refused' && !loads)
      assert.match(
        check.reason,
        new RegExp(`^at step ${step} speaker now asks for something other`),
      )
    }
    assert.equal(examine([...JOURNAL, ENDED], ['one', 'two', 'three']).loads, false)
  })

  test('an agent that fails on a recorded observation is rejected, with the error', () => {
    const failed = closed(2, 'three', {
      seen: {
        type: 'failed',
        error: { code: 'unknown', message: 'no', retryable: false, attempts: 1 },
      },
    })
    const { check } = examine([...JOURNAL, failed], ['one', 'two', 'three'])
    assert.ok(check.type === 'refused' && check.code === null)
    assert.match(check.reason, /speaker fails .* \(no failure was expected\)/)
  })

  test('an unknown agent is rejected, and one in a later holder is found', () => {
    const { check, loads } = examine(JOURNAL, [], { name: 'other' })
    assert.deepEqual([check.type, loads], ['unknown-agent', false])
    const both = [holder([], { name: 'other' }), holder(['one', 'two'])]
    assert.equal(examineCheckpoint(run(JOURNAL), both).check.type, 'resumable')
  })

  test('a definition may depend on how the run started', () => {
    const definition = ({ agent, input }: Started) =>
      agent === 'speaker' && input === null ? speaker(['one', 'two']) : undefined
    const { check } = examineCheckpoint(run(JOURNAL), [{ definition, middlewares: [] }])
    assert.equal(check.type, 'resumable')
    const failing = (): never => {
      throw new Error('no settings')
    }
    const failed = examineCheckpoint(run(JOURNAL), [{ definition: failing, middlewares: [] }]).check
    assert.ok(failed.type === 'refused' && failed.reason.includes('no settings'))
  })

  test('a turn of a session is not replayed without the earlier messages', () => {
    const session = { id: 's-1', length: 4, digest: 9 }
    const later = examine([{ ...STARTED, session }, closed(0, 'else')], ['one'])
    assert.ok(later.check.type === 'unchecked' && later.loads)
    assert.match(later.check.reason, /4 messages of the conversation s-1/)
    const first = { ...STARTED, session: { ...session, length: 0 } }
    assert.equal(examine([first, closed(0, 'one')], ['one']).check.type, 'resumable')
  })

  test('[C-29] states that later steps recorded are checked too, and one rejection rejects the run', () => {
    const entries = [
      { ...STARTED, states: states(1) },
      closed(0, 'one', { states: { 'app/counter': { count: 'x' } } }),
    ]
    const { check, changes, loads } = examine(entries, ['one'])
    assert.equal(check.type, 'resumable')
    assert.deepEqual(
      changes.map(({ type }) => type),
      ['refused'],
    )
    assert.equal(loads, false)
  })

  test('middleware alone is checked with the states of any run, without its agent', () => {
    const middlewares = [{ middlewares: [counter] }]
    const entries = [{ ...STARTED, states: states(1) }]
    const { check, changes, loads } = examineCheckpoint(run(entries), middlewares)
    assert.deepEqual([check.type, changes, loads], ['unchecked', [], true])
    const others = [...middlewares, { definition: speaker([]), middlewares: [] }]
    const both = examineCheckpoint(run(entries), others)
    assert.deepEqual([both.check.type, both.changes], ['resumable', []])
  })

  test('entries without a start are not a run', () => {
    const child = { ...STARTED, path: '0.0' }
    assert.throws(() => examineCheckpoint(run([child]), []), { code: 'UNKNOWN_RUN' })
  })
})

describe('a session checked against the current code', () => {
  const session = (count: Json, version: number | null = 1): Checkpoint => ({
    kind: 'session',
    id: 's-1',
    agent: 'speaker',
    version,
    states: states(count),
  })

  test('[C-29] its states are those of the named agent', () => {
    const other = { definition: speaker([], { name: 'other' }), middlewares: [] }
    const { kind, steps, check, changes, loads } = examineCheckpoint(session(1), [
      other,
      holder([]),
    ])
    assert.deepEqual(
      [kind, steps, check.type, changes, loads],
      ['session', null, 'unchecked', [], true],
    )
    assert.equal(examineCheckpoint(session('x'), [holder([])]).loads, false)
  })

  test('a session of a newer or unknown agent is rejected', () => {
    const { check, loads } = examineCheckpoint(session(1, 2), [holder([])])
    assert.ok(check.type === 'refused' && check.code === 'STATE_REFUSED' && !loads)
    assert.match(check.reason, /speaker version 2, and the code has version 1/)
    assert.equal(examineCheckpoint(session(1, null), [holder([])]).loads, true)
    const unknown = examineCheckpoint(session(1), [holder([], { name: 'other' })])
    assert.deepEqual([unknown.check.type, unknown.loads], ['unknown-agent', false])
  })

  test('middleware alone says nothing about its agent', () => {
    const { check, loads } = examineCheckpoint(session(1), [{ middlewares: [counter] }])
    assert.deepEqual([check.type, loads], ['unchecked', true])
  })
})
