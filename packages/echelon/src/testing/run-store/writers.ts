import assert from 'node:assert/strict'
import type { Entry } from '../../core/journal/journal.ts'
import { casesOf, type ContractCase } from '../contract.ts'
import {
  appending,
  asked,
  closed,
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

/** Each run has one writer. */
export function writers(open: () => Promise<Opened>): readonly ContractCase[] {
  return [...owning(open), ...handing(open), ...fencing(open), ...givingUp(open)]
}

function owning(open: () => Promise<Opened>): readonly ContractCase[] {
  const caseOf = casesOf(open)
  return [
    caseOf('nothing can be appended to an unknown run', async ({ store, now }) => {
      await refuses(store, 'r', [closed(0, now())])
      await refuses(store, 'r', [resumed(now(), 0)])
      assert.equal(await store.find('r'), undefined)
    }),
    caseOf('a run begins once', async ({ store, now }) => {
      await store.append('r', [started('r', now())])
      await refuses(store, 'r', [started('r', now(), { input: 'again' })])
      await letGo(store, 'r', OVER)
      await refuses(store, 'r', [started('r', now(), { input: 'again' })])
      assert.equal((await store.find('r'))?.input, 'hi')
    }),
    caseOf('a fork begins with all its inherited entries', async ({ store, now }) => {
      const first = started('r', now(), { forkedFrom: { run: 'q', at: 1 } })
      const over = [closed(0, now()), resumed(now(), 7), asked('q', now(), { seq: 1 })]
      await store.append('r', [first, ...over])
      await store.append('r', [closed(1, now())])
      assert.equal((await store.read('r')).length, 5)
    }),
    caseOf('only a run’s writer can append to it', async ({ store, another, now }) => {
      await store.append('r', [started('r', now())])
      const other = await another(store)
      await refuses(other, 'r', [closed(0, now())])
      await refuses(other, 'r', [ended(now())])
      await store.append('r', [closed(0, now())])
      assert.equal((await other.read('r')).length, 2)
    }),
    caseOf('a run in progress cannot be resumed elsewhere', async ({ store, another, now }) => {
      await store.append('r', [started('r', now())])
      const other = await another(store)
      const code = 'RUN_BUSY'
      await refuses(other, 'r', [resumed(now(), 1)], { code })
      await refuses(store, 'r', [resumed(now(), 1)], { code })
      await store.append('r', [closed(0, now())])
    }),
    caseOf('nothing can be appended to an ended run', async ({ store, now }) => {
      await store.append('r', [started('r', now())])
      await store.append('r', [ended(now())])
      await refuses(store, 'r', [closed(0, now())])
      await refuses(store, 'r', [resumed(now(), 2)])
      assert.equal(await statusOf(store, 'r'), 'finished')
    }),
    caseOf('a nested run has the outer run’s writer', async ({ store, another, now }) => {
      await store.append('r', [started('r', now())])
      const path = '0.0/'
      const child = started('r', now(), { path, agent: 'child' })
      await store.append('r', [child, { ...resumed(now()), path }])
      await store.append('r', [
        { type: 'ended', path, status: 'finished', reason: 'stop', at: now() },
      ])
      const { agent, status } = (await store.find('r')) ?? {}
      assert.deepEqual([agent, status], ['chat', 'running'])
      await refuses(await another(store), 'r', [{ ...resumed(now()), path }])
      await store.append('r', [closed(0, now())])
    }),
  ]
}

function handing(open: () => Promise<Opened>): readonly ContractCase[] {
  const caseOf = casesOf(open)
  return [
    caseOf('any process can resume a left run', async ({ store, another, now }) => {
      const other = await another(store)
      for (const [run, how] of [
        ['failed', OVER],
        ['waits', SUSPENDED],
      ] as const) {
        await store.append(run, [started(run, now())])
        await letGo(store, run, how)
        await takeUp(other, run, now())
        await other.append(run, [closed(0, now())])
        assert.equal(await statusOf(store, run), 'running')
      }
    }),
    caseOf('a writer cannot append after leaving a run', async ({ store, now }) => {
      await store.append('r', [started('r', now())])
      await letGo(store, 'r', OVER)
      await refuses(store, 'r', [closed(0, now())])
      await takeUp(store, 'r', now())
      await store.append('r', [closed(0, now())])
    }),
    caseOf('a run cannot be resumed from an outdated state', async ({ store, another, now }) => {
      await store.append('r', [started('r', now()), asked('q', now())])
      await letGo(store, 'r', SUSPENDED)
      const other = await another(store)
      await other.reply('r', 'q', 'yes')
      await refuses(store, 'r', [resumed(now(), 2)], { code: 'RUN_BUSY' })
      await takeUp(store, 'r', now())
      assert.deepEqual(
        (await other.read('r')).map(({ type }) => type),
        ['started', 'requested', 'replied', 'resumed'],
      )
    }),
    caseOf('of concurrent resumes exactly one succeeds', async ({ store, another, now }) => {
      await store.append('r', [started('r', now())])
      await letGo(store, 'r', OVER)
      const others = [store, await another(store), await another(store)]
      const tried = await Promise.allSettled(
        others.map((one) => appending(one, 'r', [resumed(now(), 1)])),
      )
      assert.deepEqual(
        tried.map(({ status }) => status).toSorted(),
        ['fulfilled', 'rejected', 'rejected'],
        'check and resume atomically: one of several concurrent resumes may succeed',
      )
      assert.equal((await store.read('r')).length, 2)
    }),
  ]
}

function fencing(open: () => Promise<Opened>): readonly ContractCase[] {
  const caseOf = casesOf(open)
  return [
    caseOf(
      'a run whose process died is resumed, and the dead process can no longer write',
      async ({ store, another, lapse, now }) => {
        await store.append('r', [started('r', now())])
        await lapse(store)
        const other = await another(store)
        assert.equal(await statusOf(other, 'r'), 'interrupted')
        await takeUp(other, 'r', now())
        await refuses(store, 'r', [closed(0, now())])
        await other.append('r', [closed(0, now())])
        await letGo(other, 'r', OVER)
        // The dead process stays locked out after the run is left.
        await refuses(store, 'r', [closed(1, now())])
      },
    ),
    caseOf(
      'the former writer of a run cannot leave it for others',
      async ({ store, another, lapse, now }) => {
        await store.append('r', [started('r', now())])
        await lapse(store)
        const other = await another(store)
        await takeUp(other, 'r', now())
        store.leave?.('r', SUSPENDED)
        // Leaving repeatedly does not return the run to this store.
        store.leave?.('r', OVER)
        await other.append('r', [closed(0, now())])
        assert.equal(await statusOf(other, 'r'), 'running')
        await refuses(await another(store), 'r', [resumed(now(), 3)])
      },
    ),
    caseOf(
      'a process considered dead continues if no other resumed the run',
      async ({ store, another, lapse, now }) => {
        await store.append('r', [started('r', now())])
        await lapse(store)
        await store.append('r', [closed(0, now())])
        const other = await another(store)
        assert.equal((await other.read('r')).length, 2)
      },
    ),
    caseOf('leaving an unknown run has no effect', async ({ store, another, now }) => {
      store.leave?.('nobody', OVER)
      await store.append('r', [started('r', now())])
      const other = await another(store)
      other.leave?.('r', OVER)
      other.leave?.('r', SUSPENDED)
      assert.equal(await statusOf(other, 'r'), 'running')
      await store.append('r', [closed(0, now())])
    }),
  ]
}

function givingUp(open: () => Promise<Opened>): readonly ContractCase[] {
  const caseOf = casesOf(open)
  return [
    caseOf('a run is cut off if its process died, not if it left it', async (trial) => {
      const { store, another, lapse, now } = trial
      // A store that cannot tell gives no run up.
      if (store.isCutOff === undefined) return
      const other = await another(store)
      for (const run of ['died', 'waits', 'over']) await store.append(run, [started(run, now())])
      await letGo(store, 'waits', SUSPENDED)
      await letGo(store, 'over', OVER)
      await lapse(store)
      const cutOff: string[] = []
      for (const run of ['died', 'waits', 'over', 'unknown'])
        if ((await other.isCutOff?.(run)) === true) cutOff.push(run)
      assert.deepEqual(cutOff, ['died'])
    }),
    caseOf('a run that was given up has failed', async ({ store, another, lapse, now }) => {
      const other = await another(store)
      await store.append('r', [started('r', now()), asked('q', now())])
      await lapse(store)
      const { length } = await other.read('r')
      const end: Entry = {
        type: 'ended',
        path: '',
        status: 'failed',
        reason: 'it was given up',
        at: now(),
      }
      await other.append('r', [{ ...resumed(now(), length), interrupted: true }, end])
      const { status, reason, requests } = await found(store, 'r')
      assert.deepEqual([status, reason, requests], ['failed', 'it was given up', []])
      assert.deepEqual(idsOf(await store.list({ status: ['failed'] })), ['r'])
      assert.deepEqual(idsOf(await store.list({ status: ['interrupted', 'finished'] })), [])
      assert.deepEqual(await store.due(), [])
      assert.equal(await store.askToCancel('r'), false)
      await refuses(store, 'r', [resumed(now(), length + 2)])
      assert.equal((await store.prune({ keep: 0 })).runs, 1)
    }),
  ]
}
