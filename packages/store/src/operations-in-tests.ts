import * as fc from 'fast-check'
import type { Beside, Entry, Leaving } from '../../echelon/src/core/journal/journal.ts'
import type { RunStore } from '../../echelon/src/core/store/run-store.ts'
import type { SessionChange, SessionStore } from '../../echelon/src/core/store/session-store.ts'
import type { ArtifactIndex } from '../../echelon/src/core/store/store.ts'
import { userMessage } from '../../echelon/src/core/message/thread.ts'

export const LEASE_MS = 30_000

/** One process's view of a store. */
export interface Seen {
  readonly runs: RunStore
  readonly sessions: SessionStore
  readonly artifacts: ArtifactIndex
}

export const RUNS = ['a', 'b'] as const
export const SESSIONS = ['s', 't'] as const
/** An id of a request belongs to one call or step, as every id in a real journal does. */
const ASKS = [
  { request: 'p', seq: 0, call: 0 },
  { request: 'q', seq: 1 },
  { request: 'r', seq: 1, call: 1 },
] as const
const REQUESTS = ASKS.map(({ request }) => request)
export const FILES = ['x.png', 'y.png'] as const

export type Operation =
  | {
      readonly type: 'append'
      readonly run: string
      readonly parts: readonly Part[]
      /** Begins the run or takes it over, if that comes first. */
      readonly first: Part
      readonly isDue: boolean
    }
  | { readonly type: 'leave'; readonly run: string; readonly how: 'over' | 'waits' | 'sleeps' }
  | { readonly type: 'reply'; readonly run: string; readonly request: string }
  | { readonly type: 'cancel' | 'remove'; readonly run: string }
  | { readonly type: 'prune'; readonly keep?: number }
  | { readonly type: 'lapse' }
  | { readonly type: 'save'; readonly change: Change }
  | { readonly type: 'mark' | 'end' | 'forget'; readonly session: string }

type Part =
  | {
      readonly type: 'begin'
      readonly turnOf?: string
      readonly forkOf?: string
      /** Number of messages that it has read. */
      readonly kept?: number
    }
  | { readonly type: 'resume'; readonly missed: number }
  | { readonly type: 'ask'; readonly request: string; readonly seq: number; readonly call?: number }
  | { readonly type: 'answer'; readonly request: string }
  | { readonly type: 'settle'; readonly seq: number; readonly file?: string }
  | { readonly type: 'close'; readonly seq: number; readonly snapshot: boolean }
  | { readonly type: 'end'; readonly canceled: boolean; readonly change?: Change }

interface Change {
  readonly session: string
  /** Distance from the true value. */
  readonly off: number
  readonly keep: number
  readonly messages: number
}

const some = <Value>(values: readonly Value[]): fc.Arbitrary<Value> => fc.constantFrom(...values)
const few = fc.nat({ max: 2 })

const change: fc.Arbitrary<Change> = fc.record({
  session: some(SESSIONS),
  off: fc.constantFrom(0, 0, 0, 0, 1),
  keep: few,
  messages: few,
})

const begin: fc.Arbitrary<Part> = fc.record(
  {
    type: fc.constant('begin' as const),
    turnOf: some(SESSIONS),
    forkOf: some(RUNS),
    kept: fc.constantFrom(0, 0, 1, 2),
  },
  { requiredKeys: ['type'] },
)
const resume: fc.Arbitrary<Part> = fc.record({
  type: fc.constant('resume' as const),
  missed: fc.constantFrom(0, 0, 0, 1),
})
const step: fc.Arbitrary<Part> = fc.oneof(
  some(ASKS).map((asked) => ({ type: 'ask' as const, ...asked })),
  fc.record({ type: fc.constant('answer' as const), request: some(REQUESTS) }),
  fc.record(
    { type: fc.constant('settle' as const), seq: few, file: some(FILES) },
    { requiredKeys: ['type', 'seq'] },
  ),
  fc.record({ type: fc.constant('close' as const), seq: few, snapshot: fc.boolean() }),
)
const end: fc.Arbitrary<Part> = fc.record(
  { type: fc.constant('end' as const), canceled: fc.boolean(), change },
  { requiredKeys: ['type', 'canceled'] },
)

/** No append asks or answers a request twice: the order within one append is not recorded. */
const steps = fc.uniqueArray(step, {
  maxLength: 3,
  selector: (part) => ('request' in part ? part.request : part),
})

const parts: fc.Arbitrary<readonly Part[]> = fc.oneof(
  { weight: 5, arbitrary: steps },
  { weight: 1, arbitrary: fc.oneof(begin, resume).map((first) => [first]) },
  { weight: 1, arbitrary: end.map((last) => [last]) },
)

const run = some(RUNS)
const append = fc.record({
  type: fc.constant('append' as const),
  run,
  parts,
  first: begin,
  isDue: fc.constantFrom(true, true, true, false),
})
const leave = fc.record({
  type: fc.constant('leave' as const),
  run,
  how: fc.constantFrom('over' as const, 'waits' as const, 'sleeps' as const),
})

export const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 8, arbitrary: append },
  { weight: 3, arbitrary: leave },
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constant('reply' as const), run, request: some(REQUESTS) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constantFrom('cancel' as const, 'remove' as const), run }),
  },
  {
    weight: 1,
    arbitrary: fc.record(
      { type: fc.constant('prune' as const), keep: few },
      { requiredKeys: ['type'] },
    ),
  },
  { weight: 1, arbitrary: fc.constant({ type: 'lapse' as const }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('save' as const), change }) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constantFrom('mark' as const, 'end' as const, 'forget' as const),
      session: some(SESSIONS),
    }),
  },
)

function entryOf(part: Part, runId: string, { at, size }: { at: number; size: number }): Entry {
  const path = ''
  switch (part.type) {
    case 'begin':
      return {
        type: 'started',
        path,
        runId,
        agent: 'chat',
        version: 1,
        input: runId,
        at,
        seed: 1,
        timeZone: 'UTC',
        models: {},
        limits: {},
        ...(part.turnOf !== undefined && { session: turnOf(part.turnOf, part.kept) }),
        ...(part.forkOf !== undefined && { forkedFrom: { run: part.forkOf, at: 0 } }),
      }
    case 'resume':
      return { type: 'resumed', charged: {}, at, after: size - part.missed }
    case 'ask': {
      const { request, seq, call } = part
      const about = { question: request, schema: null }
      return {
        type: 'requested',
        path,
        seq,
        request,
        about,
        at,
        ...(call !== undefined && { call }),
      }
    }
    case 'answer':
      return { type: 'replied', request: part.request, reply: 'its own', at }
    case 'settle':
      return { type: 'settled', path, seq: part.seq, call: 0, outcome: outcomeOf(part.file) }
    case 'close':
      return {
        type: 'closed',
        path,
        seq: part.seq,
        digest: 0,
        seen: { type: 'woke' },
        at,
        spent: {},
      }
    case 'end':
      return {
        type: 'ended',
        path,
        status: part.canceled ? 'canceled' : 'finished',
        reason: 'stop',
        at,
      }
  }
}

const turnOf = (id: string, kept: number | undefined) => ({
  id,
  length: 0,
  digest: 0,
  ...(kept !== undefined && { kept }),
})

const outcomeOf = (name: string | undefined) =>
  ({
    type: 'ok',
    value: null,
    ...(name !== undefined && {
      artifacts: [{ name, path: `/${name}`, mediaType: 'image/png', bytes: 1, sha256: 'a' }],
    }),
  }) as const

const changeOf = (
  { session, off, keep, messages }: Change,
  { at, length }: { readonly at: number; readonly length: number },
): SessionChange => ({
  id: session,
  agent: 'chat',
  from: length + off,
  keep: Math.min(keep, length + off),
  messages: Array.from({ length: messages }, (_, nth) => userMessage(`${at} ${nth}`)),
  states: { states: {}, schemaSignature: null, schemaVersion: 1, stateVersions: null },
  continues: null,
  at,
})

async function besideOf(sessions: SessionStore, all: readonly Part[], at: number): Promise<Beside> {
  const last = all.at(-1)
  if (last?.type === 'close' && last.snapshot) {
    const of = { agent: 'chat', version: 1, seq: last.seq, after: 1, state: at }
    return { snapshot: { ...of, spent: {}, models: {}, at } }
  }
  if (last?.type !== 'end' || last.change === undefined) return {}
  const length = await lengthOf(sessions, last.change.session)
  return { session: changeOf(last.change, { at, length }) }
}

const lengthOf = async (sessions: SessionStore, id: string): Promise<number> =>
  (await sessions.load(id))?.messages.length ?? 0

/** The first entries of a run without a lease: a begin or a takeover. */
async function whole(
  { runs }: Seen,
  { run, parts, first, isDue }: Extract<Operation, { type: 'append' }>,
): Promise<readonly Part[]> {
  const found = await runs.find(run)
  if (!isDue) return parts
  if (found === undefined) return [first, ...parts]
  const isIdle = found.status === 'interrupted' || (await runs.due()).some(({ id }) => id === run)
  return isIdle ? [{ type: 'resume', missed: 0 }, ...parts] : parts
}

const LEAVING: Readonly<Record<'over' | 'waits', Leaving>> = {
  over: { type: 'over' },
  waits: { type: 'suspended' },
}

/** Performs an operation as this process. */
export async function perform(seen: Seen, doing: Operation, at: number): Promise<unknown> {
  const { runs, sessions } = seen
  switch (doing.type) {
    case 'append': {
      const { length: size } = await runs.read(doing.run)
      const all = await whole(seen, doing)
      const entries = all.map((part) => entryOf(part, doing.run, { at, size }))
      return runs.append(doing.run, entries, await besideOf(sessions, all, at))
    }
    case 'leave':
      if (doing.how !== 'sleeps') return runs.leave?.(doing.run, LEAVING[doing.how])
      return runs.leave?.(doing.run, { type: 'suspended', wakeAt: at + LEASE_MS })
    case 'reply':
      return runs.reply(doing.run, doing.request, at)
    case 'cancel':
      return runs.askToCancel(doing.run)
    case 'remove':
      return runs.remove(doing.run)
    case 'prune':
      return runs.prune(doing.keep === undefined ? {} : { keep: doing.keep })
    case 'save': {
      const length = await lengthOf(sessions, doing.change.session)
      return sessions.save(changeOf(doing.change, { at, length }))
    }
    case 'mark':
      return sessions.markDisposable(doing.session)
    case 'end':
      return sessions.end(doing.session)
    case 'forget':
      return sessions.remove(doing.session)
    case 'lapse':
      return undefined
  }
}
