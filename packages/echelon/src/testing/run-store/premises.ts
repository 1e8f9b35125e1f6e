import assert from 'node:assert/strict'
import type { Entry, Leaving, Requested, Resumed, Started } from '../../core/journal/journal.ts'
import type { RunStore, RunSummary } from '../../core/store/run-store.ts'

/** Test actions on a run store besides those of a run. */
export interface RunStoreTrial {
  /** The same runs, opened by another process. */
  readonly another: (store: RunStore) => RunStore | Promise<RunStore>
  /**
   * Makes other processes treat the store's process as dead, for example by expiring its leases.
   */
  readonly lapse: (store: RunStore) => void | Promise<void>
  /** The time of the stores, in milliseconds since the epoch. Default: the system clock. */
  readonly now?: () => number
  /** Lets time pass; adds a case. */
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

/** Resumes a run after reading everything. */
export async function takeUp(store: RunStore, run: string, at: number): Promise<void> {
  const { length } = await store.read(run)
  await store.append(run, [resumed(at, length)])
}

export const appending = async (
  store: RunStore,
  run: string,
  entries: readonly Entry[],
): Promise<void> => await store.append(run, entries)

/** Checks that an append is refused and writes nothing. */
export async function refuses(
  store: RunStore,
  run: string,
  entries: readonly Entry[],
  expected: RegExp | { readonly code: string; readonly message?: RegExp } = /./,
): Promise<void> {
  const before = await store.read(run)
  await assert.rejects(async () => await store.append(run, entries), expected)
  assert.deepEqual(await store.read(run), before, 'a refused append must write nothing')
}

export async function found(store: RunStore, run: string): Promise<RunSummary> {
  const summary = await store.find(run)
  assert.ok(summary !== undefined, `find must know the run ${run}`)
  return summary
}

export const statusOf = async (store: RunStore, run: string): Promise<string> =>
  (await found(store, run)).status

export const idsOf = (runs: readonly RunSummary[]): readonly string[] => runs.map(({ id }) => id)

/** The maximum duration of what should happen soon. */
const SOON_MS = 4000

/** Waits until a condition holds, since a store may delay work that is not awaited. */
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

/** Leaves a run. Later calls to the same store come after it. */
export async function letGo(store: RunStore, run: string, how: Leaving): Promise<void> {
  store.leave?.(run, how)
  assert.notEqual(await statusOf(store, run), 'running', 'leave must end the ownership of the run')
}
