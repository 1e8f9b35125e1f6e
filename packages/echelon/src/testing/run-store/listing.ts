import assert from 'node:assert/strict'
import type { Snapshot } from '../../core/journal/snapshot.ts'
import { casesOf, type ContractCase, JSON_VALUES, ODD_NAMES } from '../contract.ts'
import {
  closed,
  DAY,
  ended,
  found,
  idsOf,
  letGo,
  type Opened,
  OVER,
  refuses,
  resumed,
  started,
  statusOf,
  SUSPENDED,
  takeUp,
} from './premises.ts'

/** Queries about runs. */
export function listing(open: () => Promise<Opened>): readonly ContractCase[] {
  return [...summaries(open), ...lists(open), ...ownersAndPages(open), ...snapshots(open)]
}

function summaries(open: () => Promise<Opened>): readonly ContractCase[] {
  const caseOf = casesOf(open)
  return [
    caseOf('a run’s start options are stored', async ({ store, another, now }) => {
      const at = now()
      const made = { options: JSON_VALUES }
      const more = { input: [...JSON_VALUES], version: 3, agent: 'decide', turnOf: 's', made }
      const forkedFrom = { run: 'earlier', at: 2 }
      await store.append('r', [started('r', at, { ...more, forkedFrom })])
      const { changedAt, ...summary } = await found(await another(store), 'r')
      assert.deepEqual(summary, {
        id: 'r',
        agent: 'decide',
        version: 3,
        status: 'running',
        reason: null,
        input: JSON_VALUES,
        made,
        session: 's',
        forkedFrom: 'earlier',
        beganAt: at,
        wakeAt: null,
        requests: [],
        isCancelAsked: false,
      })
      assert.ok(changedAt >= at)
      await store.append('t', [started('t', at)])
      const plain = await found(store, 't')
      assert.deepEqual([plain.made, plain.session, plain.forkedFrom], [null, null, null])
    }),
    caseOf('a run’s status is stored', async ({ store, another, lapse, now }) => {
      const other = await another(store)
      assert.equal(await other.find('r'), undefined)
      await store.append('r', [started('r', now())])
      assert.equal(await statusOf(other, 'r'), 'running')
      assert.equal(await statusOf(store, 'r'), 'running')
      const wakeAt = now() + DAY
      await letGo(store, 'r', { type: 'suspended', wakeAt })
      const { status, wakeAt: said } = await found(other, 'r')
      assert.deepEqual([status, said], ['waiting', wakeAt])
      await takeUp(store, 'r', now())
      const { wakeAt: none } = await found(other, 'r')
      assert.equal(none, null)
      await letGo(store, 'r', OVER)
      assert.equal(await statusOf(other, 'r'), 'interrupted')
      await takeUp(store, 'r', now())
      await lapse(store)
      assert.equal(await statusOf(other, 'r'), 'interrupted')
      await takeUp(other, 'r', now())
      await other.append('r', [closed(0, now()), ended(now())])
      const { status: last, reason } = await found(store, 'r')
      assert.deepEqual([last, reason], ['finished', 'stop'])
    }),
  ]
}

function lists(open: () => Promise<Opened>): readonly ContractCase[] {
  const caseOf = casesOf(open)
  return [
    caseOf(
      'runs are listed newest first, up to the requested number',
      async ({ store, another, now }) => {
        assert.deepEqual(await store.list(), [])
        const at = now() - 1000
        for (const [nth, id] of ['b', 'c', 'a'].entries()) {
          await store.append(id, [started(id, at + nth)])
        }
        const other = await another(store)
        assert.deepEqual(idsOf(await other.list()), ['a', 'c', 'b'])
        assert.deepEqual(idsOf(await other.list({ limit: 2 })), ['a', 'c'])
        assert.deepEqual((await other.list())[0], await found(other, 'a'))
        for (let nth = 0; nth < 100; nth++) await store.append(`r${nth}`, [started(`r${nth}`, at)])
        assert.equal((await other.list()).length, 100)
        assert.equal((await other.list({ limit: 1000 })).length, 103)
      },
    ),
    caseOf('runs are found by status, agent and conversation', async ({ store, now }) => {
      const at = now() - 1000
      await store.append('a', [started('a', at, { turnOf: 's' })])
      await store.append('a', [ended(at)])
      await store.append('b', [started('b', at + 1, { agent: 'decide' })])
      await letGo(store, 'b', SUSPENDED)
      await store.append('c', [started('c', at + 2, { turnOf: 's' })])
      await store.append('d', [started('d', at + 3, { turnOf: 't', agent: 'decide' })])
      assert.deepEqual(idsOf(await store.list({ status: ['running'] })), ['d', 'c'])
      assert.deepEqual(idsOf(await store.list({ status: ['waiting', 'finished'] })), ['b', 'a'])
      assert.deepEqual(idsOf(await store.list({ status: [] })), [])
      assert.deepEqual(idsOf(await store.list({ status: ['finished'], limit: 1 })), ['a'])
      assert.deepEqual(idsOf(await store.list({ agent: 'decide' })), ['d', 'b'])
      assert.deepEqual(idsOf(await store.list({ session: 's' })), ['c', 'a'])
      assert.deepEqual(idsOf(await store.list({ session: 's', status: ['running'] })), ['c'])
      assert.deepEqual(idsOf(await store.list({ agent: 'nobody' })), [])
    }),
    caseOf('runs and conversations with any name are distinct', async ({ store, now }) => {
      for (const id of ODD_NAMES) await store.append(id, [started(id, now(), { turnOf: id })])
      for (const id of ODD_NAMES) {
        assert.equal((await found(store, id)).id, id)
        assert.deepEqual(idsOf(await store.list({ session: id })), [id])
      }
    }),
  ]
}

function ownersAndPages(open: () => Promise<Opened>): readonly ContractCase[] {
  const caseOf = casesOf(open)
  return [
    caseOf('runs are found by their user, page after page', async ({ store, now }) => {
      const at = now() - 1000
      const of = (by: string) => ({ made: { served: { by, agent: 'chat' } } })
      await store.append('a', [started('a', at, { ...of('ada'), turnOf: 'bob/chat/s' })])
      await store.append('b', [started('b', at + 1, { turnOf: 'ada/chat/s' })])
      await store.append('c', [started('c', at + 2, of('bob'))])
      await store.append('d', [started('d', at + 2, of('ada'))])
      await store.append('e', [started('e', at + 3, { turnOf: 'ada', made: ['ada'] })])
      await store.append('f', [started('f', at + 3)])
      assert.deepEqual(idsOf(await store.list({ owner: 'ada' })), ['d', 'b', 'a'])
      assert.deepEqual(idsOf(await store.list({ owner: 'bob', status: ['running'] })), ['c'])
      assert.deepEqual(idsOf(await store.list({ owner: '' })), [])
      assert.deepEqual(idsOf(await store.list({ before: 'd', limit: 2 })), ['c', 'b'])
      assert.deepEqual(idsOf(await store.list({ before: 'd', owner: 'ada' })), ['b', 'a'])
      assert.deepEqual(idsOf(await store.list({ before: 'a' })), [])
      assert.deepEqual(idsOf(await store.list({ before: 'nothing' })), [])
    }),
  ]
}

const snapshotAt = (seq: number): Snapshot => ({
  agent: 'chat',
  version: 1,
  seq,
  after: seq,
  state: { values: JSON_VALUES },
  spent: { money: 0.1 },
  models: { main: 'openai/gpt-5-nano' },
  at: 1,
})

function snapshots(open: () => Promise<Opened>): readonly ContractCase[] {
  const caseOf = casesOf(open)
  return [
    caseOf('the newest snapshot is returned', async ({ store, another, now }) => {
      assert.equal(await store.snapshot?.('r'), undefined)
      await store.append('r', [started('r', now())])
      const other = await another(store)
      assert.equal(await other.snapshot?.('r'), undefined)
      await store.append('r', [closed(0, now())], { snapshot: snapshotAt(1) })
      await store.append('r', [closed(1, now())], { snapshot: snapshotAt(2) })
      await store.append('r', [closed(2, now())])
      assert.deepEqual(await other.snapshot?.('r'), snapshotAt(2))
      assert.equal(await other.snapshot?.('s'), undefined)
    }),
    caseOf('a refused append stores no snapshot', async ({ store, another, now }) => {
      await store.append('r', [started('r', now())], { snapshot: snapshotAt(1) })
      const other = await another(store)
      const beside = { snapshot: snapshotAt(2) }
      await assert.rejects(async () => await other.append('r', [closed(0, now())], beside))
      await assert.rejects(async () => await other.append('r', [resumed(now(), 1)], beside))
      await refuses(other, 'r', [closed(0, now())])
      assert.deepEqual(await store.snapshot?.('r'), snapshotAt(1))
    }),
  ]
}
