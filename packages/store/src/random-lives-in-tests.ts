import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { EchelonError } from '../../echelon/src/core/value/error.ts'
import type { Entry } from '../../echelon/src/core/journal/journal.ts'
import type { RunSummary } from '../../echelon/src/core/store/run-store.ts'
import type { StoredSession } from '../../echelon/src/core/store/session-store.ts'
import type { Clock } from '../../echelon/src/core/agent/ports.ts'
import type { Store } from '../../echelon/src/core/store/store.ts'
import { SetClock } from '../../echelon/src/testing/set-clock.ts'
import {
  FILES,
  LEASE_MS,
  type Operation,
  operation,
  perform,
  RUNS,
  type Seen,
  SESSIONS,
} from './operations-in-tests.ts'

/** All queries that a process can make to a store. */
interface Answers {
  readonly runs: readonly Answer[]
  readonly list: readonly RunSummary[]
  readonly waiting: readonly RunSummary[]
  readonly due: readonly RunSummary[]
  readonly sessions: readonly (StoredSession | undefined)[]
  readonly lengths: readonly (readonly [id: string, messages: number])[]
  readonly found: readonly (string | undefined)[]
}

interface Answer {
  readonly id: string
  readonly entries: readonly Entry[]
  readonly summary: RunSummary | undefined
  readonly snapshot: unknown
  readonly files: readonly string[]
}

async function answersOf({ runs, sessions, artifacts }: Seen): Promise<Answers> {
  const answer = async (id: string): Promise<Answer> => ({
    id,
    entries: await runs.read(id),
    summary: await runs.find(id),
    snapshot: await runs.snapshot?.(id),
    files: (await artifacts.of(id)).map(({ name }) => name),
  })
  return {
    runs: await Promise.all(RUNS.map(answer)),
    list: await runs.list(),
    waiting: await runs.list({ status: ['waiting'], session: 's' }),
    due: await runs.due(),
    sessions: await Promise.all(SESSIONS.map((id) => sessions.load(id))),
    lengths: (await sessions.list()).map(({ id, length }) => [id, length]),
    found: await Promise.all(FILES.map(async (name) => (await artifacts.find(name))?.run)),
  }
}

/** The facts of a run, computed from its entries. */
function facts(entries: readonly Entry[]) {
  let asked: readonly Asked[] = []
  const files = new Set<string>()
  let isCancelAsked = false
  let ended: string | undefined
  for (const entry of entries) {
    if (entry.type === 'requested' && !asked.some(({ id }) => id === entry.request)) {
      const { request: id, seq, call } = entry
      asked = [...asked, { id, seq, call, isAnswered: false }]
    }
    if (entry.type === 'replied') {
      asked = asked.map((one) => (one.id === entry.request ? { ...one, isAnswered: true } : one))
    }
    if (entry.type === 'settled') {
      asked = asked.filter(({ seq, call }) => seq !== entry.seq || call !== entry.call)
      if (entry.outcome.type === 'ok')
        for (const { name } of entry.outcome.artifacts ?? []) files.add(name)
    }
    if (entry.type === 'closed') asked = asked.filter(({ seq }) => seq !== entry.seq)
    if (entry.type === 'cancel-asked') isCancelAsked = true
    if (entry.type === 'ended') ended = entry.status
  }
  const requests = asked.filter(({ isAnswered }) => !isAnswered).map(({ id }) => id)
  return ended === undefined
    ? { requests, isCancelAsked, ended, files }
    : { requests: [], isCancelAsked: false, ended, files }
}

interface Asked {
  readonly id: string
  readonly seq: number
  readonly call: number | undefined
  readonly isAnswered: boolean
}

/** Checks summaries against entries, and all queries about runs against summaries. */
function checkAnswers({ runs, list, waiting, due, sessions, lengths, found }: Answers): void {
  for (const { id, entries, summary, files } of runs) {
    assert.equal(summary === undefined, entries.length === 0, id)
    const { requests, isCancelAsked, ended, files: made } = facts(entries)
    assert.deepEqual(new Set(files), made)
    if (summary === undefined) continue
    assert.deepEqual(new Set(summary.requests.map((one) => one.id)), new Set(requests))
    assert.equal(summary.isCancelAsked, isCancelAsked)
    const isOver = summary.status === 'finished' || summary.status === 'canceled'
    assert.equal(isOver ? summary.status : undefined, ended)
    if (requests.length > 0) assert.equal(summary.status, 'waiting')
  }
  const summaries = runs.flatMap(({ summary }) => summary ?? [])
  const byId = (some: readonly RunSummary[]) => some.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  assert.deepEqual(byId(list), byId(summaries))
  assert.ok(list.every(({ beganAt }, nth) => beganAt <= (list[nth - 1]?.beganAt ?? beganAt)))
  const waits = ({ status, session }: RunSummary) => status === 'waiting' && session === 's'
  assert.deepEqual(waiting, list.filter(waits))
  for (const { status } of due) assert.ok(status === 'waiting' || status === 'interrupted')
  for (const session of SESSIONS) {
    const turns = list.filter((one) => one.session === session && one.status === 'running')
    assert.ok(turns.length <= 1, `${session} has one turn at a time`)
  }
  const kept = sessions.flatMap((session) => session ?? [])
  const counted = kept.map(({ id, messages }) => [id, messages.length] as const)
  assert.deepEqual(Object.fromEntries(lengths), Object.fromEntries(counted))
  for (const [nth, name] of FILES.entries()) {
    const makers = runs.filter(({ files }) => files.includes(name)).map(({ id }) => id)
    assert.equal(found[nth] !== undefined, makers.length > 0)
    assert.ok(found[nth] === undefined || makers.includes(found[nth]))
  }
}

/** The rights to write, derived from the accepted operations. */
class Writers {
  readonly #writers = new Map<string, { readonly by: number; isLive: boolean }>()

  lapse(): void {
    for (const writer of this.#writers.values()) writer.isLive = false
  }

  accept(doing: Operation, by: number, added: readonly Entry[]): void {
    if (doing.type === 'leave' && this.#writers.get(doing.run)?.by === by) {
      this.#writers.delete(doing.run)
    }
    if (doing.type === 'remove') {
      assert.ok(this.#writers.get(doing.run)?.isLive !== true, 'a run under way is not removed')
      this.#writers.delete(doing.run)
    }
    if (doing.type === 'append' && added.length > 0) this.#append(doing.run, by, added)
  }

  #append(run: string, by: number, added: readonly Entry[]): void {
    const writer = this.#writers.get(run)
    if (added.some(({ type }) => type === 'started' || type === 'resumed')) {
      assert.ok(writer?.isLive !== true, 'a run under way is taken up by nobody')
      this.#writers.set(run, { by, isLive: true })
    } else {
      assert.equal(writer?.by, by, 'only the process that took a run up writes it')
    }
    if (added.some(({ type }) => type === 'ended')) this.#writers.delete(run)
  }
}

/** The difference that an operation made. */
function checkChange(doing: Operation, before: Answers, after: Answers): void {
  for (const [nth, { id, entries }] of after.runs.entries()) {
    const was = before.runs[nth]?.entries ?? []
    if (entries.length > 0) assert.deepEqual(entries.slice(0, was.length), was, `${id} only grows`)
  }
  const change =
    doing.type === 'save'
      ? doing.change
      : doing.type === 'append' && doing.parts.at(-1)?.type === 'end'
        ? Object(doing.parts.at(-1)).change
        : undefined
  const ended = doing.type === 'forget' || doing.type === 'end' || doing.type === 'prune'
  for (const [nth, id] of SESSIONS.entries()) {
    if (ended) continue
    const was = before.sessions[nth]?.messages ?? []
    const is = after.sessions[nth]?.messages ?? []
    if (change?.session !== id) assert.deepEqual(is, was)
    else assert.equal(is.length, Math.min(change.keep, was.length + change.off) + change.messages)
  }
}

/** Two processes of one new store. */
export type OpenTwo = (options: {
  readonly clock: Clock
  readonly leaseMs: number
}) => Promise<readonly [Store, Store]>

/**
 * For any operations of two processes, a store answers from its entries and one process writes a run.
 */
export async function checkRandomLives(openTwo: OpenTwo, numRuns: number): Promise<void> {
  const by = fc.constantFrom(...([0, 0, 0, 1] as const))
  const many = fc.array(fc.record({ by, operation }), { minLength: 30, maxLength: 30 })
  const property = fc.asyncProperty(many, async (all) => {
    const clock = new SetClock()
    const processes = await openTwo({ clock, leaseMs: LEASE_MS })
    const [first] = processes
    const writers = new Writers()
    try {
      for (const { by, operation } of all) {
        await clock.advance(operation.type === 'lapse' ? LEASE_MS + 1 : 1)
        if (operation.type === 'lapse') writers.lapse()
        const before = await answersOf(first)
        const isDone = await perform(processes[by], operation, clock.now()).then(
          () => true,
          (error: unknown) => {
            assert.ok(error instanceof EchelonError, String(error))
            return false
          },
        )
        // A store may write what `leave` says a moment later, though before it answers.
        await processes[by].runs.list()
        const after = await answersOf(first)
        assert.deepEqual(await answersOf(processes[1]), after, 'both see the same')
        checkAnswers(after)
        if (!isDone) assert.deepEqual(after, before, 'what is refused changes nothing')
        else if (operation.type !== 'lapse') {
          checkChange(operation, before, after)
          const entriesOf = ({ runs }: Answers, run: unknown): readonly Entry[] =>
            runs.find(({ id }) => id === run)?.entries ?? []
          const run = 'run' in operation ? operation.run : undefined
          const added = entriesOf(after, run).slice(entriesOf(before, run).length)
          writers.accept(operation, by, added)
        }
      }
    } finally {
      for (const store of processes) await store.close()
    }
  })
  await fc.assert(property, { numRuns, endOnFailure: true })
}
