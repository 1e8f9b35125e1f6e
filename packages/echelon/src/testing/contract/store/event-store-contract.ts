import assert from 'node:assert/strict'
import type { EventStore, StoredEvent } from '../../../core/store/event-store.ts'
import type { RunEvent } from '../../../core/agent/event.ts'
import { casesOf, type ContractCase, ODD_NAMES } from '../../contract.ts'

/** Test actions on an event store besides those of a program. */
export interface EventStoreTrial {
  /** The same events, opened by another process. Adds cases. */
  readonly another?: (store: EventStore) => EventStore | Promise<EventStore>
}

type Open = () => EventStore | Promise<EventStore>

/**
 * The requirements of every `EventStore`: `for (const { name, holds } of eventStoreContract(open,
 * trial)) test(name, holds)`.
 * @param open a new, empty store for each case
 */
export function eventStoreContract(
  open: Open,
  { another }: EventStoreTrial = {},
): readonly ContractCase[] {
  return [
    ...keeping(open),
    ...choosing(open),
    ...(another === undefined ? [] : sharing(open, another)),
  ]
}

function keeping(open: Open): readonly ContractCase[] {
  const caseOf = casesOf(open)
  return [
    caseOf('an unknown run has no events', async (store) => {
      assert.deepEqual(await store.read('r'), [])
    }),
    caseOf('events are returned unchanged, in order, counted from 1', async (store) => {
      for (const event of EVENTS) store.listener.hear(event, 'r')
      const kept = await all(store, 'r')
      assert.deepEqual(
        kept.map(({ event }) => event),
        EVENTS,
      )
      assert.deepEqual(
        kept.map(({ run, n }) => [run, n]),
        EVENTS.map((_, index) => ['r', index + 1]),
      )
      for (const { at } of kept) assert.ok(Number.isFinite(at), 'when it was heard')
    }),
    caseOf('reading continues after the last seen event', async (store) => {
      hearMany(store, 'r', 10)
      assert.deepEqual(numbers(await store.read('r', 7)), [8, 9, 10])
      assert.deepEqual(numbers(await store.read('r', 3, 2)), [4, 5])
      assert.deepEqual(numbers(await store.read('r', 10)), [])
      hearMany(store, 'r', 1)
      assert.deepEqual(numbers(await store.read('r', 10)), [11])
    }),
    caseOf(
      'at most a thousand events are returned at once, unless more are requested',
      async (store) => {
        hearMany(store, 'r', 1005)
        assert.equal((await store.read('r')).length, 1000)
        assert.equal((await store.read('r', 0, 1005)).length, 1005)
      },
    ),
  ]
}

function choosing(open: Open): readonly ContractCase[] {
  const caseOf = casesOf(open)
  return [
    caseOf('runs with any ids are distinct', async (store) => {
      for (const id of ODD_NAMES) store.listener.hear(said(id), id)
      for (const id of ODD_NAMES) {
        const kept = await all(store, id)
        assert.deepEqual(
          kept.map(({ event }) => event),
          [said(id)],
        )
      }
    }),
    caseOf('stream parts are not stored', async (store) => {
      const delta = { type: 'text-delta', path: '', seq: 0, delta: 'Hel' } as const
      assert.equal(store.listener.only?.has('text-delta'), false, 'nor heard: they are many')
      store.listener.hear(delta, 'r')
      store.listener.hear(said('Hello'), 'r')
      assert.deepEqual(
        (await all(store, 'r')).map(({ event }) => event),
        [said('Hello')],
      )
    }),
    caseOf('an event of any size does not affect others', async (store) => {
      store.listener.hear(said('x'.repeat(5_000_000)), 'r')
      store.listener.hear(said('after'), 'r')
      assert.deepEqual((await all(store, 'r')).at(-1)?.event, said('after'))
    }),
  ]
}

const sharing = (
  open: Open,
  another: NonNullable<EventStoreTrial['another']>,
): readonly ContractCase[] => [
  casesOf(open)('other processes read flushed events and continue their count', async (store) => {
    hearMany(store, 'r', 3)
    await store.flush()
    const other = await another(store)
    assert.deepEqual(numbers(await other.read('r')), [1, 2, 3])
    hearMany(other, 'r', 2)
    await other.flush()
    assert.deepEqual(numbers(await store.read('r', 3)), [4, 5])
  }),
]

async function all(store: EventStore, run: string): Promise<readonly StoredEvent[]> {
  await store.flush()
  return store.read(run)
}

const said = (text: string): RunEvent => ({ type: 'said', path: '', seq: 0, text })

function hearMany(store: EventStore, run: string, times: number): void {
  for (let time = 0; time < times; time++) store.listener.hear(said(`${time}`), run)
}

const numbers = (events: readonly { readonly n: number }[]): readonly number[] =>
  events.map(({ n }) => n)

const EVENTS: readonly RunEvent[] = [
  { type: 'run-start', runId: 'r', agent: 'chat' },
  { type: 'step-start', path: '', seq: 0, effect: 'say', actor: 'chat', targets: [] },
  { type: 'said', path: '', seq: 0, text: 'ä😀\u2028"\\\n' },
  { type: 'request-open', path: '1.0/', seq: 1, request: 'q', about: { question: '?' } },
  { type: 'request-close', path: '1.0/', seq: 1, request: 'q', reply: null },
  { type: 'step-end', path: '', seq: 0, seen: { type: 'said' } },
  { type: 'run-end', status: 'finished', reason: 'stop', spent: { money: 0.5 } },
]
