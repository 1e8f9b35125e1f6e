import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { AgentDefinition } from '../../packages/echelon/src/core/agent/agent.ts'
import type { Entry, Journal } from '../../packages/echelon/src/core/journal/journal.ts'
import type { Json } from '../../packages/echelon/src/core/value/json.ts'
import type { Observation } from '../../packages/echelon/src/core/agent/observation.ts'
import type { ToolOutcome } from '../../packages/echelon/src/core/tool/tool.ts'
import { resumeRun } from '../../packages/echelon/src/runtime/resume.ts'
import { type Run, startRun } from '../../packages/echelon/src/runtime/run.ts'
import type { Services } from '../../packages/echelon/src/runtime/services.ts'
import { asBound, scriptedModel } from '../../packages/echelon/src/testing/scripted-model.ts'
import { KeptJournal } from './kept-journal.ts'
import { callTools, generate, type Performed, performing, settled, tool, world } from './kit.ts'

// The points at which a crash, a cancel or a full disk can hit a step, as far as no other test of this
// folder covers them: resume.test.ts dies at every append and cuts after every entry, journal.test.ts
// fails each append, suspended-run.test.ts and fork-run.test.ts cover waits and forks.

type PerformedRun = Run<readonly Observation[], Performed>

/** Every prefix of a journal, as another process may find it. */
const cuts = (entries: readonly Entry[]): readonly (readonly Entry[])[] =>
  entries.map((_, index) => entries.slice(0, index + 1))

const outcomesOf = (seen: Observation | undefined): readonly ToolOutcome[] =>
  seen?.type === 'tools-called' ? seen.outcomes : []

describe('before the append', () => {
  test('unrecorded work is repeated: a model call is charged twice, a read made twice, an idempotent call has the same key', async () => {
    const [keys, reads]: [string[], string[]] = [[], []]
    const put = tool('put', (_, { key }) => keys.push(key), { does: 'idempotent' })
    const read = tool('read', (_, { key }) => reads.push(key))
    const journal = new KeptJournal()
    const there = (): Services =>
      world({
        journal,
        tools: [put, read],
        models: { small: asBound(scriptedModel(['a', 'b'])) },
        limits: { tokens: 10_000 },
      }).services
    const steps = [generate(), callTools([['put'], ['read']])]
    await startRun(performing(steps), 'go', there(), { runId: 'r' }).result
    const entries = journal.read('r')
    const opened = entries.findIndex(({ type }) => type === 'opened')
    const again: PerformedRun = resumeRun(performing(steps), entries.slice(0, opened + 1), {
      services: there(),
    })
    await again.result
    assert.equal(again.spent['calls.small'], 2)
    assert.deepEqual(keys, ['r:1:0', 'r:1:0'])
    assert.deepEqual(reads, ['r:1:1', 'r:1:1'])
  })
})

describe('after the outcome and before the step is closed', () => {
  test('settled calls keep their outcome, and the other calls of the batch run', async () => {
    const ran: string[] = []
    const act = tool('act', ({ on }) => ran.push(String(on)), { does: 'acts' })
    const journal = new KeptJournal()
    const { services } = world({ journal, tools: [act] })
    const steps = [
      callTools([
        ['act', { on: 1 }],
        ['act', { on: 2 }],
        ['act', { on: 3 }],
      ]),
    ]
    await startRun(performing(steps), 'go', services, { runId: 'r' }).result
    const entries = journal.read('r')
    for (const [index, entry] of entries.entries()) {
      if (entry.type !== 'settled') continue
      const others = world({ journal: new KeptJournal(), tools: [act] }).services
      const before = ran.length
      const kept = entries.slice(0, index + 1)
      const { result } = await resumeRun(performing(steps), kept, { services: others }).result
      assert.equal(ran.length - before, 2 - entry.call)
      assert.ok(outcomesOf(result[0]).every(({ type }) => type === 'ok'))
    }
  })
})

describe('a batch that its budget allows in part', () => {
  /** Two concurrent calls with budget for one, and the journals that a process may find. */
  async function broken(names: readonly ('act' | 'read')[]) {
    const journal = new KeptJournal()
    const ran: string[] = []
    const there = (kept: Journal): Services =>
      world({
        journal: kept,
        tools: [
          tool('act', () => ran.push('act'), { does: 'acts' }),
          tool('read', () => ran.push('read')),
        ],
        limits: { tools: 1 },
      }).services
    const calls = names.map((name): readonly [string] => [name])
    const steps = [callTools(calls, { atOnce: 2 })]
    await startRun(performing(steps), 'go', there(journal), { runId: 'r' }).result
    return { ran, there, steps, entries: journal.read('r') }
  }

  test('does not record a refused act as started, so that it does not look done later', async () => {
    const { ran, entries } = await broken(['read', 'act'])
    assert.deepEqual(ran, ['read'])
    assert.ok(entries.every(({ type }) => type !== 'intended'))
  })

  for (const names of [['read', 'act'] as const, ['act', 'read'] as const]) {
    test(`stays within its budget after a crash at any moment: ${names.join(', ')}`, async () => {
      const { there, steps, entries } = await broken(names)
      for (const kept of cuts(entries)) {
        const again: PerformedRun = resumeRun(performing(steps), kept, {
          services: there(new KeptJournal()),
        })
        const { result } = await again.result
        assert.equal(again.spent['tools'], 1)
        const types = outcomesOf(result[0]).map(({ type }) => type)
        assert.equal(types.filter((type) => type === 'refused').length, 1, types.join())
      }
    })
  }
})

describe('after the step is closed', () => {
  test('notes are emitted before that, so that none is lost, and with the same ids if the step is repeated', async () => {
    const noting: AgentDefinition<Json, Performed, readonly Observation[]> = {
      ...performing([callTools([['read']]), callTools([['read']]), callTools([['read']])]),
      observe(state, seen, meter) {
        const moved = performing([]).observe(state, seen, meter)
        const next = seen.type === 'canceled' ? 3 : state.next + 1
        return {
          state: { ...moved.state, next },
          notes: [{ stage: 'learned', data: { step: state.next } }],
        }
      },
    }
    const told = (events: readonly { readonly type: string }[]): readonly string[] =>
      events.flatMap((event) => ('id' in event ? [String(event.id)] : []))
    const journal = new KeptJournal()
    const first = world({ journal, tools: [tool('read', () => 1)] })
    await startRun(noting, 'go', first.services, { runId: 'r' }).result
    const whole = told(first.events)
    assert.deepEqual(whole, ['r:0.0', 'r:1.0', 'r:2.0'])
    for (const kept of cuts(journal.read('r'))) {
      if (kept.some(({ type }) => type === 'ended')) continue
      const next = world({ journal: new KeptJournal(), tools: [tool('read', () => 1)] })
      await resumeRun(noting, kept, { services: next.services }).result
      const closed = kept.filter(({ type }) => type === 'closed').length
      assert.deepEqual(told(next.events), whole.slice(closed))
    }
  })
})

describe('while it waits', () => {
  test('a reply given to another call than the waiting one does not count', async () => {
    let acts = 0
    const pay = { ...tool('act', () => ++acts, { does: 'acts' }), needsApproval: true }
    const journal = new KeptJournal()
    const { services, clock } = world({ journal, tools: [pay], suspend: { afterMs: 10 } })
    const run = startRun(performing([callTools([['act', { euro: 5 }]])]), 'go', services, {
      runId: 'r',
    })
    await settled()
    await clock.advance(10)
    await assert.rejects(run.result, { code: 'RUN_SUSPENDED' })
    journal.put('r', { type: 'replied', request: 'r:0.0', reply: 'once', at: 1 })
    // The step is open, so no digest shows that another program requests another call.
    const other = performing([callTools([['act', { euro: 5000 }]])])
    const again: PerformedRun = resumeRun(other, journal.read('r'), { services })
    await settled()
    assert.equal(acts, 0)
    assert.equal(again.requests.length, 1)
    assert.notEqual(again.requests[0], 'r:0.0')
    again.cancel()
    await again.result
    assert.equal(acts, 0)
  })
})

describe('a time limit or a cancel in the middle of an act', () => {
  test('an act that took too long is recorded as unknown and not repeated', async () => {
    let begun = 0
    const act = tool(
      'act',
      () => {
        begun++
        return new Promise<Json>(() => undefined)
      },
      { does: 'acts', timeoutMs: 50 },
    )
    const journal = new KeptJournal()
    const { services, clock } = world({ journal, tools: [act] })
    const steps = [callTools([['act']]), callTools([['none']])]
    const run = startRun(performing(steps), 'go', services, { runId: 'r' })
    await settled()
    await clock.advance(50)
    assert.equal(outcomesOf((await run.result).result[0])[0]?.type, 'unknown')
    for (const kept of cuts(journal.read('r'))) {
      if (!kept.some(({ type }) => type === 'intended')) continue
      const others = world({ journal: new KeptJournal(), tools: [act] }).services
      const { result } = await resumeRun(performing(steps), kept, { services: others }).result
      assert.equal(outcomesOf(result[0])[0]?.type, 'unknown')
    }
    assert.equal(begun, 1)
  })

  test('[DD-22] the outcome of an act is recorded even if the run was canceled meanwhile', async () => {
    const journal = new KeptJournal()
    const runs: PerformedRun[] = []
    const act = tool(
      'act',
      () => {
        runs[0]?.cancel()
        return 'done'
      },
      { does: 'acts' },
    )
    const hanging = tool('slow', () => new Promise<Json>(() => undefined), { does: 'acts' })
    const { services } = world({ journal, tools: [act, hanging] })
    const steps = [callTools([['act'], ['slow'], ['act']])]
    runs.push(startRun(performing(steps), 'go', services, { runId: 'r' }))
    await runs[0]?.result
    const entries = journal.read('r')
    const first = entries.find((entry) => entry.type === 'settled')
    assert.ok(first?.type === 'settled')
    assert.deepEqual(first.outcome, { type: 'ok', value: 'done' })
    assert.ok(
      entries.findIndex(({ type }) => type === 'settled') <
        entries.findIndex(({ type }) => type === 'closed'),
    )
    assert.equal(
      entries.filter(({ type }) => type === 'intended').length,
      1,
      'nothing more is begun',
    )
    // A call in flight when the cancel comes.
    const later = new KeptJournal()
    const slow = world({ journal: later, tools: [act, hanging] })
    const canceled = startRun(performing([callTools([['slow']])]), 'go', slow.services, {
      runId: 'r',
    })
    await settled()
    canceled.cancel()
    await canceled.result
    const unknown = later.read('r').find((entry) => entry.type === 'settled')
    assert.equal(unknown?.type === 'settled' && unknown.outcome.type, 'unknown')
  })
})

test('a run with a failed write is left once, and is resumed from its recorded entries', async () => {
  const kept = new KeptJournal()
  const left: string[] = []
  let appends = 0
  const failing: Journal = {
    append(run, entries) {
      if (++appends > 2) throw new Error('the disk is full')
      kept.append(run, entries)
    },
    read: (run) => kept.read(run),
    leave: (_run, how) => void left.push(how.type),
  }
  let acts = 0
  const act = tool('act', () => ++acts, { does: 'acts' })
  const steps = [callTools([['act']]), callTools([['act']])]
  const { services } = world({ journal: failing, tools: [act] })
  const run = startRun(performing(steps), 'go', services, { runId: 'r' })
  await assert.rejects(run.result, { code: 'JOURNAL_FAILED' })
  assert.deepEqual(left, ['over'])
  assert.equal(acts, 1)
  const others = world({ journal: kept, tools: [act] }).services
  assert.equal(
    (await resumeRun(performing(steps), kept.read('r'), { services: others }).result).status,
    'finished',
  )
  assert.equal(acts, 2)
})
