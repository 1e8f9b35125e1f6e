import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { test } from 'node:test'
import type { AgentDefinition } from '../../packages/echelon/src/core/agent/agent.ts'
import type { Effect } from '../../packages/echelon/src/core/agent/effect.ts'
import type { RunEvent } from '../../packages/echelon/src/core/agent/event.ts'
import type { Json } from '../../packages/echelon/src/core/value/json.ts'
import type { MemoryStore } from '../../packages/echelon/src/core/agent/ports.ts'
import { createRedactor } from '../../packages/echelon/src/core/redaction/redaction.ts'
import { type Run, startRun } from '../../packages/echelon/src/runtime/run.ts'
import { asBound, scriptedModel } from '../../packages/echelon/src/testing/scripted-model.ts'
import {
  ask,
  callTools,
  generate,
  only,
  performing,
  say,
  settled,
  sleepOn,
  toEnd,
  tool,
  type World,
  world,
} from './kit.ts'

const add = tool('add', () => 1)
const types = (list: readonly { readonly type: string }[]): string[] => list.map(({ type }) => type)

/** All events of a run, as its caller sees them. */
async function watch(run: Run<unknown>): Promise<RunEvent[]> {
  const events: RunEvent[] = []
  for await (const event of run) events.push(event)
  return events
}

// ---- events ----

test('events are in order: each step begins, shows its text, ends; the run begins and ends once', async () => {
  const { services, clock } = world({
    quiet: true,
    tools: [add],
    models: { small: asBound(scriptedModel([{ text: ['3', '45'] }])) },
  })
  const steps = [generate({ show: 'user' }), callTools([['add']]), say('done')]
  const run = startRun(performing(steps), null, services, { runId: 'r1' })
  const watching = watch(run)
  await toEnd(run, clock)
  const events = await watching
  assert.deepEqual(types(events), [
    'run-start',
    'step-start',
    'text-delta',
    'text-delta',
    'step-end',
    'step-start',
    'tool-start',
    'tool-end',
    'step-end',
    'step-start',
    'said',
    'step-end',
    'run-end',
  ])
  const starts = events.filter((event) => event.type === 'step-start')
  assert.deepEqual(
    starts.map(({ seq, effect, actor, targets }) => [seq, effect, actor, ...targets]),
    [
      [0, 'generate', 'all', 'scripted/scripted'],
      [1, 'call-tools', 'all', 'add'],
      [2, 'say', 'all'],
    ],
  )
  assert.deepEqual(events[0], { type: 'run-start', runId: 'r1', agent: 'performing' })
  assert.deepEqual(events.at(-1), {
    type: 'run-end',
    status: 'finished',
    reason: 'done',
    spent: run.spent,
  })
})

test('a listener added in the same tick misses nothing; a later one gets the rest', async () => {
  const { services, clock } = world({ quiet: true })
  const run = startRun(
    performing([{ type: 'sleep', actor: 'all', untilMs: clock.now() + 5000 }, say('late')]),
    null,
    services,
  )
  const early = watch(run)
  await settled()
  const late = watch(run)
  await toEnd(run, clock)
  const all = types(await early)
  assert.deepEqual(all, [
    'run-start',
    'step-start',
    'step-end',
    'step-start',
    'said',
    'step-end',
    'run-end',
  ])
  assert.deepEqual(types(await late), all.slice(2))
  assert.deepEqual(await watch(run), [], 'after the end there is nothing to hear')
})

test('a listener may stop early, and the run continues', async () => {
  const { services, clock } = world({ quiet: true, tools: [add] })
  const run = startRun(performing([callTools([['add']]), say('done')]), null, services)
  for await (const event of run) if (event.type === 'step-start') break
  const { result } = await toEnd(run, clock)
  assert.deepEqual(types(result), ['tools-called', 'said'])
})

test('a slow listener gets every event, in order', async () => {
  const pieces = Array.from({ length: 500 }, (_, index) => `${index} `)
  const { services } = world({
    quiet: true,
    models: { small: asBound(scriptedModel([{ text: pieces }])) },
  })
  const run = startRun(performing([generate({ show: 'user' })]), null, services)
  const deltas: string[] = []
  for await (const event of run) {
    if (event.type === 'text-delta') deltas.push(event.delta)
    if (deltas.length % 100 === 1) await settled()
  }
  assert.deepEqual(deltas, pieces)
})

test('a run needs no listener', async () => {
  const { services, clock } = world({ quiet: true, tools: [add] })
  const run = startRun(performing([callTools([['add']])]), null, services)
  const end = await toEnd(run, clock)
  assert.deepEqual(
    [end.status, end.reason, types(end.result)],
    ['finished', 'done', ['tools-called']],
  )
  assert.deepEqual(run.state.next, 1)
})

test('[DD-11] events are redacted, except for those with text for the user', async () => {
  const secret = 'ann@example.com'
  const read = tool('read', () => ({ owner: secret, password: 'x' }))
  const definition = performing([callTools([['read', { who: secret }]]), say(`hello ${secret}`)])
  const noting: typeof definition = {
    ...definition,
    observe: (state, seen, meter) => ({
      ...definition.observe(state, seen, meter),
      notes: [{ stage: 'told', data: { text: `saw ${secret}` } }],
    }),
  }
  const { services, clock, events } = world({ tools: [read] })
  const { result } = await toEnd(startRun(noting, { mail: secret }, services), clock)
  for (const event of events) {
    const holds = JSON.stringify(event).includes(secret)
    assert.equal(holds, event.type === 'said', event.type)
    assert.ok(!JSON.stringify(event).includes('"password":"x"'))
  }
  const notes = events.filter((event) => event.type === 'note')
  assert.deepEqual(notes[0]?.note.data, { text: 'saw [redacted:email]' })
  assert.ok(JSON.stringify(result).includes(secret), 'the agent itself sees what there is')
  const open = world({ tools: [read], redact: createRedactor(null) })
  await toEnd(startRun(noting, null, open.services), open.clock)
  assert.ok(JSON.stringify(open.events).includes('"password":"x"'))
})

test('notes have the same ids each time they are emitted', async () => {
  const noting: AgentDefinition<Json, number, number> = {
    name: 'noting',
    version: 1,
    actors: { a: { speaks: true } },
    start: () => ({ state: 0, notes: [{ stage: 'began', data: {} }] }),
    next: (state) =>
      state === 2
        ? { type: 'finish', result: state, reason: 'two' }
        : { type: 'say', actor: 'a', text: '' },
    observe: (state) => ({
      state: state + 1,
      notes: [
        { stage: 'x', data: {} },
        { stage: 'y', data: { state } },
      ],
    }),
    load: () => 0,
  }
  const { services, clock, events } = world()
  await toEnd(startRun(noting, null, services, { runId: 'r' }), clock)
  const notes = events.filter((event) => event.type === 'note')
  assert.deepEqual(
    notes.map(({ id, note }) => `${id} ${note.stage}`),
    ['r:-1.0 began', 'r:0.0 x', 'r:0.1 y', 'r:1.0 x', 'r:1.1 y'],
  )
  assert.ok(notes.every(({ at }) => at === clock.now()))
})

// ---- questions ----

test('a run asks, waits for any time, and continues with the reply', async () => {
  const { services, clock, events } = world({ limits: { seconds: 1 } })
  const run = startRun(
    performing([ask('which account?', { schema: { type: 'string' } }), say('thanks')]),
    null,
    services,
    { runId: 'r' },
  )
  await settled()
  assert.deepEqual(run.requests, ['r:0'])
  assert.deepEqual(
    events.filter((event) => event.type === 'request-open'),
    [
      {
        type: 'request-open',
        path: '',
        seq: 0,
        request: 'r:0',
        about: { question: 'which account?', schema: { type: 'string' } },
      },
    ],
  )
  await clock.advance(3 * 86_400_000)
  run.respond('r:0', { account: 7 })
  const { result } = await toEnd(run, clock)
  assert.deepEqual(result, [{ type: 'answered', reply: { account: 7 } }, { type: 'said' }])
  assert.deepEqual(run.requests, [])
  assert.equal(run.spent['seconds'] ?? 0, 0, 'waiting for a person is free')
  assert.equal(clock.pending, 0)
})

test('a reply without an open request is refused with a list of the open ones', async () => {
  const { services, clock } = world()
  const run = startRun(performing([ask('a?')]), null, services, { runId: 'r' })
  const unknown = { code: 'UNKNOWN_REQUEST' }
  assert.throws(() => run.respond('r:0', 1), unknown, 'nothing was asked yet')
  await settled()
  assert.throws(() => run.respond('r:1', 1), { ...unknown, details: { open: ['r:0'] } })
  run.respond('r:0', 1)
  assert.throws(() => run.respond('r:0', 2), unknown, 'it is answered')
  const { result } = await toEnd(run, clock)
  assert.deepEqual(result, [{ type: 'answered', reply: 1 }])
  assert.throws(() => run.respond('r:0', 3), unknown)
})

test('an expired question is unanswered, and can no longer be answered', async () => {
  const { services, clock } = world()
  const run = startRun(
    performing([ask('a?', { expiresInMs: 5000 }), ask('b?', { expiresInMs: 5000 })]),
    null,
    services,
    { runId: 'r' },
  )
  await settled()
  await clock.advance(4999)
  assert.deepEqual(run.requests, ['r:0'])
  await clock.advance(1)
  await settled()
  assert.deepEqual(run.requests, ['r:1'])
  assert.throws(() => run.respond('r:0', 1), { code: 'UNKNOWN_REQUEST' })
  run.respond('r:1', 'in time')
  const { result } = await toEnd(run, clock)
  assert.deepEqual(result, [{ type: 'unanswered' }, { type: 'answered', reply: 'in time' }])
  assert.equal(clock.pending, 0, 'an answer takes its timer away')
})

// ---- user input ----

test('user input is delivered between two steps, in order', async () => {
  const { services, clock } = world({ tools: [add] })
  const run = startRun(performing([callTools([['add']]), callTools([['add']])]), null, services)
  run.hear('wait')
  run.hear('no, go on')
  const { result } = await toEnd(run, clock)
  assert.deepEqual(result.slice(0, 2), [
    { type: 'heard', text: 'wait' },
    { type: 'heard', text: 'no, go on' },
  ])
  assert.deepEqual(types(result), ['heard', 'heard', 'tools-called', 'tools-called'])
})

test('a great deal of user input does not stop a run', async () => {
  const { services, clock } = world({ tools: [add] })
  const run = startRun(performing([callTools([['add']])]), null, services)
  for (let word = 0; word < 3000; word++) run.hear(`word ${word}`)
  const { result } = await toEnd(run, clock)
  assert.equal(result.length, 3001)
})

// ---- cancel ----

const WAITING: Readonly<Record<string, Effect>> = {
  generate: generate(),
  'a shown generate': generate({ show: 'user' }),
  'call-tools': callTools([['slow'], ['slow']], { atOnce: 2 }),
  ask: ask('a?', { expiresInMs: 1e6 }),
  sleep: { type: 'sleep', actor: 'all', untilMs: 1e15 },
  recall: { type: 'recall', actor: 'all', memory: 'notes' },
  remember: { type: 'remember', actor: 'all', memory: 'notes', value: 1 },
  together: { type: 'together', effects: [generate(), callTools([['slow']])] },
}

/** A world in which everything takes forever. */
function standstill(): World {
  const never = (): Promise<never> => new Promise(() => undefined)
  const made = world({ tools: [tool('slow', never)], memory: { read: never, write: never } })
  const model = scriptedModel(
    [
      { text: 'late', delayMs: 1e9 },
      { text: 'late', delayMs: 1e9 },
    ],
    sleepOn(made.clock),
  )
  return { ...made, services: { ...made.services, models: { small: asBound(model) } } }
}

test('[DD-22] a cancel ends a run in every phase at once, and leaves no timer behind', async () => {
  for (const [phase, effect] of Object.entries(WAITING)) {
    const { services, clock } = standstill()
    const run = startRun(performing([effect, say('never')]), null, services)
    await settled()
    run.cancel()
    await settled()
    const end = await toEnd(run, clock)
    assert.equal(end.status, 'canceled', phase)
    assert.deepEqual(end.result.at(-1), { type: 'canceled', by: 'user' }, phase)
    assert.equal(end.result.filter(({ type }) => type !== 'together').length, 1, phase)
    assert.equal(clock.pending, 0, phase)
  }
})

test('[DD-22] a run that is canceled before its first step does nothing', async () => {
  const controller = new AbortController()
  controller.abort()
  const { services, clock, events } = world({ tools: [add] })
  const run = startRun(performing([callTools([['add']])]), null, services, {
    signal: controller.signal,
  })
  const end = await toEnd(run, clock)
  assert.deepEqual([end.status, end.result], ['canceled', [{ type: 'canceled', by: 'user' }]])
  assert.ok(!types(events).includes('step-start'))
})

test('[DD-22] an AbortSignal cancels, and its listener is removed at the end', async () => {
  const controller = new AbortController()
  const { services, clock } = standstill()
  const { signal } = controller
  const run = startRun(performing([generate()]), null, services, { signal })
  await settled()
  assert.equal(getEventListeners(signal, 'abort').length, 1)
  const other = world({ tools: [add] })
  const ends = startRun(performing([callTools([['add']])]), null, other.services, { signal })
  assert.equal((await toEnd(ends, other.clock)).status, 'finished')
  assert.equal(getEventListeners(signal, 'abort').length, 1, 'the other has let it go')
  controller.abort()
  assert.equal((await toEnd(run, clock)).status, 'canceled')
})

test('[DD-22] a shutdown is reported as such, the first cancel counts, and a late one changes nothing', async () => {
  const { services, clock } = standstill()
  const run = startRun(performing([generate()]), null, services)
  run.cancel('shutdown')
  run.cancel('user')
  assert.deepEqual((await toEnd(run, clock)).result, [{ type: 'canceled', by: 'shutdown' }])
  const quick = world({ tools: [add] })
  const done = startRun(performing([callTools([['add']])]), null, quick.services)
  await toEnd(done, quick.clock)
  done.cancel()
  assert.equal((await done.result).status, 'finished')
})

test('a definition that does not finish on cancel is an error and does not hang', async () => {
  const stubborn: AgentDefinition<Json, null, null> = {
    name: 'stubborn',
    version: 1,
    actors: { a: { speaks: true } },
    start: () => ({ state: null }),
    next: () => ({ type: 'say', actor: 'a', text: 'no' }),
    observe: () => ({ state: null }),
    load: () => null,
  }
  const { services } = world()
  const run = startRun(stubborn, null, services)
  run.cancel()
  await assert.rejects(run.result, {
    code: 'INVALID_DEFINITION',
    message: /stubborn .*does not finish/,
  })
  await assert.rejects(watch(run), { code: 'INVALID_DEFINITION' })
  const limited = world({ limits: { steps: 5 } })
  const refused = startRun(stubborn, null, limited.services)
  await assert.rejects(refused.result, { code: 'INVALID_DEFINITION' })
  assert.equal(limited.events.filter(({ type }) => type === 'said').length, 5)
})

test('an error in a definition rejects the result and ends the event streams', async () => {
  const definition = performing([say('a')])
  const broken: typeof definition = {
    ...definition,
    observe() {
      throw new RangeError('a mistake')
    },
  }
  const { services } = world()
  const run = startRun(broken, null, services)
  await assert.rejects(watch(run), { name: 'RangeError', message: 'a mistake' })
  await assert.rejects(run.result, RangeError)
  const unstartable: typeof definition = {
    ...definition,
    start() {
      throw new RangeError('at once')
    },
  }
  assert.throws(() => startRun(unstartable, null, services), { message: 'at once' })
})

// ---- refusals ----

test('the runtime refuses effects beyond an actor’s capabilities, whatever the compiler saw', async () => {
  let touched = false
  const read = tool('read', () => (touched = true))
  const memory: MemoryStore = {
    read: () => assert.fail('the memory was read'),
    write: () => assert.fail('the memory was written'),
  }
  const actors = { executor: { tools: ['add'] }, planner: { roles: ['small'] } } as const
  const oversteps: readonly (readonly [string, Effect])[] = [
    ['tool:read', callTools([['add'], ['read']], { actor: 'executor' })],
    ['role:big', generate({ actor: 'planner', role: 'big' })],
    ['speak', generate({ actor: 'planner', show: 'user' })],
    ['speak', { ...say('x'), actor: 'executor' }],
    ['ask', { ...ask('x'), actor: 'planner' }],
    ['read:notes', { type: 'recall', actor: 'executor', memory: 'notes' }],
    ['write:notes', { type: 'remember', actor: 'planner', memory: 'notes', value: 1 }],
    ['actor:all', say('x')],
    ['role:big', { type: 'together', effects: [generate({ actor: 'planner', role: 'big' })] }],
  ]
  const { services, clock, events } = world({ tools: [add, read], memory })
  const steps = oversteps.map(([, effect]) => effect)
  const run = startRun(performing(steps, actors), null, services)
  const { result } = await toEnd(run, clock)
  for (const [index, [limit]] of oversteps.entries()) {
    const seen = result[index]
    assert.ok(seen?.type === 'refused')
    assert.deepEqual([seen.by, seen.limit], ['capability', limit])
    assert.match(seen.message, /which its actor may not do/)
  }
  assert.ok(!touched && !types(events).includes('step-start'))
  assert.equal(run.spent['steps'] ?? 0, 0, 'a refusal is not a step')
})

test('the limit of steps is enforced and reported', async () => {
  const { services, clock } = world({ limits: { steps: 2 } })
  const run = startRun(performing([say('1'), say('2'), say('3')]), null, services)
  const { result } = await toEnd(run, clock)
  assert.deepEqual(result.slice(0, 2), [{ type: 'said' }, { type: 'said' }])
  const refused = result[2]
  assert.ok(refused?.type === 'refused')
  assert.deepEqual([refused.by, refused.limit, run.spent['steps']], ['budget', 'steps', 2])
})

test('invalid limits are refused before the run begins', () => {
  const { services } = world({ limits: { money: Number.NaN } })
  assert.throws(() => startRun(performing([]), null, services), { code: 'INVALID_CONFIG' })
})

// ---- memory and sleep ----

test('memories are read and written with a key of the step; conflicts and failures are reported', async () => {
  const calls: Json[] = []
  const memory: MemoryStore = {
    async read(name, query) {
      calls.push({ name, query })
      if (query === 'broken') throw new Error('no disk')
      // Other output of a store is not recorded.
      return { value: [1, 2], version: 3, writtenBy: 'ada' }
    },
    async write(name, value, options) {
      calls.push({ name, value, ...options })
      return options.ifVersion === 1 ? 'conflict' : 4
    },
  }
  const notes = { actor: 'all', memory: 'notes' } as const
  const { services, clock } = world({ memory })
  const steps: Effect[] = [
    { type: 'recall', ...notes },
    { type: 'recall', ...notes, query: 'broken' },
    { type: 'remember', ...notes, value: 'x' },
    { type: 'remember', ...notes, value: 'y', ifVersion: 1 },
  ]
  const { result } = await toEnd(startRun(performing(steps), null, services, { runId: 'r' }), clock)
  assert.deepEqual(calls, [
    { name: 'notes', query: null },
    { name: 'notes', query: 'broken' },
    { name: 'notes', value: 'x', key: 'r:2' },
    { name: 'notes', value: 'y', key: 'r:3', ifVersion: 1 },
  ])
  const [recalled, broken, remembered, conflict] = result
  assert.deepEqual(recalled, { type: 'recalled', value: [1, 2], version: 3 })
  assert.ok(broken?.type === 'failed' && broken.error.code === 'unavailable')
  assert.equal(broken.error.message, 'no disk')
  assert.deepEqual(remembered, { type: 'remembered', version: 4 })
  assert.ok(conflict?.type === 'failed' && conflict.error.code === 'conflict')
  const without = world()
  const none = only(
    (await toEnd(startRun(performing(steps.slice(0, 1)), null, without.services), without.clock))
      .result,
  )
  assert.ok(none.type === 'failed' && none.error.code === 'not-found')
})

test("the end of the run's time ends a wait for a memory", async () => {
  const never = (): Promise<never> => new Promise(() => undefined)
  const { services, clock } = world({
    memory: { read: never, write: never },
    limits: { seconds: 3 },
  })
  const recall = { type: 'recall', actor: 'all', memory: 'notes' } as const
  const refused = only((await toEnd(startRun(performing([recall]), null, services), clock)).result)
  assert.ok(refused.type === 'refused' && refused.limit === 'seconds')
  assert.equal(clock.pending, 0)
})

test('a sleep ends at its time, uses none of the run’s time, and ends at once if its time is past', async () => {
  const { services, clock } = world({ limits: { seconds: 1 } })
  const began = clock.now()
  const sleeps = [60_000, -5000].map((ms): Effect => ({
    type: 'sleep',
    actor: 'all',
    untilMs: began + ms,
  }))
  const run = startRun(performing(sleeps), null, services)
  assert.deepEqual((await toEnd(run, clock)).result, [{ type: 'woke' }, { type: 'woke' }])
  assert.ok(clock.now() - began >= 60_000 && clock.now() - began < 61_000)
  assert.equal(run.spent['seconds'] ?? 0, 0)
})

// ---- meters, and many at once ----

test('a meter does not change after it was passed on', async () => {
  const { services, clock } = world({ tools: [add] })
  const run = startRun(performing([callTools([['add']]), callTools([['add']])]), null, services)
  await toEnd(run, clock)
  const { meters } = run.state
  assert.deepEqual(
    meters.map(({ spent }) => [spent['steps'], spent['tools']]),
    [
      [1, 1],
      [2, 2],
    ],
  )
})

test('[R22.2] two hundred concurrent runs stay separate', async () => {
  const echo = tool('read', async (input, { key }) => {
    await new Promise((resolve) => setImmediate(resolve))
    return [String(input['n']), key]
  })
  const { services, clock } = world({ quiet: true, tools: [echo], limits: { tools: 3, steps: 3 } })
  const runs = Array.from({ length: 200 }, (_, n) => {
    const twice: Effect = callTools(
      [
        ['read', { n }],
        ['read', { n }],
      ],
      { atOnce: 2 },
    )
    return startRun(performing([twice, ask(`${n}?`), twice, twice]), n, services)
  })
  assert.equal(new Set(runs.map(({ id }) => id)).size, 200)
  await settled()
  for (const [n, run] of runs.entries()) {
    if (n % 3 === 0) run.cancel()
    else run.respond(only(run.requests), n)
  }
  for (const [n, run] of runs.entries()) {
    const { result, status } = await toEnd(run, clock)
    const own = ['0', '1'].map((call) => [String(n), `${run.id}:0:${call}`])
    const [first, second, third, last] = result
    assert.deepEqual(first, {
      type: 'tools-called',
      outcomes: own.map((value) => ({ type: 'ok', value })),
    })
    if (n % 3 === 0) {
      assert.deepEqual(
        [status, second, third],
        ['canceled', { type: 'canceled', by: 'user' }, undefined],
      )
      continue
    }
    assert.deepEqual(second, { type: 'answered', reply: n })
    assert.ok(third?.type === 'tools-called')
    assert.deepEqual(types(third.outcomes), ['ok', 'refused'])
    assert.ok(last?.type === 'refused' && last.limit === 'steps')
    assert.equal(run.spent['tools'], 3)
  }
  assert.equal(clock.pending, 0)
})

test('a run without any step finishes', async () => {
  const { services, clock } = world()
  assert.deepEqual((await toEnd(startRun(performing([]), null, services), clock)).result, [])
})
