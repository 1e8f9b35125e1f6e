import assert from 'node:assert/strict'
import { entriesIn } from '../../core/journal/condensed.ts'
import { casesOf, type ContractCase } from '../contract.ts'
import {
  asked,
  closed,
  DAY,
  ended,
  idsOf,
  letGo,
  type Opened,
  OVER,
  refuses,
  resumed,
  type RunStoreTrial,
  started,
  SUSPENDED,
  takeUp,
} from './premises.ts'

/** Data that is removed, and data that must stay. */
export function removal(
  open: () => Promise<Opened>,
  pass: RunStoreTrial['pass'],
): readonly ContractCase[] {
  return [
    ...removed(open),
    ...lost(open),
    ...pruned(open),
    ...condensing(open),
    ...(pass === undefined ? [] : [aged(open, pass)]),
  ]
}

const SNAPSHOT = {
  agent: 'chat',
  version: 1,
  seq: 0,
  after: 1,
  state: null,
  spent: {},
  models: {},
  at: 1,
}

function removed(open: () => Promise<Opened>): readonly ContractCase[] {
  const caseOf = casesOf(open)
  return [
    caseOf('removing a run removes all of it', async ({ store, another, now }) => {
      await store.append('r', [started('r', now()), asked('q', now())], { snapshot: SNAPSHOT })
      await store.append('s', [started('s', now())])
      await letGo(store, 'r', SUSPENDED)
      const other = await another(store)
      await other.remove('r')
      await other.remove('nobody')
      assert.equal(await store.find('r'), undefined)
      assert.deepEqual(await store.read('r'), [])
      assert.equal(await store.snapshot?.('r'), undefined)
      assert.deepEqual(idsOf(await store.list()), ['s'])
      await refuses(store, 'r', [closed(0, now())])
      await assert.rejects(store.reply('r', 'q', 1), { code: 'UNKNOWN_RUN' })
      await store.append('r', [started('r', now())])
      assert.deepEqual((await other.find('r'))?.requests, [])
      await store.append('s', [closed(0, now())])
    }),
    caseOf('a run in progress is not removed', async ({ store, another, lapse, now }) => {
      await store.append('r', [started('r', now())])
      const other = await another(store)
      await assert.rejects(other.remove('r'), { code: 'RUN_BUSY' })
      await assert.rejects(store.remove('r'), { code: 'RUN_BUSY' })
      await store.append('r', [closed(0, now())])
      await lapse(store)
      await other.remove('r')
      await refuses(store, 'r', [closed(1, now())])
      assert.equal(await other.find('r'), undefined)
    }),
    caseOf('nothing can be appended to a removed turn', async (trial) => {
      const { store, another, lapse, now } = trial
      await store.append('r', [started('r', now(), { turnOf: 's' })])
      await lapse(store)
      await (await another(store)).remove('r')
      await refuses(store, 'r', [closed(0, now())], { code: 'RUN_BUSY' })
      await store.append('q', [started('q', now(), { turnOf: 's' })])
      await refuses(store, 'r', [closed(0, now())])
    }),
    caseOf(
      'the former writer of a removed run cannot write a new one with its id',
      async (trial) => {
        const { store, another, lapse, now } = trial
        await store.append('r', [started('r', now())])
        await lapse(store)
        const other = await another(store)
        await other.remove('r')
        await other.append('r', [started('r', now())])
        await refuses(store, 'r', [closed(0, now())])
        await other.append('r', [closed(0, now())])
      },
    ),
  ]
}

function pruned(open: () => Promise<Opened>): readonly ContractCase[] {
  const caseOf = casesOf(open)
  return [
    caseOf('the requested number of newest ended runs stays', async ({ store, now }) => {
      const ids = ['a', 'b', 'c', 'd']
      for (const [nth, id] of ids.entries()) {
        await store.append(id, [started(id, now() - 10 + nth)])
        await store.append(id, [ended(now() - 10 + nth)])
      }
      assert.equal((await store.prune({})).runs, 0)
      assert.equal((await store.prune({ keep: 4 })).runs, 0)
      assert.equal((await store.prune({ keep: 2, dryRun: true })).runs, 2)
      assert.deepEqual(idsOf(await store.list()), ['d', 'c', 'b', 'a'])
      assert.equal((await store.prune({ keep: 2 })).runs, 2)
      assert.deepEqual(idsOf(await store.list()), ['d', 'c'])
      assert.deepEqual(await store.read('a'), [])
    }),
    caseOf('resumable runs stay', async ({ store, another, lapse, now }) => {
      const other = await another(store)
      await other.append('died', [started('died', now() - 10)])
      await lapse(other)
      await store.append('waits', [started('waits', now() - 9)])
      await letGo(store, 'waits', SUSPENDED)
      await store.append('failed', [started('failed', now() - 8)])
      await letGo(store, 'failed', OVER)
      await store.append('runs', [started('runs', now() - 7)])
      await store.append('ended', [started('ended', now() - 6), ended(now() - 6, 'canceled')])
      assert.equal((await store.prune({ keep: 0 })).runs, 1)
      assert.deepEqual(idsOf(await store.list()), ['runs', 'failed', 'waits', 'died'])
      assert.equal((await store.read('died')).length, 1)
    }),
  ]
}

function lost(open: () => Promise<Opened>): readonly ContractCase[] {
  const caseOf = casesOf(open)
  return [
    caseOf('a lost turn does not affect the next one', async (trial) => {
      const { store, another, lapse, now } = trial
      const turnOf = { turnOf: 's' }
      await store.append('lost', [started('lost', now(), turnOf)])
      await lapse(store)
      const other = await another(store)
      await takeUp(other, 'lost', now())
      await other.append('lost', [ended(now())])
      await store.append('next', [started('next', now(), turnOf)])
      await letGo(store, 'lost', OVER)
      await store.append('next', [closed(0, now())])
      await refuses(other, 'third', [started('third', now(), turnOf)], { code: 'RUN_BUSY' })
    }),
  ]
}

function condensing(open: () => Promise<Opened>): readonly ContractCase[] {
  const caseOf = casesOf(open)
  return [
    caseOf('a continuing run may be compacted', async ({ store, another, lapse, now }) => {
      const other = await another(store)
      const snapshot = { ...SNAPSHOT, seq: 2, after: 3 }
      const steps = [closed(0, now()), closed(1, now())]
      const begin = async (owner: typeof store, id: string): Promise<void> => {
        await owner.append(id, [started(id, now()), ...steps], { snapshot })
        await owner.append(id, [asked(`${id}?`, now(), { seq: 2 })])
      }
      for (const id of ['died', 'original', 'ended']) await begin(other, id)
      await begin(store, 'waits')
      await letGo(store, 'waits', SUSPENDED)
      await other.append('ended', [ended(now())])
      const from = { forkedFrom: { run: 'original', at: 2 } }
      await store.append('fork', [started('fork', now(), from), ...steps], { snapshot })
      await letGo(store, 'fork', SUSPENDED)
      await lapse(other)
      await begin(store, 'runs')
      await store.reply('waits', 'waits?', 'yes')
      assert.equal((await store.prune({ keep: 9 })).condensed, 0)
      assert.equal((await store.prune({ condense: true, dryRun: true })).condensed, 2)
      assert.equal((await store.read('waits')).length, 5)
      assert.equal((await store.prune({ condense: true })).condensed, 2)
      assert.equal((await store.prune({ condense: true })).condensed, 0)
      const typesOf = async (id: string) => (await store.read(id)).map(({ type }) => type)
      assert.deepEqual(await typesOf('waits'), ['started', 'dropped', 'requested', 'replied'])
      assert.deepEqual(await typesOf('died'), ['started', 'dropped', 'requested'])
      for (const id of ['runs', 'original', 'ended', 'fork']) {
        assert.ok(!(await typesOf(id)).includes('dropped'), id)
      }
      await refuses(other, 'died', [closed(2, now())], { code: 'RUN_BUSY' })
      await refuses(store, 'waits', [resumed(now(), 4)], { code: 'RUN_BUSY' })
      await store.append('waits', [resumed(now(), entriesIn(await store.read('waits')))])
      await store.append('waits', [closed(2, now())])
      assert.deepEqual((await store.find('waits'))?.requests, [])
      await store.append('died', [resumed(now(), 4)])
      await store.append('runs', [closed(2, now())])
    }),
  ]
}

const aged = (
  open: () => Promise<Opened>,
  pass: NonNullable<RunStoreTrial['pass']>,
): ContractCase =>
  casesOf(open)('long-ended runs are removed', async ({ store, now }) => {
    for (const id of ['a', 'b']) await store.append(id, [started(id, now()), ended(now())])
    await store.append('waits', [started('waits', now())])
    await letGo(store, 'waits', SUSPENDED)
    await pass(2 * DAY)
    await store.append('c', [started('c', now()), ended(now())])
    assert.equal((await store.prune({ endedBeforeMs: DAY, keep: 2 })).runs, 1)
    assert.deepEqual(idsOf(await store.list()), ['c', 'waits', 'b'])
    assert.equal((await store.prune({ endedBeforeMs: DAY, dryRun: true })).runs, 1)
    assert.equal((await store.prune({ endedBeforeMs: DAY })).runs, 1)
    assert.equal((await store.prune({ endedBeforeMs: DAY })).runs, 0)
    assert.deepEqual(idsOf(await store.list()), ['c', 'waits'])
  })
