import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Ended, Entry, Requested, Started } from '../../echelon/src/core/journal/journal.ts'
import { isOver, runChange } from './run-change.ts'

const started = (path = ''): Started => ({
  type: 'started',
  path,
  runId: 'r',
  agent: 'chat',
  version: 1,
  input: 'hi',
  at: 10,
  seed: 1,
  timeZone: 'UTC',
  models: {},
  limits: {},
})

const requested = (request: string, path: string, seq: number, call?: number): Requested => ({
  type: 'requested',
  path,
  seq,
  ...(call !== undefined && { call }),
  request,
  about: {},
  at: 20,
})

const closed = (path: string, seq: number): Entry => ({
  type: 'closed',
  path,
  seq,
  digest: 0,
  seen: { type: 'woke' },
  at: 30,
  spent: {},
})

const settled = (path: string, seq: number, call: number): Entry => ({
  type: 'settled',
  path,
  seq,
  call,
  outcome: { type: 'ok', value: null },
})

const ended = (path = ''): Ended => ({
  type: 'ended',
  path,
  status: 'finished',
  reason: 'stop',
  at: 40,
})

/** The requests that wait after a sequence of appends. */
function open(...appends: readonly (readonly Entry[])[]): readonly string[] {
  let rows: readonly { readonly id: string; readonly place: string }[] = []
  for (const { over, asked, answered } of appends.map(runChange)) {
    rows = rows.filter(({ place }) => !isOver(place, over))
    rows = [...rows, ...asked.map(({ entry, place }) => ({ id: entry.request, place }))]
    rows = rows.filter(({ id }) => !answered.includes(id))
  }
  return rows.map(({ id }) => id)
}

test('only its own begin or a resume of the whole tree takes over a run', () => {
  const { started: found, isTakenUp, at } = runChange([started()])
  assert.deepEqual([found?.input, isTakenUp, at], ['hi', true, 10])
  assert.equal(runChange([{ type: 'resumed', charged: {}, at: 1 }]).isTakenUp, true)
  assert.equal(runChange([{ type: 'resumed', path: '1.0/', charged: {}, at: 1 }]).isTakenUp, false)
  const child = runChange([started('1.0/'), ended('1.0/')])
  assert.deepEqual(
    [child.started, child.isTakenUp, child.ended],
    [undefined, false, undefined],
    'a run within the run is no business of its row',
  )
})

test('a request waits until its step is closed, its call settled or its run over', () => {
  const call = requested('q', '', 2, 0)
  assert.deepEqual(open([call]), ['q'])
  assert.deepEqual(open([call], [closed('', 1)]), ['q'])
  assert.deepEqual(open([call], [closed('', 2)]), [])
  assert.deepEqual(open([call], [settled('', 2, 1)]), ['q'])
  assert.deepEqual(open([call], [settled('', 2, 0)]), [])
  assert.deepEqual(open([call], [ended()]), [])
  assert.deepEqual(open([call, { type: 'replied', request: 'q', reply: 1, at: 1 }]), [])
})

test('a question of the agent waits until its step ends, whatever calls there are', () => {
  const question = requested('q', '', 2)
  assert.deepEqual(open([question], [settled('', 2, 0)]), ['q'])
  assert.deepEqual(open([question], [closed('', 2)]), [])
})

test('a request of a nested run is over with the call that began it', () => {
  const inner = requested('q', '2.1/', 0, 0)
  assert.deepEqual(open([inner], [closed('', 0)]), ['q'])
  assert.deepEqual(open([inner], [settled('', 2, 0)]), ['q'])
  assert.deepEqual(open([inner], [settled('', 2, 1)]), [])
  assert.deepEqual(open([inner], [closed('', 2)]), [])
  assert.deepEqual(open([inner], [ended('2.1/')]), [])
  assert.deepEqual(open([inner], [ended('2.10/')]), ['q'])
  assert.deepEqual(open([requested('q', '', 21)], [closed('', 2)]), ['q'])
})

test('the order within one append counts', () => {
  assert.deepEqual(open([closed('', 1), requested('q', '', 2)]), ['q'])
  assert.deepEqual(open([requested('q', '', 2), closed('', 2)]), [])
  assert.deepEqual(open([requested('q', '', 2), requested('q', '', 2)]), ['q'])
})

test('takes the latest time, and ignores entries without one', () => {
  assert.equal(runChange([closed('', 1), started()]).at, 30)
  assert.equal(runChange([settled('', 1, 0)]).at, undefined)
})
