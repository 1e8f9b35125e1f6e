import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { AgentDefinition } from '../../packages/echelon/src/core/agent/agent.ts'
import { condensed, entriesIn } from '../../packages/echelon/src/core/journal/condensed.ts'
import { EchelonError } from '../../packages/echelon/src/core/value/error.ts'
import { isRecord, type Json } from '../../packages/echelon/src/core/value/json.ts'
import type { Entry, Journal } from '../../packages/echelon/src/core/journal/journal.ts'
import type { Snapshot } from '../../packages/echelon/src/core/journal/snapshot.ts'
import { readRun } from '../../packages/echelon/src/runtime/journal/read-run.ts'
import { replayRun } from '../../packages/echelon/src/runtime/journal/replay.ts'
import { resumeRun } from '../../packages/echelon/src/runtime/resume.ts'
import { startRun } from '../../packages/echelon/src/runtime/run.ts'
import type { Services } from '../../packages/echelon/src/runtime/services.ts'
import { KeptJournal } from './kept-journal.ts'
import { callTools, only, settled, tool, world } from './kit.ts'

/** Counts its position and its observations. */
interface Counted {
  readonly far: number
  readonly sum: number
  readonly isAsking: boolean
}

const ACTORS = { all: { tools: ['add'], asks: true } }

/** Adds up to an end, and asks a question in the middle. */
function counting(end: number, asksAt = -1): AgentDefinition<Json, Counted, number> {
  return {
    name: 'counting',
    version: 1,
    actors: ACTORS,
    start: () => ({ state: { far: 0, sum: 0, isAsking: asksAt === 0 } }),
    next({ far, sum, isAsking }) {
      if (isAsking) return { type: 'ask', actor: 'all', question: `${sum}: go on?` }
      if (far === end) return { type: 'finish', reason: 'done', result: sum }
      return callTools([['add', { far, sum }]])
    },
    observe(state, seen) {
      const { far, sum } = state
      if (seen.type === 'canceled') return { state: { ...state, far: end, isAsking: false } }
      if (seen.type === 'answered') return { state: { far, sum, isAsking: false } }
      const outcome = seen.type === 'tools-called' ? seen.outcomes[0] : undefined
      const more = outcome?.type === 'ok' ? Number(outcome.value) : 0
      return { state: { far: far + 1, sum: sum + more, isAsking: far + 1 === asksAt } }
    },
    load(stored) {
      const { far, sum, isAsking } = isRecord(stored) ? stored : {}
      assert.ok(typeof far === 'number' && typeof sum === 'number')
      return { far, sum, isAsking: isAsking === true }
    },
  }
}

/** The same with another state and other steps: two sums at a time, from its position. */
interface Newer {
  readonly version: 2
  readonly at: { readonly far: number; readonly sum: number }
  readonly isAsking: boolean
}

function newer(end: number, asks = (sum: number): string => `${sum}: go on?`) {
  const definition: AgentDefinition<Json, Newer, number> = {
    name: 'counting',
    version: 2,
    actors: ACTORS,
    start: () => assert.fail('a run of the older version is not begun anew'),
    next({ at: { far, sum }, isAsking }) {
      if (isAsking) return { type: 'ask', actor: 'all', question: asks(sum) }
      if (far >= end) return { type: 'finish', reason: 'done', result: sum }
      return callTools([
        ['add', { far, sum }],
        ['add', { far: far + 1, sum }],
      ])
    },
    observe(state, seen) {
      const { far, sum } = state.at
      if (seen.type === 'answered') return { state: { ...state, isAsking: false } }
      const outcomes = seen.type === 'tools-called' ? seen.outcomes : []
      const more = outcomes.reduce(
        (all, one) => all + (one.type === 'ok' ? Number(one.value) : 0),
        0,
      )
      return { state: { ...state, at: { far: far + 2, sum: sum + more } } }
    },
    load(stored) {
      const { far, sum, isAsking, version, at } = isRecord(stored) ? stored : {}
      if (version === 2 && isRecord(at)) {
        return {
          version: 2,
          at: { far: Number(at['far']), sum: Number(at['sum']) },
          isAsking: isAsking === true,
        }
      }
      if (typeof far !== 'number' || typeof sum !== 'number' || far > 90) {
        throw new EchelonError('STATE_REFUSED', 'version 2 cannot go on from here; finish it on 1')
      }
      return { version: 2, at: { far, sum }, isAsking: isAsking === true }
    },
  }
  return definition
}

function there(more: Partial<Services> = {}) {
  const journal = new KeptJournal()
  let added = 0
  const add = tool('add', ({ far }) => {
    added++
    return Number(far) * 10 + 1
  })
  const { tools: _none, ...rest } = more
  const at = world({ journal, ...rest, tools: [add] })
  return { journal, ...at, added: () => added }
}

const snapshotsOf = ({ snapshots }: KeptJournal): readonly Snapshot[] =>
  snapshots.map(({ text }): Snapshot => JSON.parse(text))

describe('a snapshot', () => {
  test('is written after the steps 1, 2, 4, 8 and so on, with the entries that it was made of', async () => {
    const { journal, services } = there()
    await startRun(counting(20), 'go', services, { runId: 'r' }).result
    const kept = snapshotsOf(journal)
    assert.deepEqual(
      kept.map(({ seq }) => seq),
      [1, 2, 4, 8, 16],
    )
    const states = [...replayRun(counting(20), journal.read('r'))].map(({ moved }) => moved.state)
    for (const [index, { seq, state, after, spent }] of kept.entries()) {
      assert.deepEqual(state, states[seq - 1])
      const { after: appends } = journal.snapshots[index] ?? { after: 0 }
      const written = journal.appends
        .slice(0, appends)
        .flatMap(({ text }): Entry[] => JSON.parse(text))
      assert.ok(after <= written.length)
      const last = written[after - 1]
      assert.ok(last?.type === 'closed' && last.seq === seq - 1)
      assert.equal(spent['steps'], seq)
    }
  })

  test('is written nowhere else, and never to a journal without snapshots', async () => {
    const given: unknown[] = []
    const journal: Journal = {
      append: (...all) => void given.push(...all.slice(2)),
      read: () => [],
    }
    const { services } = there({ journal })
    await startRun(counting(5), 'go', services).result
    assert.deepEqual(given, [])
  })

  test('is written when a run may be suspended, with its request', async () => {
    const { journal, services, clock } = there({ suspend: { afterMs: 10 } })
    const run = startRun(counting(8, 6), 'go', services, { runId: 'r' })
    await settled()
    await clock.advance(10)
    await assert.rejects(run.result, { code: 'RUN_SUSPENDED' })
    const newest = snapshotsOf(journal).at(-1)
    assert.equal(newest?.seq, 6)
    assert.deepEqual(newest.state, { far: 6, sum: 156, isAsking: true })
    assert.equal(journal.snapshots.at(-1)?.after, journal.appends.length, 'beside the request')
  })

  test('can replace the entries before it at any step, with the same end', async () => {
    const { journal, services } = there()
    await startRun(counting(11), 'go', services, { runId: 'r' }).result
    const entries = journal.read('r')
    for (const snapshot of snapshotsOf(journal)) {
      for (let length = snapshot.after; length <= entries.length; length++) {
        const shorter = condensed(entries.slice(0, length), snapshot)
        assert.equal(entriesIn(shorter), length)
        assert.equal(shorter.length, length - snapshot.after + 2)
        assert.deepEqual(condensed(shorter, snapshot).slice(2), shorter.slice(2), 'and again')
        const run = resumeRun(counting(11), shorter, { services: there().services })
        assert.equal((await run.result).result, 561)
        assert.equal(run.spent['steps'], 11)
      }
    }
  })

  test('does not hide a request to cancel', async () => {
    const { journal, services } = there()
    await startRun(counting(5), 'go', services, { runId: 'r' }).result
    const [started, first, ...rest] = journal.read('r').slice(0, -1)
    assert.ok(started !== undefined && first !== undefined)
    const asked = { type: 'cancel-asked', by: 'user', at: 1 } as const
    const newest = snapshotsOf(journal).at(-1)
    assert.ok(newest !== undefined)
    const shorter = condensed([started, first, asked, ...rest], newest)
    const { status } = await resumeRun(counting(5), shorter, { services }).result
    assert.equal(status, 'canceled')
  })
})

describe('a run that older code started', () => {
  /** Suspended by version 1 while it asks at step 4 of 8. */
  async function left(answers: boolean) {
    const kept = there({ suspend: { afterMs: 10 } })
    const { journal, services, clock } = kept
    const run = startRun(counting(8, 4), 'go', services, { runId: 'r' })
    await settled()
    await clock.advance(10)
    await assert.rejects(run.result, { code: 'RUN_SUSPENDED' })
    const request = only([...journal.read('r')].filter(({ type }) => type === 'requested'))
    assert.ok(request.type === 'requested')
    if (answers) journal.put('r', { type: 'replied', request: request.request, reply: true, at: 1 })
    return kept
  }

  test('is resumed by newer code from its snapshot: the state is migrated, nothing is repeated', async () => {
    const { journal, services, added } = await left(true)
    assert.equal(added(), 4)
    const entries = await readRun(journal, 'r', { version: 2 })
    const run = resumeRun(newer(8), entries, { services })
    assert.equal((await run.result).result, 1 + 11 + 21 + 31 + 41 + 51 + 61 + 71)
    assert.equal(added(), 8)
    const resumed = journal.read('r').find(({ type }) => type === 'resumed')
    assert.equal(resumed?.type === 'resumed' && resumed.after, entriesIn(entries))
    // Newer code's records are read by newer code; older code rejects them.
    assert.equal(snapshotsOf(journal).at(-1)?.version, 2)
  })

  test('can be suspended and resumed by newer code', async () => {
    const { journal, services, clock } = await left(false)
    const again = resumeRun(newer(8), await readRun(journal, 'r', { version: 2 }), { services })
    await settled()
    await clock.advance(10)
    await assert.rejects(again.result, { code: 'RUN_SUSPENDED' })
    const newest = snapshotsOf(journal).at(-1)
    assert.deepEqual(newest?.state, { version: 2, at: { far: 4, sum: 64 }, isAsking: true })
    journal.put('r', { type: 'replied', request: 'r:4', reply: true, at: 1 })
    const third = resumeRun(newer(8), await readRun(journal, 'r', { version: 2 }), { services })
    assert.equal((await third.result).result, 288)
  })

  test('is refused by newer code whose decisions differ from the journal after the snapshot', async () => {
    const { journal, services } = await left(true)
    const closed = { type: 'closed', path: '', seq: 4, digest: 77, at: 1, spent: {} } as const
    journal.append('r', [{ ...closed, seen: { type: 'answered', reply: true } }])
    const entries = await readRun(journal, 'r', { version: 2 })
    assert.throws(
      () =>
        resumeRun(
          newer(8, () => 'Other words?'),
          entries,
          { services },
        ),
      (error: unknown) =>
        error instanceof EchelonError &&
        error.code === 'JOURNAL_MISMATCH' &&
        /at step 4 .* finish the run on the version that began it, or fork it/.test(error.message),
    )
  })

  test('is refused with the error of `load`, or without a snapshot', async () => {
    const { journal, services } = await left(true)
    const refusing = { ...newer(8), load: (stored: unknown) => newer(8).load({ far: 91, stored }) }
    const entries = await readRun(journal, 'r', { version: 2 })
    assert.throws(() => resumeRun(refusing, entries, { services }), { code: 'STATE_REFUSED' })
    assert.throws(() => resumeRun(newer(8), journal.read('r'), { services }), {
      code: 'JOURNAL_MISMATCH',
      message: /was begun by counting version 1, not by counting version 2/,
    })
  })

  test('is not resumed by code older than its last snapshot', async () => {
    const { journal, services } = await left(true)
    await resumeRun(newer(8), await readRun(journal, 'r', { version: 2 }), { services }).result
    const snapshot = journal.snapshot('r')
    assert.ok(snapshot !== undefined)
    const shorter = condensed(journal.read('r'), snapshot)
    assert.throws(() => resumeRun(counting(8, 4), shorter, { services }), {
      code: 'JOURNAL_MISMATCH',
      message: /by counting version 2, not by counting version 1/,
    })
  })
})
