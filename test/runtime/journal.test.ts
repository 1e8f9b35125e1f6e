import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Listener } from '../../packages/echelon/src/core/agent/event.ts'
import type { Entry, Journal } from '../../packages/echelon/src/core/journal/journal.ts'
import type { Tool } from '../../packages/echelon/src/core/tool/tool.ts'
import { startRun } from '../../packages/echelon/src/runtime/run.ts'
import {
  apiError,
  asBound,
  scriptedModel,
} from '../../packages/echelon/src/testing/scripted-model.ts'
import {
  ask,
  callTools,
  generate,
  performing,
  say,
  settled,
  TextJournal,
  toEnd,
  tool,
  world,
} from './kit.ts'

const act = tool('act', () => 'acted', { does: 'acts' })
const add = tool('add', () => 1)

/** Each append as the types of its entries, with their steps. */
const shape = (journal: TextJournal): string[] =>
  journal.appends.map((text) => {
    const entries: Entry[] = JSON.parse(text)
    return entries.map((entry) => entry.type + ('seq' in entry ? ` ${entry.seq}` : '')).join(', ')
  })

test('the end of a step shares its append with the start of the next: one write for a model step', async () => {
  const journal = new TextJournal()
  const script = ['1', { error: apiError(503) }, '2', '3']
  const { services, clock } = world({
    journal,
    tools: [act, add],
    models: { small: asBound(scriptedModel(script)) },
  })
  const steps = [
    generate(),
    generate(),
    callTools([['act'], ['add']]),
    say('a'),
    ask('b?'),
    generate(),
  ]
  const run = startRun(performing(steps), { n: 1 }, services, { runId: 'r', seed: 7 })
  const ended = toEnd(run, clock)
  while (run.requests.length === 0) await settled()
  run.respond('r:4', 'yes')
  await ended
  assert.deepEqual(shape(journal), [
    'started, opened 0',
    'closed 0, opened 1',
    'opened 1',
    'closed 1',
    'intended 2',
    'settled 2',
    'closed 2',
    'closed 3, requested 4',
    'replied, closed 4, opened 5',
    'closed 5, ended',
  ])
  const [started] = journal.read()
  assert.deepEqual(started, {
    type: 'started',
    path: '',
    runId: 'r',
    agent: 'performing',
    version: 1,
    input: { n: 1 },
    at: Date.UTC(2025, 8, 8),
    seed: 7,
    timeZone: 'UTC',
    models: { small: 'scripted/scripted' },
    limits: {},
  })
})

test('spending is recorded with its step', async () => {
  const journal = new TextJournal()
  const { services, clock } = world({ journal, tools: [add] })
  const run = startRun(
    performing([callTools([['add']]), say(''), callTools([['add']])]),
    null,
    services,
  )
  await toEnd(run, clock)
  const spent = journal.read().flatMap((entry) => (entry.type === 'closed' ? [entry.spent] : []))
  assert.deepEqual(spent, [
    { steps: 1, tools: 1, seconds: 0 },
    { steps: 2 },
    { steps: 3, tools: 2 },
  ])
})

test('text is shown only after all earlier entries are recorded', async () => {
  const journal = new TextJournal()
  const atSaying: number[] = []
  const made = world({ journal })
  const hear: Listener['hear'] = ({ type }) => {
    if (type === 'said') atSaying.push(journal.read().length)
  }
  await toEnd(
    startRun(performing([say('a'), say('b')]), null, { ...made.services, listeners: [{ hear }] }),
    made.clock,
  )
  assert.deepEqual(atSaying, [1, 2])
})

/** Succeeds for so many appends, then fails permanently. */
class FailingJournal implements Journal {
  readonly kept = new TextJournal()
  #left: number

  constructor(appends: number) {
    this.#left = appends
  }

  async append(runId: string, entries: readonly Entry[]): Promise<void> {
    await Promise.resolve()
    if (this.#left-- <= 0) throw new Error('disk full')
    this.kept.append(runId, entries)
  }

  read(): readonly Entry[] {
    return this.kept.read()
  }
}

test('a failed append ends the run before any further effect, wherever it happens', async () => {
  const steps = [
    generate(),
    callTools([['act'], ['add'], ['act']]),
    say('a'),
    generate(),
    callTools([['act']]),
  ]
  const complete = { appends: 0 }
  for (let appends = 0; ; appends++) {
    const done: string[] = []
    const note = (name: string, does: Tool['does']): Tool =>
      tool(
        name,
        () => {
          done.push(`${name} after ${journal.kept.appends.length}`)
          return null
        },
        { does },
      )
    const journal = new FailingJournal(appends)
    const model = scriptedModel(['1', '2'])
    const { services, clock, events } = world({
      journal,
      tools: [note('act', 'acts'), note('add', 'reads')],
      models: { small: asBound(model) },
    })
    const run = startRun(performing(steps), null, services)
    const outcome = await toEnd(run, clock).then(
      () => 'finished',
      (error: unknown) => error,
    )
    if (outcome === 'finished') {
      complete.appends = appends
      break
    }
    assert.ok(outcome instanceof Error && 'code' in outcome)
    assert.equal(outcome.code, 'JOURNAL_FAILED')
    assert.match(outcome.message, /disk full/)
    const before = [...done, model.calls.length, events.length]
    await settled()
    assert.deepEqual([...done, model.calls.length, events.length], before)
    assert.ok(!events.some(({ type }) => type === 'run-end'))
    const intents = journal.read().filter(({ type }) => type === 'intended').length
    assert.ok(
      done.filter((one) => one.startsWith('act')).length <= intents,
      'no act without its intent',
    )
    assert.equal(clock.pending, 0)
    await assert.rejects(
      async () => {
        for await (const event of run) assert.fail(event.type)
      },
      { code: 'JOURNAL_FAILED' },
    )
  }
  assert.ok(complete.appends >= 10, 'every append was tried')
})

test('a failed append stops parallel work: no other tool starts, and none is awaited', async () => {
  const log: string[] = []
  const read = tool('read', async (input) => {
    log.push(`read ${String(input['n'])}`)
    return null
  })
  const slow = tool(
    'slow',
    (_input, { signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          log.push('slow is stopped')
          resolve(null)
        })
      }),
  )
  const journal = new FailingJournal(1)
  const { services, clock } = world({ journal, tools: [{ ...act, parallel: true }, read, slow] })
  const batch = callTools([['slow'], ['act'], ['read', { n: 1 }], ['read', { n: 2 }]], {
    atOnce: 2,
  })
  const run = startRun(performing([batch]), null, services)
  await assert.rejects(run.result, { code: 'JOURNAL_FAILED' })
  await settled()
  assert.deepEqual(log, ['slow is stopped'])
  assert.equal(clock.pending, 0)
})
