import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Closed, Ended, Resumed, Settled, Started } from './journal.ts'
import type { JsonObject } from '../value/json.ts'
import { recordedStates } from './journaled-states.ts'
import type { StateContainer } from '../state/state.ts'

const container = (states: JsonObject, version = 1): StateContainer => ({
  states,
  schemaSignature: 'a/x,a/y',
  schemaVersion: 1,
  stateVersions: { 'a/x': version, 'a/y': version },
})

const started = (states?: StateContainer, path = ''): Started => ({
  type: 'started',
  path,
  runId: 'run',
  agent: 'agent',
  version: 1,
  input: null,
  at: 0,
  seed: 1,
  timeZone: 'UTC',
  models: {},
  limits: {},
  ...(states === undefined ? {} : { states }),
})

const closed = (seq: number, states: JsonObject, path = ''): Closed => ({
  type: 'closed',
  path,
  seq,
  digest: 0,
  seen: { type: 'said' },
  at: 0,
  spent: {},
  states,
})

const settled = (states: JsonObject): Settled => ({
  type: 'settled',
  path: '',
  seq: 0,
  call: 0,
  outcome: { type: 'ok', value: 1 },
  states,
})

const resumed = (states?: StateContainer): Resumed => ({
  type: 'resumed',
  charged: {},
  at: 0,
  ...(states === undefined ? {} : { states }),
})

const ENDED: Ended = { type: 'ended', path: '', status: 'finished', reason: 'done', at: 0 }

describe('the states of a journal', () => {
  test('are the initial states with all recorded changes', () => {
    const begun = container({ 'a/x': 1 })
    const entries = [started(begun), settled({ 'a/y': 1 }), closed(0, { 'a/x': 2 }), resumed()]
    assert.deepEqual(recordedStates(entries), { ...begun, states: { 'a/x': 2, 'a/y': 1 } })
    assert.deepEqual(begun.states, { 'a/x': 1 })
    const ended: Ended = { ...ENDED, states: { 'a/x': 3 } }
    assert.deepEqual(recordedStates([...entries, ended])?.states, { 'a/x': 3, 'a/y': 1 })
  })

  test('[C-29] have the versions of the code that last resumed the run', () => {
    const entries = [
      started(container({ 'a/x': '1', 'a/y': '1' })),
      closed(0, { 'a/x': '2' }),
      resumed(container({ 'a/x': 2 }, 2)),
      closed(1, { 'a/x': 3 }),
    ]
    assert.deepEqual(recordedStates(entries), container({ 'a/x': 3 }, 2))
  })

  test('do not include those of child runs', () => {
    const entries = [
      started(container({})),
      started(container({ 'a/y': 5 }), '0.0'),
      closed(0, { 'a/x': 9 }, '0.0'),
    ]
    assert.deepEqual(recordedStates(entries), container({}))
  })

  test('are only the changes, without versions, if the run did not record its initial states', () => {
    assert.deepEqual(recordedStates([started(), closed(0, { 'a/x': 1 })]), {
      states: { 'a/x': 1 },
      schemaSignature: null,
      schemaVersion: 1,
      stateVersions: null,
    })
    assert.equal(recordedStates([started()]), undefined)
  })
})
