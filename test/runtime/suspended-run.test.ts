import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { AgentDefinition } from '../../packages/echelon/src/core/agent/agent.ts'
import { EchelonError } from '../../packages/echelon/src/core/value/error.ts'
import type { RunEvent } from '../../packages/echelon/src/core/agent/event.ts'
import type { Json } from '../../packages/echelon/src/core/value/json.ts'
import type { Pipeline } from '../../packages/echelon/src/core/extension/middleware.ts'
import type { Observation } from '../../packages/echelon/src/core/agent/observation.ts'
import type { Tool } from '../../packages/echelon/src/core/tool/tool.ts'
import { resumeRun } from '../../packages/echelon/src/runtime/resume.ts'
import { type Run, startRun } from '../../packages/echelon/src/runtime/run.ts'
import type { Services } from '../../packages/echelon/src/runtime/services.ts'
import { ToolRegistry } from '../../packages/echelon/src/runtime/tools/tool-registry.ts'
import { asBound, scriptedModel } from '../../packages/echelon/src/testing/scripted-model.ts'
import type { SetClock } from '../../packages/echelon/src/testing/set-clock.ts'
import { KeptJournal } from './kept-journal.ts'
import {
  ask,
  callTools,
  endOf,
  generate,
  only,
  type Performed,
  performing,
  settled,
  sleepOn,
  type Step,
  tool,
  world,
  type World,
} from './kit.ts'

const DAY = 86_400_000
const AFTER = { suspend: { afterMs: 1000 } }

type PerformedRun = Run<readonly Observation[], Performed>

interface Kept {
  readonly journal: KeptJournal
  readonly at: World
}

function kept(more: Partial<Services> & { readonly tools?: never } = {}, tools: Tool[] = []): Kept {
  const journal = new KeptJournal()
  return { journal, at: world({ journal, ...AFTER, ...more, tools }) }
}

const begin = (steps: readonly Step[], { at }: Kept): PerformedRun =>
  startRun(performing(steps), 'go', at.services, { runId: 'r' })

/** Another process resumes. */
function resumed(
  steps: readonly Step[],
  { journal, at }: Kept,
  services: Services = at.services,
): PerformedRun {
  return resumeRun(performing(steps), journal.read('r'), { services })
}

const isSuspended = (error: unknown): boolean =>
  error instanceof EchelonError && error.code === 'RUN_SUSPENDED'

/** How it was suspended. */
async function leftBy(run: PerformedRun, clock: SetClock): Promise<EchelonError> {
  await settled()
  await clock.advance(1000)
  await settled()
  assert.ok(endOf(run) !== undefined)
  const error: unknown = await run.result.then(
    () => assert.fail('the run ended'),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof EchelonError && isSuspended(error), String(error))
  return error
}

function requestOf({ details }: EchelonError): string {
  const request = only([details['requests']].flat())
  assert.ok(typeof request === 'string')
  return request
}

const approved = (name: string, run: () => Json, more: Parameters<typeof tool>[2] = {}): Tool => ({
  ...tool(name, run, more),
  needsApproval: true,
})

describe('a run that only waits for a person', () => {
  test('is suspended after its time, names its request, and continues with the recorded answer', async () => {
    const there = kept()
    const { journal, at } = there
    const steps = [ask('go on?'), ask('sure?')]
    const run = begin(steps, there)
    const error = await leftBy(run, at.clock)
    assert.match(error.message, /run r is suspended and waits for an answer to r:0;/)
    assert.deepEqual(error.details, { run: 'r', requests: ['r:0'], wakeAt: null })
    assert.deepEqual(at.events.at(-1), { type: 'run-suspended', requests: ['r:0'], wakeAt: null })
    assert.deepEqual(journal.left, [{ run: 'r', how: { type: 'suspended' } }])
    assert.deepEqual(journal.types('r'), ['started', 'requested'])
    assert.equal(at.clock.pending, 0, 'no timer is left')
    assert.deepEqual(journal.followed, [])

    await at.clock.advance(30 * DAY)
    journal.put('r', { type: 'replied', request: 'r:0', reply: 'yes', at: 1, by: 'ada' })
    const again = resumed(steps, there)
    await settled()
    assert.deepEqual(again.requests, ['r:1'])
    again.respond('r:1', true)
    assert.deepEqual((await again.result).result, [
      { type: 'answered', reply: 'yes' },
      { type: 'answered', reply: true },
    ])
    assert.equal(at.events.filter(({ type }) => type === 'run-end').length, 1)
    assert.equal(journal.left.length, 2)
  })

  test('waits in its process by default, and always without a journal', async () => {
    for (const more of [{ journal: new KeptJournal() }, AFTER]) {
      const { services, clock } = world(more)
      const run: PerformedRun = startRun(performing([ask('go on?')]), 'go', services)
      await settled()
      await clock.advance(365 * DAY)
      run.respond(only(run.requests), true)
      assert.equal((await run.result).status, 'finished')
    }
  })

  test('that may be suspended gives no warning about a question without a listener', async () => {
    for (const [more, warnings] of [
      [AFTER, 0],
      [{}, 1],
    ] as const) {
      const heard: string[] = []
      const unheard = (warning: string): void => void heard.push(warning)
      const journal = new KeptJournal()
      const { services } = world({ journal, ...more, unheard, quiet: true })
      const run = startRun(performing([ask('go on?')]), 'go', services)
      await settled()
      assert.equal(heard.length, warnings)
      run.respond(only(run.requests), true)
      await run.result
    }
  })

  test('is not suspended if the answer comes first, also from another process', async () => {
    const there = kept()
    const { journal, at } = there
    const run = begin([ask('go on?'), ask('sure?')], there)
    await settled()
    await at.clock.advance(900)
    journal.put('r', { type: 'replied', request: 'r:0', reply: 'yes', at: 1 })
    await settled()
    assert.deepEqual(run.requests, ['r:1'])
    assert.equal(at.clock.pending, 1, 'its time begins anew')
    run.respond('r:1', 'ok')
    assert.equal((await run.result).status, 'finished')
    const replies = journal.read('r').filter(({ type }) => type === 'replied')
    assert.equal(replies.length, 2, 'what is on record is not recorded again')
    assert.equal(at.clock.pending, 0)
  })

  test('is not suspended while other work is in flight', async () => {
    const there = kept({}, [])
    const { at } = there
    const slow = scriptedModel([{ text: 'late', delayMs: 5000 }], sleepOn(at.clock))
    const read = tool('read', async () => 1)
    const services = {
      ...at.services,
      models: { small: asBound(slow) },
      tools: new ToolRegistry([approved('act', () => 'done', { does: 'acts' }), read]),
    }
    const steps: readonly Step[] = [
      { type: 'together', effects: [generate(), callTools([['act']])] },
    ]
    const run: PerformedRun = startRun(performing(steps), 'go', services, { runId: 'r' })
    const end = endOf(run)
    await settled()
    await at.clock.advance(4999)
    assert.equal(end.over, false)
    await at.clock.advance(1)
    await at.clock.advance(999)
    assert.equal(end.over, false, 'its time begins when the work ends')
    await at.clock.advance(1000)
    await settled()
    assert.equal(end.over, true)
    await assert.rejects(run.result, isSuspended)
  })

  test('expires at the recorded time, and a question that has expired meanwhile is unanswered', async () => {
    const there = kept()
    const { journal, at } = there
    const begun = at.clock.now()
    const steps = [ask('go on?', { expiresInMs: DAY })]
    const error = await leftBy(begin(steps, there), at.clock)
    assert.equal(error.details['wakeAt'], begun + DAY)
    assert.match(error.message, /or 2025-09-09T00:00:00/)
    assert.deepEqual(journal.left.at(-1)?.how, { type: 'suspended', wakeAt: begun + DAY })
    const requested = journal.read('r').find(({ type }) => type === 'requested')
    assert.equal(requested?.type === 'requested' && requested.until, begun + DAY)
    await at.clock.advance(DAY)
    const again = resumed(steps, there)
    await settled()
    await at.clock.advance(0)
    assert.deepEqual((await again.result).result, [{ type: 'unanswered' }])
  })

  test('can be suspended while it sleeps, and wakes at once when its time has come', async () => {
    const there = kept()
    const { journal, at } = there
    const untilMs = at.clock.now() + 10 * DAY
    const steps: readonly Step[] = [{ type: 'sleep', actor: 'all', untilMs }]
    const error = await leftBy(begin(steps, there), at.clock)
    assert.deepEqual(error.details, { run: 'r', requests: [], wakeAt: untilMs })
    await at.clock.advance(5 * DAY)
    await leftBy(resumed(steps, there), at.clock)
    assert.deepEqual(
      journal.left.map(({ how }) => how),
      [
        { type: 'suspended', wakeAt: untilMs },
        { type: 'suspended', wakeAt: untilMs },
      ],
    )
    await at.clock.advance(5 * DAY)
    const again = resumed(steps, there)
    await settled()
    await at.clock.advance(0)
    assert.deepEqual((await again.result).result, [{ type: 'woke' }])
  })

  test('an invalid time is refused before the run begins', () => {
    for (const afterMs of [-1, Number.NaN]) {
      const there = kept({ suspend: { afterMs } })
      assert.throws(() => begin([ask('?')], there), { code: 'INVALID_CONFIG' })
    }
  })
})

describe('an approval', () => {
  test('suspends the run; finished calls of its batch are done once', async () => {
    let acts = 0
    let reads = 0
    const tools = [
      tool('act', () => ++acts, { does: 'acts' }),
      tool('read', () => ++reads),
      approved('put', () => 'put', { does: 'acts' }),
    ]
    const there = kept({}, tools)
    const { journal, at } = there
    const steps = [callTools([['act'], ['read'], ['put']])]
    const error = await leftBy(begin(steps, there), at.clock)
    const request = requestOf(error)
    assert.equal(acts, 1)
    journal.put('r', { type: 'replied', request, reply: 'once', at: 1 })
    const { result } = await resumed(steps, there).result
    assert.deepEqual(result, [
      {
        type: 'tools-called',
        outcomes: [1, 1, 'put'].map((value) => ({ type: 'ok', value })),
      },
    ])
    assert.deepEqual([acts, reads], [1, 1])
  })

  test('two of one batch are asked one by one, over as many processes', async () => {
    const there = kept({}, [approved('act', () => 'a', { does: 'acts' })])
    const { journal, at } = there
    const steps = [callTools([['act'], ['act']])]
    let run = begin(steps, there)
    for (let asked = 0; asked < 2; asked++) {
      const request = requestOf(await leftBy(run, at.clock))
      assert.match(request, new RegExp(`^r:0\\.${asked}`))
      journal.put('r', { type: 'replied', request, reply: 'once', at: 1 })
      run = resumed(steps, there)
    }
    const seen = only((await run.result).result)
    assert.ok(seen.type === 'tools-called')
    assert.deepEqual(
      seen.outcomes.map(({ type }) => type),
      ['ok', 'ok'],
    )
  })
})

test('a question within a call prevents suspension, since the call would be repeated', async () => {
  let begun = 0
  const asking = tool('act', async (_, { ask: put }) => {
    begun++
    return (await put?.('which?')) ?? 'none'
  })
  const there = kept({}, [asking])
  const run = begin([callTools([['act']]), ask('and now?')], there)
  const end = endOf(run)
  run.suspend()
  await settled()
  // Suspension was requested before its first step, when nothing was in flight.
  await assert.rejects(run.result, isSuspended)
  const again = resumed([callTools([['act']]), ask('and now?')], there)
  const over = endOf(again)
  await settled()
  again.suspend()
  await there.at.clock.advance(DAY)
  assert.equal(over.over, false)
  again.respond(only(again.requests), 'this')
  await settled()
  await assert.rejects(again.result, isSuspended)
  assert.equal(begun, 1)
  assert.ok(end.over)
})

test('middleware around the turn sees the suspension and cannot change it', async () => {
  const seen: unknown[] = []
  const pipeline = (swallows: boolean): Pipeline => ({
    streams: [],
    replaces: new Set(),
    slots: [],
    turn: async (turn, next) => {
      try {
        return await next(turn)
      } catch (error) {
        seen.push(error)
        if (swallows) return { status: 'finished', reason: 'fine', text: 'fine' }
        throw error
      }
    },
  })
  for (const swallows of [false, true]) {
    const there = kept({ pipeline: pipeline(swallows) })
    const definition: AgentDefinition<Json, Performed, readonly Observation[]> = {
      ...performing([ask('go on?')]),
      turns: {
        messagesOf: () => [],
        withMessages: (input) => input,
        textOf: () => '',
        withText: (result) => result,
      },
    }
    const run = startRun(definition, 'go', there.at.services, { runId: 'r' })
    await leftBy(run, there.at.clock)
    assert.deepEqual(there.journal.types('r'), ['started', 'requested'])
  }
  assert.equal(seen.length, 2)
  assert.ok(seen.every(isSuspended))
})

describe('suspend', () => {
  test('works between two steps: finished work is recorded, and the run continues when resumed', async () => {
    let reads = 0
    let first: PerformedRun | undefined
    const read = tool('read', () => {
      first?.suspend()
      return ++reads
    })
    const there = kept({ suspend: { afterMs: Infinity } }, [read])
    const { journal, at } = there
    const steps = [callTools([['read']]), callTools([['read']])]
    const run = begin(steps, there)
    first = run
    const events: RunEvent['type'][] = []
    await assert.rejects(async () => {
      for await (const { type } of run) events.push(type)
    }, isSuspended)
    first = undefined
    assert.equal(events.at(-1), 'run-suspended')
    assert.deepEqual(journal.types('r'), ['started', 'closed'])
    assert.deepEqual(only(journal.left).how, { type: 'suspended', wakeAt: at.clock.now() })
    assert.equal((await resumed(steps, there).result).result.length, 2)
    assert.equal(reads, 2)
  })

  test('ends a wait at once', async () => {
    const there = kept()
    const run = begin([ask('go on?')], there)
    await settled()
    run.suspend()
    await there.at.clock.advance(0)
    await assert.rejects(run.result, isSuspended)
  })

  test('loses no user input: it is delivered first', async () => {
    const there = kept()
    const run = begin([ask('go on?'), ask('and?')], there)
    await settled()
    run.hear('wait')
    run.suspend()
    await there.at.clock.advance(5000)
    run.respond('r:0', 1)
    await settled()
    await there.at.clock.advance(5000)
    await assert.rejects(run.result, isSuspended)
    assert.match(JSON.stringify(there.journal.read('r')), /"heard","text":"wait"/)
  })

  test('needs a journal', async () => {
    const { services } = world()
    const run = startRun(performing([ask('go on?')]), 'go', services)
    await settled()
    assert.throws(() => run.suspend(), { code: 'INVALID_CONFIG' })
    run.cancel()
    await run.result
  })
})

describe('entries that others record', () => {
  test('a request to cancel stops a running run, also one that waits', async () => {
    const there = kept()
    const { journal } = there
    const run = begin([ask('go on?')], there)
    await settled()
    journal.put('r', { type: 'cancel-asked', by: 'shutdown', at: 1 })
    const { status, result } = await run.result
    assert.equal(status, 'canceled')
    assert.deepEqual(result, [{ type: 'canceled', by: 'shutdown' }])
    assert.deepEqual(only(journal.left).how, { type: 'over' })
    assert.equal(journal.types('r').filter((type) => type === 'ended').length, 1)
  })

  test('a suspended run is canceled when it is resumed: open attempts are charged, one end is emitted', async () => {
    const there = kept()
    const { journal, at } = there
    await leftBy(begin([ask('go on?')], there), at.clock)
    const hold = { type: 'opened', path: '', seq: 0, hold: { tokens: 7 } } as const
    journal.append('r', [hold])
    journal.put('r', { type: 'cancel-asked', by: 'user', at: 1 })
    const run = resumed([ask('go on?')], there)
    assert.equal((await run.result).status, 'canceled')
    assert.equal(run.spent['tokens'], 7)
    assert.equal(at.events.filter(({ type }) => type === 'run-end').length, 1)
    const types = journal.types('r')
    assert.deepEqual(types.slice(-3), ['resumed', 'closed', 'ended'])
  })

  test('an act finished before the request is reported, and one in flight may have been done', async () => {
    const acted = { does: 'acts' } as const
    const there = kept({}, [tool('act', () => 'acted', acted), approved('put', () => 1, acted)])
    const { journal, at } = there
    const steps = [callTools([['act'], ['put'], ['put']])]
    await leftBy(begin(steps, there), at.clock)
    journal.append('r', [{ type: 'intended', path: '', seq: 0, call: 2, key: 'r:0:2' }])
    journal.put('r', { type: 'cancel-asked', by: 'user', at: 1 })
    const { status, result } = await resumed(steps, there).result
    assert.equal(status, 'canceled')
    const [seen] = result
    assert.ok(seen?.type === 'tools-called')
    assert.deepEqual(
      seen.outcomes.map(({ type }) => type),
      ['ok', 'error', 'unknown'],
    )
  })

  test('the first answer counts, from any process', async () => {
    const there = kept()
    const { journal, at } = there
    await leftBy(begin([ask('go on?')], there), at.clock)
    journal.put('r', { type: 'replied', request: 'r:0', reply: 'first', at: 1 })
    journal.put('r', { type: 'replied', request: 'r:0', reply: 'second', at: 2 })
    const { result } = await resumed([ask('go on?')], there).result
    assert.deepEqual(result, [{ type: 'answered', reply: 'first' }])
  })
})

describe('the seams of a journal', () => {
  test('`made` is recorded, and a resume records how much it had read', async () => {
    const there = kept()
    const { journal, at } = there
    const made = { command: 'chat', model: 'p/m' }
    const run = startRun(performing([ask('go on?')]), 'go', at.services, { runId: 'r', made })
    await leftBy(run, at.clock)
    const [started] = journal.read('r')
    assert.ok(started?.type === 'started')
    assert.deepEqual(started.made, made)
    const again = resumed([ask('go on?')], there)
    await settled()
    const taken = journal.read('r').find(({ type }) => type === 'resumed')
    assert.equal(taken?.type === 'resumed' && taken.after, 2)
    again.cancel()
    await again.result
  })

  test('the session change goes with the append that ends the turn', async () => {
    const { journal, at } = kept()
    const { Thread } = await import('../../packages/echelon/src/core/message/thread.ts')
    const change = (at: number) => ({
      id: 's',
      agent: 'performing',
      from: 0,
      keep: 0,
      messages: [],
      states: { states: {}, schemaSignature: '', schemaVersion: 1, stateVersions: {} } as const,
      continues: null,
      at,
    })
    const session = {
      id: 's',
      history: Thread.of([]),
      keep: (_state: unknown, end: { readonly at: number }) => change(end.at),
    }
    const steps = performing([])
    await startRun(steps, 'go', at.services, { runId: 'r', session }).result
    assert.equal(only(journal.sessions).id, 's')
    assert.equal(journal.appends.length, 1)
    // An ended turn is there already.
    await resumeRun(steps, journal.read('r'), { services: at.services, session }).result
    assert.equal(journal.sessions.length, 1)
  })

  test('a run is left once, however it ends, and never if it was not recorded', async () => {
    const failing = { ...performing([ask('?')]), next: () => assert.fail('a mistake') }
    const { journal, at } = kept()
    await assert.rejects(startRun(failing, 'go', at.services, { runId: 'r' }).result)
    assert.deepEqual(journal.left, [])
    const denied: Pipeline = {
      streams: [],
      replaces: new Set(),
      slots: [],
      permit: async () => ({ type: 'deny', reason: 'no' }),
    }
    const barred = startRun(performing([]), 'go', { ...at.services, pipeline: denied })
    await assert.rejects(barred.result, { code: 'NOT_PERMITTED' })
    assert.deepEqual(journal.left, [])
    const later = {
      ...performing([callTools([['none']])]),
      observe: () => assert.fail('a mistake'),
    }
    await assert.rejects(startRun(later, 'go', at.services, { runId: 'x' }).result)
    assert.ok(journal.left.length <= 1)
  })

  test('a store that fails in follow or leave fails no run', async () => {
    const journal = new KeptJournal()
    const broken = Object.assign(journal, {
      follow: () => assert.fail('nobody follows'),
      leave: () => assert.fail('nobody leaves'),
    })
    const { services } = world({ journal: broken })
    assert.equal((await startRun(performing([]), 'go', services).result).status, 'finished')
  })

  test('a run that another process works on reports it', async () => {
    const journal = new KeptJournal()
    const busy = new EchelonError('RUN_BUSY', 'another process works on it')
    journal.append = () => {
      throw busy
    }
    const { services } = world({ journal })
    await assert.rejects(startRun(performing([]), 'go', services).result, busy)
    assert.deepEqual(journal.left, [], 'it is not ours to leave')
  })
})
