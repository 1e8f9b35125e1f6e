import assert from 'node:assert/strict'
import { casesOf, type ContractCase } from '../contract.ts'
import {
  asked,
  DAY,
  ended,
  found,
  idsOf,
  letGo,
  soon,
  type Opened,
  started,
  SUSPENDED,
  takeUp,
} from './premises.ts'

/** Runs that any process may resume. */
export function due(open: () => Promise<Opened>): readonly ContractCase[] {
  return [...onceAnswered(open), ...otherReasons(open)]
}

function onceAnswered(open: () => Promise<Opened>): readonly ContractCase[] {
  const caseOf = casesOf(open)
  return [
    caseOf('a waiting run is due once it is answered', async ({ store, another, now }) => {
      const requests = [asked('p', now()), asked('q', now())]
      await store.append('r', [started('r', now()), ...requests])
      const other = await another(store)
      assert.deepEqual(await other.due(), [], 'a live process works on it')
      await letGo(store, 'r', SUSPENDED)
      assert.deepEqual(await other.due(), [], 'nobody has answered')
      await other.reply('r', 'p', 1)
      assert.deepEqual(idsOf(await store.due()), ['r'])
      assert.deepEqual(await other.due(), [await found(other, 'r')])
      await takeUp(store, 'r', now())
      assert.deepEqual(await other.due(), [], 'it is taken up')
      await letGo(store, 'r', SUSPENDED)
      assert.deepEqual(await other.due(), [], 'the answer is known, and it waits for another')
      await other.reply('r', 'q', 2)
      assert.deepEqual(idsOf(await other.due()), ['r'])
    }),
    caseOf('an answer that arrives while a run is left is not lost', async (trial) => {
      const { store, another, now } = trial
      const other = await another(store)
      for (const run of ['unheard', 'heard']) {
        await store.append(run, [started(run, now()), asked('q', now())])
      }
      const heard = new Set<string>()
      const stop = store.follow?.('heard', ({ type }) => void heard.add(type))
      await other.reply('unheard', 'q', 1)
      await letGo(store, 'unheard', { type: 'suspended', wakeAt: now() + DAY })
      assert.deepEqual(idsOf(await other.due()), ['unheard'])
      await store.reply('heard', 'q', 1)
      await soon(() => assert.ok(heard.has('replied'), 'follow must report the reply'))
      stop?.()
      await letGo(store, 'heard', SUSPENDED)
      assert.deepEqual(
        idsOf(await other.due()),
        ['unheard'],
        'the run was left after it received the reply',
      )
    }),
  ]
}

function otherReasons(open: () => Promise<Opened>): readonly ContractCase[] {
  const caseOf = casesOf(open)
  return [
    caseOf('a waiting run is due at its time', async ({ store, now }) => {
      for (const [run, wakeAt] of [
        ['later', now() + DAY],
        ['now', now() - 1],
      ] as const) {
        await store.append(run, [started(run, now())])
        await letGo(store, run, { type: 'suspended', wakeAt })
      }
      assert.deepEqual(idsOf(await store.due()), ['now'])
    }),
    caseOf('a waiting run is due after a cancel request', async ({ store, another, now }) => {
      await store.append('r', [started('r', now())])
      await letGo(store, 'r', SUSPENDED)
      await (await another(store)).askToCancel('r')
      assert.deepEqual(idsOf(await store.due()), ['r'])
      await takeUp(store, 'r', now())
      await store.append('r', [ended(now(), 'canceled')])
      assert.deepEqual(await store.due(), [])
    }),
    caseOf('a run whose process died is due', async ({ store, another, lapse, now }) => {
      await store.append('r', [started('r', now())])
      await store.append('done', [started('done', now()), ended(now())])
      const other = await another(store)
      assert.deepEqual(await other.due(), [])
      await lapse(store)
      assert.deepEqual(idsOf(await other.due()), ['r'])
    }),
    caseOf('at most the requested number of due runs is returned', async ({ store, now }) => {
      for (const run of ['a', 'b', 'c']) {
        await store.append(run, [started(run, now())])
        await letGo(store, run, { type: 'suspended', wakeAt: now() - 1 })
      }
      assert.equal((await store.due()).length, 3)
      assert.equal((await store.due(2)).length, 2)
    }),
  ]
}
