import assert from 'node:assert/strict'
import type { FromOutside } from '../../core/journal/journal.ts'
import type { RunStore } from '../../core/store/run-store.ts'
import { casesOf, type ContractCase } from '../contract.ts'
import {
  asked,
  closed,
  ended,
  found,
  letGo,
  type Opened,
  started,
  statusOf,
  SUSPENDED,
  soon,
  takeUp,
} from './premises.ts'

const UNKNOWN_REQUEST = { code: 'UNKNOWN_REQUEST' }
const UNKNOWN_RUN = { code: 'UNKNOWN_RUN' }

/** External input, while another process works on a run or none does. */
export function answers(open: () => Promise<Opened>): readonly ContractCase[] {
  return [...replies(open), ...refusals(open), ...overdue(open), ...hearing(open), ...cancels(open)]
}

const requestsOf = async (store: RunStore, run: string): Promise<readonly string[]> =>
  (await found(store, run)).requests.map(({ id }) => id)

function replies(open: () => Promise<Opened>): readonly ContractCase[] {
  const caseOf = casesOf(open)
  return [
    caseOf('a request stays until it is answered', async ({ store, another, now }) => {
      const [at, until] = [now(), now() + 60_000]
      await store.append('r', [started('r', at)])
      await store.append('r', [asked('p', at, { until }), asked('q', at)])
      const other = await another(store)
      const about = { question: '?', schema: null }
      assert.deepEqual((await found(other, 'r')).requests, [
        { id: 'p', about, at, until },
        { id: 'q', about, at, until: null },
      ])
      await other.reply('r', 'p', ['ä', { a: null }], 'ada')
      assert.deepEqual(await requestsOf(store, 'r'), ['q'])
      const { at: repliedAt, ...reply } = Object((await store.read('r')).at(-1))
      assert.deepEqual(reply, {
        type: 'replied',
        request: 'p',
        reply: ['ä', { a: null }],
        by: 'ada',
      })
      assert.ok(repliedAt >= at)
      await store.append('r', [{ type: 'replied', request: 'q', reply: 1, at: now() }])
      assert.deepEqual(await requestsOf(other, 'r'), [])
    }),
    caseOf('a request ends with its call, its step or the run', async ({ store, another, now }) => {
      await store.append('r', [started('r', now()), asked('a', now(), { call: 0, hash: '1' })])
      await store.append('r', [asked('b', now(), { call: 1 }), asked('c', now())])
      await store.append('r', [asked('d', now(), { path: '0.2/', seq: 7 })])
      await store.append('r', [asked('e', now(), { seq: 1 }), asked('f', now(), { seq: 10 })])
      const other = await another(store)
      assert.deepEqual(await requestsOf(other, 'r'), ['a', 'b', 'c', 'd', 'e', 'f'])
      const outcome = { type: 'ok', value: 1 } as const
      await store.append('r', [{ type: 'settled', path: '', seq: 0, call: 0, outcome }])
      assert.deepEqual(await requestsOf(other, 'r'), ['b', 'c', 'd', 'e', 'f'])
      await store.append('r', [closed(0, now()), asked('g', now(), { seq: 1 })])
      assert.deepEqual(await requestsOf(other, 'r'), ['e', 'f', 'g'])
      await store.append('r', [closed(1, now())])
      assert.deepEqual(await requestsOf(other, 'r'), ['f'])
      await store.append('r', [ended(now())])
      assert.deepEqual(await requestsOf(other, 'r'), [])
    }),
    caseOf('recording a request again does not change it', async ({ store, now }) => {
      await store.append('r', [started('r', now()), asked('q', now())])
      await letGo(store, 'r', SUSPENDED)
      await store.reply('r', 'q', 'yes')
      await takeUp(store, 'r', now())
      await store.append('r', [asked('q', now() + 1)])
      assert.deepEqual(await requestsOf(store, 'r'), [])
      await assert.rejects(store.reply('r', 'q', 'no'), UNKNOWN_REQUEST)
    }),
  ]
}

function refusals(open: () => Promise<Opened>): readonly ContractCase[] {
  const caseOf = casesOf(open)
  return [
    caseOf('the first answer wins', async ({ store, another, now }) => {
      await store.append('r', [started('r', now()), asked('q', now())])
      const other = await another(store)
      const tried = await Promise.allSettled([
        other.reply('r', 'q', 1),
        store.reply('r', 'q', 2),
        other.reply('r', 'q', 3),
      ])
      assert.equal(
        tried.filter(({ status }) => status === 'fulfilled').length,
        1,
        'check and write atomically: one of several concurrent answers may win',
      )
      await assert.rejects(other.reply('r', 'q', 4), UNKNOWN_REQUEST)
      assert.equal((await store.read('r')).length, 3)
    }),
    caseOf('an invalid reply is refused', async ({ store, now }) => {
      const approval = { type: 'approval', tool: 'buy', call: 'c', input: {}, why: 'it acts' }
      const choices = ['once', 'deny']
      const yesOrNo = { question: '?', schema: { type: 'boolean' } }
      await store.append('r', [
        started('r', now()),
        asked('p', now(), { about: { ...approval, choices, hash: 'h' }, hash: 'h' }),
        asked('q', now(), { about: yesOrNo }),
      ])
      const code = { code: 'INVALID_INPUT' }
      await assert.rejects(store.reply('r', 'p', 'yes'), code)
      await assert.rejects(store.reply('r', 'p', { choice: 'once', hash: 'other' }), code)
      await assert.rejects(store.reply('r', 'q', 'yes'), code)
      assert.deepEqual(await requestsOf(store, 'r'), ['p', 'q'])
      await store.reply('r', 'p', { choice: 'once', hash: 'h' })
      await store.reply('r', 'q', false)
      assert.deepEqual(await requestsOf(store, 'r'), [])
    }),
    caseOf('only a pending request can be answered', async ({ store, now }) => {
      await assert.rejects(store.reply('r', 'q', 1), UNKNOWN_RUN)
      await store.append('r', [started('r', now()), asked('q', now()), asked('p', now())])
      await assert.rejects(store.reply('r', 'other', 1), UNKNOWN_REQUEST)
      await store.append('s', [started('s', now())])
      await assert.rejects(store.reply('s', 'q', 1), UNKNOWN_REQUEST)
      await store.append('r', [{ type: 'replied', request: 'p', reply: 1, at: now() }])
      await assert.rejects(store.reply('r', 'p', 2), UNKNOWN_REQUEST)
      await store.append('r', [closed(0, now())])
      await assert.rejects(store.reply('r', 'q', 1), UNKNOWN_REQUEST)
      assert.equal((await store.read('r')).length, 5)
    }),
  ]
}

function overdue(open: () => Promise<Opened>): readonly ContractCase[] {
  const caseOf = casesOf(open)
  return [
    caseOf('an expired request cannot be answered', async ({ store, now }) => {
      const request = asked('q', now() - 10, { until: now() - 5 })
      await store.append('r', [started('r', now() - 10), request])
      await assert.rejects(store.reply('r', 'q', 1), UNKNOWN_REQUEST)
      assert.equal((await store.read('r')).length, 2)
    }),
    caseOf('an ended request cannot be answered', async ({ store, now }) => {
      await store.append('r', [started('r', now()), asked('q', now())])
      await store.append('r', [ended(now())])
      await assert.rejects(store.reply('r', 'q', 1), UNKNOWN_REQUEST)
      assert.equal((await store.read('r')).length, 3)
    }),
  ]
}

/** Followers, and the events they received. */
function following(
  store: RunStore,
  run: string,
): { readonly heard: FromOutside[]; readonly stop: () => void } {
  const heard: FromOutside[] = []
  const stop = store.follow?.(run, (entry) => void heard.push(entry))
  assert.ok(stop !== undefined, 'follow must exist')
  return { heard, stop }
}

const repliesIn = (entries: readonly FromOutside[]): readonly unknown[] =>
  entries.map((entry) => (entry.type === 'replied' ? entry.reply : entry.by))

function hearing(open: () => Promise<Opened>): readonly ContractCase[] {
  const caseOf = casesOf(open)
  return [
    caseOf(
      'the run’s worker receives what other processes record',
      async ({ store, another, now }) => {
        await store.append('r', [started('r', now()), asked('p', now()), asked('q', now())])
        await store.append('s', [started('s', now()), asked('q', now())])
        const { heard } = following(store, 'r')
        const other = await another(store)
        await other.reply('s', 'q', 'of another run')
        await other.reply('r', 'q', 'from another process')
        await store.reply('r', 'p', 'from this one')
        await other.askToCancel('r', 'shutdown')
        await soon(() => {
          assert.deepEqual(repliesIn(heard), ['from another process', 'from this one', 'shutdown'])
        })
        assert.deepEqual(heard, (await store.read('r')).slice(3))
      },
    ),
    caseOf(
      'a follower receives earlier unread entries, and no entry it has read',
      async ({ store, another, now }) => {
        await store.append('r', [started('r', now()), asked('p', now()), asked('q', now())])
        const other = await another(store)
        await letGo(store, 'r', SUSPENDED)
        await other.reply('r', 'p', 'read')
        await takeUp(store, 'r', now())
        await other.reply('r', 'q', 'heard')
        const { heard } = following(store, 'r')
        await soon(() => assert.deepEqual(repliesIn(heard), ['heard']))
      },
    ),
    caseOf('a stopped follower receives nothing more', async ({ store, another, now }) => {
      await store.append('r', [started('r', now()), asked('p', now()), asked('q', now())])
      const first = following(store, 'r')
      const second = following(store, 'r')
      const other = await another(store)
      await other.reply('r', 'p', 1)
      await soon(() => assert.deepEqual(repliesIn([...first.heard, ...second.heard]), [1, 1]))
      first.stop()
      await other.reply('r', 'q', 2)
      await soon(() => assert.deepEqual(repliesIn(second.heard), [1, 2]))
      assert.deepEqual(repliesIn(first.heard), [1])
      second.stop()
    }),
  ]
}

function cancels(open: () => Promise<Opened>): readonly ContractCase[] {
  const caseOf = casesOf(open)
  return [
    caseOf('a cancel request stays visible until the run ends', async ({ store, another, now }) => {
      await store.append('r', [started('r', now())])
      const other = await another(store)
      assert.equal((await found(other, 'r')).isCancelAsked, false)
      assert.equal(await other.askToCancel('r'), true)
      const { by, type } = Object((await store.read('r')).at(-1))
      assert.deepEqual([type, by], ['cancel-asked', 'user'])
      assert.equal((await found(store, 'r')).isCancelAsked, true)
      assert.equal(await statusOf(store, 'r'), 'running')
      await store.append('r', [ended(now(), 'canceled')])
      const { isCancelAsked, status, reason } = await found(other, 'r')
      assert.deepEqual([isCancelAsked, status, reason], [false, 'canceled', 'canceled'])
    }),
    caseOf('an ended run accepts no cancel request', async ({ store, now }) => {
      await assert.rejects(store.askToCancel('r'), UNKNOWN_RUN)
      await store.append('r', [started('r', now()), ended(now())])
      assert.equal(await store.askToCancel('r'), false)
      assert.equal((await store.read('r')).length, 2)
    }),
  ]
}
