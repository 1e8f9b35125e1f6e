import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import * as fc from 'fast-check'
import { z } from 'zod'
import type { AgentDefinition } from '../../packages/echelon/src/core/agent/agent.ts'
import type { Entry, Journal } from '../../packages/echelon/src/core/journal/journal.ts'
import type { Json } from '../../packages/echelon/src/core/value/json.ts'
import type { Observation } from '../../packages/echelon/src/core/agent/observation.ts'
import { seededRandom } from '../../packages/echelon/src/core/value/random.ts'
import { Thread, userMessage } from '../../packages/echelon/src/core/message/thread.ts'
import {
  defineTool,
  type Tool,
  type ToolOutcome,
} from '../../packages/echelon/src/core/tool/tool.ts'
import { replayRun } from '../../packages/echelon/src/runtime/journal/replay.ts'
import { resumeRun } from '../../packages/echelon/src/runtime/resume.ts'
import { type Run, startRun } from '../../packages/echelon/src/runtime/run.ts'
import type { Services } from '../../packages/echelon/src/runtime/services.ts'
import {
  apiError,
  asBound,
  scriptedModel,
  type ScriptedFailure,
  type ScriptedReply,
} from '../../packages/echelon/src/testing/scripted-model.ts'
import {
  ask,
  callTools,
  endOf,
  generate,
  only,
  type Performed,
  performing,
  say,
  settled,
  type Step,
  TextJournal,
  toEnd,
  tool,
  world,
  type World,
} from './kit.ts'

type PerformedRun = Run<readonly Observation[], Performed>

/** The outside world, which outlives every process and counts its changes. */
class Outside {
  readonly acts = new Map<string, number>()
  readonly puts = new Set<string>()
  asked = 0

  readonly tools: readonly Tool[] = [
    tool(
      'act',
      (input, { key }) => {
        this.acts.set(key, (this.acts.get(key) ?? 0) + 1)
        return `acted on ${String(input['on'])}`
      },
      {
        does: 'acts',
        reconcile: async (key, input) =>
          this.acts.has(key)
            ? { type: 'ok', value: `acted on ${String(input['on'])}` }
            : 'not-done',
      },
    ),
    tool(
      'put',
      (input, { key }) => {
        this.puts.add(key)
        return `put ${String(input['what'])}`
      },
      { does: 'idempotent' },
    ),
    tool('read', (input) => `read ${String(input['what'])}`),
  ]

  /** A model whose answer depends only on its prompt. */
  services(journal: Journal): World {
    const answers = Array.from({ length: 50 }, () => ({ prompt }: { prompt: object }) => {
      this.asked++
      return `answer to ${JSON.stringify(prompt).length}`
    })
    return world({ journal, tools: this.tools, models: { small: asBound(scriptedModel(answers)) } })
  }
}

const textOf = (seen: readonly Observation[]): string =>
  seen.flatMap((one) => (one.type === 'generated' ? [one.text] : [])).join()

/** An agent with many kinds of effects; later steps depend on earlier observations. */
const STEPS: readonly Step[] = [
  generate(),
  (seen) =>
    callTools(
      [
        ['read', { what: textOf(seen) }],
        ['act', { on: 1 }],
        ['act', { on: 2 }],
        ['put', { what: 3 }],
      ],
      { atOnce: 2 },
    ),
  say('working'),
  {
    type: 'together',
    effects: [
      generate(),
      callTools([['act', { on: 4 }]]),
      callTools([
        ['act', { on: 5 }],
        ['read', { what: 6 }],
      ]),
    ],
  },
  ask('go on?'),
  (seen) => generate({ messages: Thread.of([userMessage(JSON.stringify(seen.at(-1)))]) }),
  callTools([
    ['act', { on: 7 }],
    ['put', { what: 8 }],
  ]),
]
const ACTS = 5
const agent = performing(STEPS)

/** A journal that dies with its process: from some append on nothing returns. */
class DyingJournal implements Journal {
  readonly #store: TextJournal
  readonly #last: number
  readonly #writesLast: boolean
  #appends = 0

  constructor(store: TextJournal, last: number, writesLast: boolean) {
    this.#store = store
    this.#last = last
    this.#writesLast = writesLast
  }

  append(runId: string, entries: readonly Entry[]): Promise<void> {
    const number = this.#appends++
    if (number < this.#last || (number === this.#last && this.#writesLast)) {
      this.#store.append(runId, entries)
    }
    return number < this.#last ? Promise.resolve() : new Promise(() => undefined)
  }

  read(): readonly Entry[] {
    return this.#store.read()
  }
}

/** Answers a run's requests until it has ended or stops. */
async function drive(run: PerformedRun, { clock }: World): Promise<void> {
  const end = endOf(run)
  for (let idle = 0; !end.over && idle < 3; idle++) {
    await settled()
    const [request] = run.requests
    if (request === undefined) await clock.advance(250)
    else {
      run.respond(request, 'yes')
      idle = 0
    }
  }
}

/** One process: resumes from the store, as long as its journal lives. */
async function process(
  outside: Outside,
  store: TextJournal,
  death?: { readonly at: number; readonly writes: boolean },
): Promise<PerformedRun> {
  const journal = death === undefined ? store : new DyingJournal(store, death.at, death.writes)
  const made = outside.services(journal)
  const entries = store.read()
  const run =
    entries.length === 0
      ? startRun(agent, { n: 1 }, made.services, { runId: 'r' })
      : resumeRun(agent, entries, { services: made.services })
  await drive(run, made)
  return run
}

async function uninterrupted(): Promise<{
  readonly store: TextJournal
  readonly run: PerformedRun
  readonly outside: Outside
}> {
  const store = new TextJournal()
  const outside = new Outside()
  return { store, outside, run: await process(outside, store) }
}

async function checkSame(outside: Outside, run: PerformedRun, whole: PerformedRun): Promise<void> {
  const [end, expected] = [await run.result, await whole.result]
  assert.deepEqual(end, expected)
  assert.deepEqual(run.state.seen, whole.state.seen)
  assert.deepEqual(
    [...outside.acts.values()],
    Array.from({ length: ACTS }, () => 1),
    'each act once',
  )
  assert.equal(outside.puts.size, 2, 'the same keys')
  assert.ok((run.spent['calls.small'] ?? 0) >= outside.asked, 'no call is forgotten')
  assert.ok(
    (run.spent['tools'] ?? 0) >= (whole.spent['tools'] ?? 0),
    'no tool call of the run is forgotten',
  )
}

test('a run that dies at any append, before or after it is durable, resumes to the same result; each act happens once', async () => {
  const whole = await uninterrupted()
  const { length } = whole.store.appends
  assert.ok(length >= 12)
  for (let at = 0; at < length; at++) {
    for (const writes of [false, true]) {
      const [outside, store] = [new Outside(), new TextJournal()]
      await process(outside, store, { at, writes })
      await checkSame(outside, await process(outside, store), whole.run)
    }
  }
})

test('it may die again and again', async () => {
  const whole = await uninterrupted()
  const random = seededRandom(5)
  for (let round = 0; round < 25; round++) {
    const [outside, store] = [new Outside(), new TextJournal()]
    for (let death = 0; death < 4; death++) {
      await process(outside, store, { at: Math.floor(random() * 6), writes: random() < 0.5 })
    }
    await checkSame(outside, await process(outside, store), whole.run)
  }
})

test('a journal that is cut after any entry resumes to the same result, and nothing acts twice', async () => {
  const { store, run: whole, outside: before } = await uninterrupted()
  const entries = store.read()
  const expected = await whole.result
  for (let length = 1; length <= entries.length; length++) {
    const kept = entries.slice(0, length)
    const outside = new Outside()
    for (const entry of kept) {
      if (entry.type === 'intended' && before.acts.has(entry.key)) outside.acts.set(entry.key, 1)
    }
    const made = outside.services(new TextJournal())
    const run = resumeRun(agent, kept, { services: made.services })
    await drive(run, made)
    assert.deepEqual(await run.result, expected, `cut after ${length} entries`)
    assert.deepEqual(
      [...outside.acts.values()],
      Array.from({ length: ACTS }, () => 1),
    )
  }
})

test('an unknown run is refused', () => {
  assert.throws(() => resumeRun(agent, [], { services: world().services }), {
    code: 'UNKNOWN_RUN',
    message: /holds no run of this id/,
  })
})

// ---- acts ----

interface Acting {
  readonly tool: Tool
  readonly inputs: unknown[]
}

function acting(reconcile?: Tool['reconcile']): Acting {
  const inputs: unknown[] = []
  const input = z.object({ to: z.string(), copies: z.number().default(1) })
  const act = defineTool({
    name: 'act',
    description: '',
    does: 'acts',
    input,
    timeoutMs: 5000,
    run: (given) => {
      inputs.push(given)
      return 'done'
    },
    ...(reconcile === undefined ? {} : { reconcile }),
  })
  return { tool: act, inputs }
}

/** A run that died with the intent of its only act recorded. */
function diedActing(input: Json = { to: 'ann' }): {
  readonly steps: readonly Step[]
  readonly entries: () => Promise<readonly Entry[]>
} {
  const steps = [callTools([['act', input]])]
  return {
    steps,
    async entries() {
      const store = new TextJournal()
      const { services } = world({
        journal: new DyingJournal(store, 1, true),
        tools: [acting().tool],
      })
      startRun(performing(steps), null, services, { runId: 'r' })
      await settled()
      assert.equal(store.read().at(-1)?.type, 'intended')
      return store.read()
    },
  }
}

async function resumeActing(
  given: Acting,
  input?: Json,
): Promise<{ readonly outcome: ToolOutcome; readonly run: PerformedRun }> {
  const { steps, entries } = diedActing(input)
  const { services, clock } = world({ tools: [given.tool] })
  const run = resumeRun(performing(steps), await entries(), { services })
  const called = only((await toEnd(run, clock)).result)
  assert.ok(called.type === 'tools-called')
  assert.equal(clock.pending, 0)
  return { outcome: only(called.outcomes), run }
}

test('an act whose tool cannot tell is unknown, and never repeated', async () => {
  const tellers: readonly (Tool['reconcile'] | undefined)[] = [
    undefined,
    async () => 'unknown',
    () => Promise.reject(new Error('no network')),
    () => new Promise(() => undefined),
  ]
  for (const reconcile of tellers) {
    const given = acting(reconcile)
    const { outcome, run } = await resumeActing(given)
    assert.deepEqual(outcome, {
      type: 'unknown',
      message: 'act was running when the run stopped, and may have acted',
    })
    assert.deepEqual(given.inputs, [])
    assert.equal(run.spent['tools'], 1, 'it may have happened, so it counts')
  }
})

test('a tool reports an act that happened; one that did not is done now', async () => {
  const asked: unknown[] = []
  const done = acting(async (...args) => {
    asked.push(args)
    return { type: 'ok', value: 'was done' }
  })
  const { outcome, run } = await resumeActing(done)
  assert.deepEqual(outcome, { type: 'ok', value: 'was done' })
  assert.deepEqual(
    asked,
    [['r:0:0', { to: 'ann', copies: 1 }]],
    'by its key, with the input it would have had',
  )
  assert.deepEqual(done.inputs, [])
  assert.equal(run.spent['tools'], 1)
  const open = acting(async () => 'not-done')
  assert.deepEqual((await resumeActing(open)).outcome, { type: 'ok', value: 'done' })
  assert.deepEqual(open.inputs, [{ to: 'ann', copies: 1 }])
})

test('an act with invalid arguments was never done, so its tool is not asked', async () => {
  const given = acting(() => assert.fail('asked'))
  const { outcome } = await resumeActing(given, { to: 5 })
  assert.ok(outcome.type === 'error' && outcome.code === 'INVALID_ARGS')
})

test('calls made before a crash count toward the limit of tool calls', async () => {
  const steps = [
    callTools([
      ['act', { to: 'a' }],
      ['act', { to: 'b' }],
      ['act', { to: 'c' }],
    ]),
  ]
  const store = new TextJournal()
  const limits = { tools: 2 }
  const first = acting()
  // Dies at the second intent, so that one act is settled.
  const dying = world({ journal: new DyingJournal(store, 3, false), tools: [first.tool], limits })
  startRun(performing(steps), null, dying.services)
  await settled()
  const second = acting()
  const { services, clock } = world({ tools: [second.tool] })
  const run = resumeRun(performing(steps), store.read(), { services })
  const called = only((await toEnd(run, clock)).result)
  assert.ok(called.type === 'tools-called')
  assert.deepEqual(
    called.outcomes.map(({ type }) => type),
    ['ok', 'ok', 'refused'],
  )
  assert.deepEqual([first.inputs.length, second.inputs.length, run.spent['tools']], [1, 1, 2])
})

test('a call that was refused before a crash does not count after it', async () => {
  const steps = [
    callTools(
      [
        ['act', { to: 'a' }],
        ['act', { to: 'b' }],
      ],
      { most: 1 },
    ),
    callTools([['act', { to: 'c' }]]),
  ]
  const store = new TextJournal()
  const limits = { tools: 2 }
  // Dies when the first step is done but not yet closed.
  const dying = world({
    journal: new DyingJournal(store, 4, false),
    tools: [acting().tool],
    limits,
  })
  startRun(performing(steps), null, dying.services)
  await settled()
  assert.deepEqual(
    store.read().map(({ type }) => type),
    ['started', 'intended', 'settled', 'settled'],
  )
  const { services, clock } = world({ tools: [acting().tool] })
  const run = resumeRun(performing(steps), store.read(), { services })
  const outcomes = (await toEnd(run, clock)).result.flatMap((seen) =>
    seen.type === 'tools-called' ? seen.outcomes : [],
  )
  assert.deepEqual(
    outcomes.map(({ type }) => type),
    ['ok', 'refused', 'ok'],
  )
  assert.equal(run.spent['tools'], 2)
})

// ---- budgets ----

/** A run that died in its first model call. */
async function diedAsking(
  limits: Services['limits'],
  steps: readonly Step[],
): Promise<TextJournal> {
  const store = new TextJournal()
  const model = scriptedModel([])
  const { services } = world({
    journal: new DyingJournal(store, 0, true),
    models: { small: asBound(model) },
    limits,
  })
  startRun(performing(steps), null, services, { runId: 'r' })
  await settled()
  assert.equal(store.read().at(-1)?.type, 'opened')
  return store
}

test('a call that was open at the crash stays charged once at its reserved amount, over any number of resumes', async () => {
  const steps = [generate({ maxTokens: 100 })]
  const store = await diedAsking({ tokens: 1000 }, steps)
  const hold = store.read().flatMap((entry) => (entry.type === 'opened' ? [entry.hold] : []))[0]
  assert.ok(hold !== undefined)
  const again = world({
    journal: new DyingJournal(store, 0, true),
    models: { small: asBound(scriptedModel([])) },
  })
  const second = resumeRun(performing(steps), store.read(), { services: again.services })
  await settled()
  assert.deepEqual(second.spent, { ...hold, steps: 1 })
  const usage = { input: 12, output: 3 }
  const last = world({
    journal: store,
    models: { small: asBound(scriptedModel([{ text: '345', usage }])) },
  })
  const third = resumeRun(performing(steps), store.read(), { services: last.services })
  await toEnd(third, last.clock)
  assert.equal(third.spent['calls.small'], 3)
  assert.equal(third.spent['tokens'], 2 * (hold['tokens'] ?? 0) + 15)
  const charged = store.read().flatMap((entry) => (entry.type === 'resumed' ? [entry.charged] : []))
  assert.deepEqual(charged, [hold, hold])
  const replayed = [...replayRun(performing(steps), store.read())]
  assert.deepEqual(replayed.at(-1)?.spent, third.spent)
})

test('a crashed call uses up a tight limit, whatever the new process would allow', async () => {
  const steps = [generate()]
  const store = await diedAsking({ 'calls.small': 1 }, steps)
  const model = scriptedModel([])
  const generous = world({ models: { small: asBound(model) }, limits: { 'calls.small': 99 } })
  const run = resumeRun(performing(steps), store.read(), { services: generous.services })
  const refused = only((await toEnd(run, generous.clock)).result)
  assert.ok(refused.type === 'refused' && refused.limit === 'calls.small')
  model.assertComplete()
})

// ---- ended, canceled, waiting ----

test('a run that has ended returns its end again, and does and writes nothing', async () => {
  const { store, outside, run } = await uninterrupted()
  const before = [...store.appends]
  const asked = outside.asked
  const made = outside.services(store)
  const again = resumeRun(agent, store.read(), { services: made.services })
  assert.deepEqual(await toEnd(again, made.clock), await run.result)
  assert.deepEqual(again.spent, run.spent)
  assert.deepEqual(store.appends, before)
  assert.equal(outside.asked, asked)
})

test('[DD-22] a canceled run stays canceled, whether the cancel or only the end is recorded', async () => {
  const store = new TextJournal()
  const steps = [generate(), say('never')]
  const model = (): ReturnType<typeof asBound> => asBound(scriptedModel(['1']))
  const { services } = world({ journal: store, models: { small: model() } })
  const run = startRun(performing(steps), null, services)
  run.cancel()
  const end = await run.result
  assert.equal(end.status, 'canceled')
  const entries = store.read()
  for (const kept of [entries, entries.filter(({ type }) => type !== 'ended')]) {
    const made = world({ models: { small: model() } })
    const again = resumeRun(performing(steps), kept, { services: made.services })
    assert.deepEqual(await toEnd(again, made.clock), end)
  }
})

test('a cancel that came with the last answer is recorded in the end alone, and kept', async () => {
  const store = new TextJournal()
  const made = world({ journal: store, tools: [tool('add', () => 1)] })
  const definition = performing([callTools([['add']])])
  const canceling: typeof definition = {
    ...definition,
    observe(state, seen, meter) {
      if (run.state.next === 0 && store.read().length < 2) run.cancel()
      return definition.observe(state, seen, meter)
    },
  }
  const run: PerformedRun = startRun(canceling, null, made.services)
  const end = await run.result
  assert.equal(end.status, 'canceled')
  assert.deepEqual(
    end.result.map(({ type }) => type),
    ['tools-called'],
  )
  const again = resumeRun(definition, store.read(), { services: world().services })
  assert.deepEqual(await again.result, end)
})

test('a question is asked again with the same id and the same expiry', async () => {
  const store = new TextJournal()
  const steps = [ask('a?', { expiresInMs: 10_000 })]
  const first = world({ journal: store })
  startRun(performing(steps), null, first.services, { runId: 'r' })
  await settled()
  const second = world({ journal: store })
  await second.clock.advance(9000)
  const run = resumeRun(performing(steps), store.read(), { services: second.services })
  await settled()
  assert.deepEqual(run.requests, ['r:0'])
  await second.clock.advance(1000)
  await settled()
  assert.deepEqual((await run.result).result, [{ type: 'unanswered' }])
  assert.equal(store.read().filter(({ type }) => type === 'requested').length, 1)
})

test('a recorded reply is not asked for again', async () => {
  const store = new TextJournal()
  const steps = [ask('a?', { expiresInMs: 10_000 })]
  const first = world({ journal: store })
  startRun(performing(steps), null, first.services, { runId: 'r' })
  await settled()
  store.append('r', [{ type: 'replied', request: 'r:0', reply: null, at: 0 }])
  const second = world({ journal: store })
  await second.clock.advance(60_000)
  const run = resumeRun(performing(steps), store.read(), { services: second.services })
  assert.deepEqual((await toEnd(run, second.clock)).result, [{ type: 'answered', reply: null }])
})

test('limits and time zone stay those of the start of the run', async () => {
  const store = new TextJournal()
  const zones: string[] = []
  const read = tool('read', (_input, { timeZone }) => {
    zones.push(timeZone)
    return null
  })
  const steps = [ask('a?'), callTools([['read'], ['read']])]
  const first = world({
    journal: store,
    tools: [read],
    limits: { tools: 1 },
    timeZone: 'Europe/Vienna',
  })
  startRun(performing(steps), null, first.services)
  await settled()
  const second = world({ journal: store, tools: [read] })
  const run = resumeRun(performing(steps), store.read(), { services: second.services })
  await drive(run, second)
  const called = (await run.result).result[1]
  assert.ok(called?.type === 'tools-called')
  assert.deepEqual(
    called.outcomes.map(({ type }) => type),
    ['ok', 'refused'],
  )
  assert.deepEqual(zones, ['Europe/Vienna'])
})

// ---- changed definitions ----

const MISMATCH = { code: 'JOURNAL_MISMATCH' }

test('a definition that now asks for something else is refused at that step, before it observes anything', async () => {
  const { store } = await uninterrupted()
  const entries = store.read()
  for (const seq of STEPS.keys()) {
    const changed = performing(STEPS.with(seq, say('something else')))
    const others: readonly (typeof changed)[] = [
      changed,
      {
        ...changed,
        observe(state, seen, meter) {
          const isForeign = state.next === seq && seen.type !== 'said'
          return isForeign
            ? assert.fail('it saw what it did not ask for')
            : changed.observe(state, seen, meter)
        },
      },
      performing(STEPS.slice(0, seq)),
    ]
    for (const other of others) {
      const refused = { ...MISMATCH, details: { seq } }
      assert.throws(() => resumeRun(other, entries, { services: world().services }), refused)
      assert.throws(() => [...replayRun(other, entries)], refused)
    }
  }
})

test('a definition that would continue where the run had ended is refused too', async () => {
  const { store } = await uninterrupted()
  const longer = performing([...STEPS, say('one more')])
  assert.throws(() => resumeRun(longer, store.read(), { services: world().services }), MISMATCH)
  const otherEnd: typeof agent = {
    ...agent,
    next(state) {
      const asked = agent.next(state)
      return asked.type === 'finish' ? { ...asked, reason: 'otherwise' } : asked
    },
  }
  assert.throws(() => resumeRun(otherEnd, store.read(), { services: world().services }), MISMATCH)
})

test('another agent or version is refused, and the error names both', async () => {
  const { store } = await uninterrupted()
  const services = world().services
  assert.throws(() => resumeRun({ ...agent, version: 2 }, store.read(), { services }), {
    ...MISMATCH,
    message: /begun by performing version 1, not by performing version 2/,
  })
  assert.throws(() => [...replayRun({ ...agent, name: 'other' }, store.read())], MISMATCH)
})

// ---- replay ----

test('a replay returns every state of the run from its journal alone', async () => {
  const store = new TextJournal()
  const made = new Outside().services(store)
  const states: Performed[] = []
  const watched: typeof agent = {
    ...agent,
    observe(state, seen, meter) {
      const moved = agent.observe(state, seen, meter)
      states.push(moved.state)
      return moved
    },
  }
  const run = startRun(watched, { n: 1 }, made.services, { runId: 'r' })
  await drive(run, made)
  const steps = [...replayRun(agent, store.read())]
  assert.deepEqual(
    steps.map(({ moved }) => moved.state),
    states,
  )
  assert.deepEqual(
    steps.map(({ seq }) => seq),
    [0, 1, 2, 3, 4, 5, 6],
  )
  assert.deepEqual(
    steps.map(({ asked }) => asked.type),
    ['generate', 'call-tools', 'say', 'together', 'ask', 'generate', 'call-tools'],
  )
  assert.deepEqual(steps.at(-1)?.spent, run.spent)
})

test('spending replays exactly, whatever the amounts', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.double({ min: 1e-6, max: 1, noNaN: true }), { minLength: 2, maxLength: 12 }),
      async (costs) => {
        const store = new TextJournal()
        const left = [...costs]
        const model = asBound(scriptedModel(costs.map(() => 'x')), 'm/m', () => left.shift() ?? 0)
        const { services, clock } = world({ quiet: true, journal: store, models: { small: model } })
        const definition = performing(costs.map(() => generate()))
        const run = startRun(definition, null, services)
        await toEnd(run, clock)
        const steps = [...replayRun(definition, store.read())]
        assert.deepEqual(steps.at(-1)?.moved.state, run.state)
      },
    ),
    { numRuns: 30 },
  )
})

test('the same seed and input give the same journal, byte for byte', async () => {
  const [one, two] = [(await uninterrupted()).store, (await uninterrupted()).store]
  assert.deepEqual(one.appends, two.appends)
})

test('a definition without steps has a journal that replays to nothing', async () => {
  const store = new TextJournal()
  const nothing: AgentDefinition<Json, Performed, readonly Observation[]> = performing([])
  const { services, clock } = world({ journal: store })
  await toEnd(startRun(nothing, null, services), clock)
  assert.deepEqual([...replayRun(nothing, store.read())], [])
})

test('actual spending over all processes stays within the limits despite crashes', async () => {
  const random = seededRandom(9)
  let deaths = 0
  for (let round = 0; round < 40; round++) {
    const limits = { tokens: 1500, 'calls.small': 9, money: 0.004 }
    const price = (usage: { input: number; output: number }): number =>
      (usage.input + 3 * usage.output) / 1e6
    const real = { tokens: 0, calls: 0, money: 0 }
    const reply = ({
      maxOutputTokens = 0,
    }: LanguageModelV4CallOptions): ScriptedReply | ScriptedFailure => {
      const usage = { input: 30, output: Math.floor(random() * maxOutputTokens) }
      real.tokens += usage.input + usage.output
      real.money += price(usage)
      real.calls++
      if (random() < 0.2) return { error: apiError(503) }
      return { text: 'x', usage: random() < 0.1 ? null : usage }
    }
    const vote = generate({ maxTokens: 40 + Math.floor(random() * 400) })
    const steps: Step[] = [
      vote,
      { type: 'together', effects: [vote, vote, vote] },
      vote,
      vote,
      vote,
    ]
    const store = new TextJournal()
    for (let life = 0; life < 6; life++) {
      const dies = life < 5 && random() < 0.7
      const journal = dies
        ? new DyingJournal(store, Math.floor(random() * 5), random() < 0.5)
        : store
      const model = asBound(scriptedModel(Array.from({ length: 40 }, () => reply)), 'm/m', price)
      const made = world({ quiet: true, journal, models: { small: model }, limits })
      const entries = store.read()
      const run =
        entries.length === 0
          ? startRun(performing(steps), null, made.services)
          : resumeRun(performing(steps), entries, { services: made.services })
      await drive(run, made)
      if (!dies) {
        await toEnd(run, made.clock)
        break
      }
      deaths++
    }
    assert.ok(real.tokens <= limits.tokens, `${real.tokens} tokens`)
    assert.ok(real.calls <= limits['calls.small'], `${real.calls} calls`)
    assert.ok(real.money <= limits.money, `${real.money} dollars`)
  }
  assert.ok(deaths > 30)
})
