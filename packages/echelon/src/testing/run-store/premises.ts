import assert from 'node:assert/strict'
import type { Entry, Leaving, Requested, Resumed, Started } from '../../core/journal/journal.ts'
import type { RunStore, RunSummary } from '../../core/store/run-store.ts'

/** What a test can do with a store of runs besides what a run does. */
export interface RunStoreTrial {
  /** The same runs, as another process has them. */
  readonly another: (store: RunStore) => RunStore | Promise<RunStore>
  /** Has others take the store's process for dead, such as by letting its leases run out. */
  readonly lapse: (store: RunStore) => void | Promise<void>
  /** The time as the stores tell it, in milliseconds since the epoch; default the machine's. */
  readonly now?: () => number
  /** Lets time pass; it adds a case. */
  readonly pass?: (ms: number) => void | Promise<void>
}

export interface Opened extends Required<Omit<RunStoreTrial, 'pass'>> {
  readonly store: RunStore
}

export const DAY = 86_400_000

export const started = (
  runId: string,
  at: number,
  more: Partial<Started> & { readonly turnOf?: string } = {},
): Started => {
  const { turnOf, ...over } = more
  return {
    type: 'started',
    path: '',
    runId,
    agent: 'chat',
    version: 1,
    input: 'hi',
    at,
    seed: 1,
    timeZone: 'UTC',
    models: { main: 'openai/gpt-5-nano' },
    limits: { money: 0.1 },
    ...(turnOf !== undefined && { session: { id: turnOf, length: 0, digest: 0 } }),
    ...over,
  }
}

export const resumed = (at: number, after?: number): Resumed => ({
  type: 'resumed',
  charged: {},
  at,
  ...(after !== undefined && { after }),
})

export const closed = (seq: number, at: number): Entry => ({
  type: 'closed',
  path: '',
  seq,
  digest: 0,
  seen: { type: 'woke' },
  at,
  spent: {},
})

export const asked = (request: string, at: number, more: Partial<Requested> = {}): Requested => ({
  type: 'requested',
  path: '',
  seq: 0,
  request,
  about: { question: '?', schema: null },
  at,
  ...more,
})

export const ended = (at: number, status: 'finished' | 'canceled' = 'finished'): Entry => ({
  type: 'ended',
  path: '',
  status,
  reason: status === 'finished' ? 'stop' : 'canceled',
  at,
})

export const OVER: Leaving = { type: 'over' }
export const SUSPENDED: Leaving = { type: 'suspended' }

/** Goes on with a run, having read all. */
export async function takeUp(store: RunStore, run: string, at: number): Promise<void> {
  const { length } = await store.read(run)
  await store.append(run, [resumed(at, length)])
}

export const appending = async (
  store: RunStore,
  run: string,
  entries: readonly Entry[],
): Promise<void> => await store.append(run, entries)

/** Refuses, and writes nothing. */
export async function refuses(
  store: RunStore,
  run: string,
  entries: readonly Entry[],
  expected: RegExp | { readonly code: string; readonly message?: RegExp } = /./,
): Promise<void> {
  const before = await store.read(run)
  await assert.rejects(async () => await store.append(run, entries), expected)
  assert.deepEqual(await store.read(run), before, 'an append that is refused must write nothing')
}

export async function found(store: RunStore, run: string): Promise<RunSummary> {
  const summary = await store.find(run)
  assert.ok(summary !== undefined, `find must know the run ${run}`)
  return summary
}

export const statusOf = async (store: RunStore, run: string): Promise<string> =>
  (await found(store, run)).status

export const idsOf = (runs: readonly RunSummary[]): readonly string[] => runs.map(({ id }) => id)

/** How long what is to happen soon may take. */
const SOON_MS = 4000

/** Holds in a moment: a store may take a while over what nobody awaits. */
export async function soon(holds: () => Promise<void> | void): Promise<void> {
  const until = performance.now() + SOON_MS
  for (;;) {
    try {
      await holds()
      return
    } catch (error) {
      if (performance.now() > until) throw error
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
}

/** Lets go of a run. Whatever the same store is asked afterwards comes after it. */
export async function letGo(store: RunStore, run: string, how: Leaving): Promise<void> {
  store.leave?.(run, how)
  assert.notEqual(await statusOf(store, run), 'running', 'leave must let go of the run')
}
