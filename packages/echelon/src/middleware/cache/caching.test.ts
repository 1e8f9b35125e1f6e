import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pause } from '../../core/value/abortable.ts'
import type { ModelCall, ModelOutcome } from '../../core/extension/middleware.ts'
import type { CacheStore } from '../../core/agent/ports.ts'
import {
  failed,
  generated,
  modelCall,
  type TestRun,
  testRun,
} from '../../testing/middleware-run.ts'
import { SetClock } from '../../testing/set-clock.ts'
import { caching, type CachingOptions } from './caching.ts'
import { modelOf, modelThrough } from '../in-tests.ts'
import { retry } from '../reliability/retry.ts'
import { timeout } from '../reliability/timeout.ts'

const FREE = { usage: { input: 0, output: 0 }, cost: 0 }
const events = (testedRun: TestRun): readonly string[] => testedRun.told.map(({ event }) => event)

/** A model that takes a second, streams its answer in two pieces, and records how its calls ended. */
function slowModel(clock: SetClock, ...outcomes: readonly ModelOutcome[]) {
  const ends: string[] = []
  const answers = modelOf(...outcomes)
  const model = async (call: ModelCall): Promise<ModelOutcome> => {
    call.onText?.('y')
    await pause(clock, 1000, call.signal ?? new AbortController().signal)
    const isGivenUp = call.signal?.aborted === true
    ends.push(isGivenUp ? 'given up' : 'answered')
    if (isGivenUp) return failed('aborted')
    call.onText?.('es')
    return answers(call)
  }
  return Object.assign(model, { ends, asked: answers.asked })
}

/** A caller with its own run, and the text it receives. */
function caller(clock: SetClock, runId: string, more: { caller?: string; ms?: number } = {}) {
  const testedRun = testRun({ runId, clock, ...more })
  const heard: string[] = []
  return { testedRun, heard, call: modelCall({ onText: (delta) => void heard.push(delta) }) }
}

test('[C-25] the same call is answered from the cache at no cost until the entry expires', async () => {
  const testedRun = testRun()
  const model = modelOf(generated('one'), generated('two'))
  const ask = (): Promise<ModelOutcome> => through(modelCall(), testedRun)
  const through = modelThrough([caching({ ttlMs: 5000 })], model)
  assert.deepEqual(await ask(), generated('one'))
  await testedRun.clock.advance(4999)
  assert.deepEqual(await ask(), generated('one', FREE))
  assert.deepEqual(testedRun.told, [
    { middleware: 'caching', event: 'hit', data: { model: 'test/model' } },
  ])
  await testedRun.clock.advance(1)
  assert.deepEqual(await ask(), generated('two'))
  assert.equal(model.asked.length, 2)
})

test('[C-25] a different caller, model, option or prompt is a different call', async () => {
  const model = modelOf(generated('yes'))
  const through = modelThrough([caching()], model)
  const clock = new SetClock()
  const calls = [
    modelCall(),
    modelCall({ model: 'other/model' }),
    modelCall({ maxTokens: 5 }),
    modelCall({ sampling: { temperature: 1 } }),
  ]
  for (const testedRun of [testRun({ clock }), testRun({ clock, caller: 'ann' })]) {
    for (const call of calls) await through(call, testedRun)
  }
  assert.equal(model.asked.length, 8)
})

test('[C-25] a stream is replayed in its original pieces', async () => {
  const clock = new SetClock()
  const model = slowModel(clock, generated('yes'))
  const through = modelThrough([caching()], model)
  const first = caller(clock, 'a')
  const running = through(first.call, first.testedRun)
  await clock.advance(0)
  assert.deepEqual(first.heard, ['y'])
  await clock.advance(1000)
  await running
  const second = caller(clock, 'b')
  assert.equal((await through(second.call, second.testedRun)).type, 'generated')
  assert.deepEqual(
    [first.heard, second.heard],
    [
      ['y', 'es'],
      ['y', 'es'],
    ],
  )
})

test('[C-25] text of a failed attempt is not replayed', async () => {
  const clock = new SetClock()
  const model = slowModel(clock, failed('unavailable'), generated('yes'))
  const through = modelThrough([caching(), retry({ jitter: 0 })], model)
  const first = caller(clock, 'a')
  const running = through(first.call, first.testedRun)
  for (let time = 0; time < 4; time++) await clock.advance(1000)
  await running
  assert.deepEqual(first.heard, ['y', 'es', 'y', 'es'])
  const second = caller(clock, 'b')
  await through(second.call, second.testedRun)
  assert.deepEqual(second.heard, ['y', 'es'])
})

test('[C-25] failures, refusals and truncated answers are requested again', async () => {
  const testedRun = testRun()
  const outcomes = [
    failed('unavailable'),
    { type: 'refused', by: 'budget', limit: 'money', message: 'none left' } as const,
    generated('ye', { finish: 'length' }),
    generated('', { finish: 'filter' }),
    generated('yes'),
  ]
  const model = modelOf(...outcomes)
  const through = modelThrough([caching()], model)
  for (const outcome of outcomes) assert.deepEqual(await through(modelCall(), testedRun), outcome)
  assert.deepEqual(await through(modelCall(), testedRun), generated('yes', FREE))
})

test('answers that call tools are kept unless that is disabled', async () => {
  const calls = [{ id: '1', tool: 'add', input: {} }]
  for (const [options, asked] of [
    [{}, 1],
    [{ toolCalls: false }, 2],
    [{ only: () => false }, 2],
  ] as const) {
    const model = modelOf(generated('', { calls, finish: 'tools' }))
    const through = modelThrough([caching(options)], model)
    const testedRun = testRun()
    for (let time = 0; time < 2; time++) await through(modelCall(), testedRun)
    assert.equal(model.asked.length, asked)
  }
})

test('[C-25] equal concurrent calls are one request, across runs', async () => {
  const clock = new SetClock()
  const model = slowModel(clock, generated('yes'))
  const through = modelThrough([caching()], model)
  const callers = ['a', 'b', 'c'].map((runId) => caller(clock, runId))
  const running = Promise.all(callers.map(({ call, testedRun }) => through(call, testedRun)))
  await clock.advance(0)
  await clock.advance(1000)
  const [first, ...others] = await running
  assert.deepEqual(first, generated('yes'))
  for (const other of others) assert.deepEqual(other, generated('yes', FREE))
  assert.equal(model.asked.length, 1)
  assert.deepEqual(
    callers.map(({ heard }) => heard.join('')),
    ['yes', 'yes', 'yes'],
  )
  assert.deepEqual(
    callers.map(({ testedRun }) => events(testedRun)),
    [[], ['shared'], ['shared']],
  )
  assert.equal(clock.pending, 0)
})

test('[C-25] canceling one caller, even the first, does not end the request of the others', async () => {
  for (const leaver of [0, 1]) {
    const clock = new SetClock()
    const model = slowModel(clock, generated('yes'))
    const through = modelThrough([caching()], model)
    const callers = ['a', 'b'].map((runId) => caller(clock, runId))
    const running = callers.map(({ call, testedRun }) => through(call, testedRun))
    await clock.advance(10)
    callers[leaver]?.testedRun.cancel()
    assert.deepEqual(
      await running[leaver],
      failed('aborted', { message: 'the call was given up', attempts: 0 }),
    )
    await clock.advance(1000)
    const other = await running[1 - leaver]
    // The caller that paid for the request has left.
    assert.deepEqual(other, generated('yes', leaver === 0 ? { cost: null } : {}))
    assert.deepEqual(model.ends, ['answered'])
    assert.ok((callers[leaver]?.heard.length ?? 2) < 2, 'whoever left hears no more')
  }
})

test('[C-25] the request ends when all callers have left, and the next caller makes a new one', async () => {
  const clock = new SetClock()
  const model = slowModel(clock, generated('yes'))
  const through = modelThrough([caching()], model)
  const callers = ['a', 'b'].map((runId) => caller(clock, runId))
  const running = callers.map(({ call, testedRun }) => through(call, testedRun))
  await clock.advance(10)
  for (const { testedRun } of callers) testedRun.cancel()
  await clock.advance(0)
  const next = caller(clock, 'c')
  const asked = through(next.call, next.testedRun)
  await clock.advance(0)
  for (const outcome of await Promise.all(running)) assert.equal(outcome.type, 'failed')
  await clock.advance(1000)
  assert.deepEqual(await asked, generated('yes'))
  assert.deepEqual(model.ends, ['given up', 'answered'])
})

test('a run whose time is over leaves, and so does a call whose own signal aborts', async () => {
  const clock = new SetClock()
  const model = slowModel(clock, generated('yes'))
  const middleware = caching()
  const patient = caller(clock, 'a')
  const first = modelThrough([middleware], model)(patient.call, patient.testedRun)
  const hasty = caller(clock, 'b', { ms: 300 })
  const second = modelThrough([middleware], model)(hasty.call, hasty.testedRun)
  const limited = caller(clock, 'c')
  const third = modelThrough([timeout({ modelMs: 500 }), middleware], model)(
    limited.call,
    limited.testedRun,
  )
  await clock.advance(0)
  await clock.advance(1000)
  const refused = await second
  assert.equal(refused.type === 'refused' && refused.limit, 'seconds')
  const late = await third
  assert.equal(late.type === 'failed' && late.error.code, 'timeout')
  assert.deepEqual(await first, generated('yes'))
})

test('[C-25] when the first caller’s budget refuses or its run breaks, the others make their own request', async () => {
  const clock = new SetClock()
  const refusal = { type: 'refused', by: 'budget', limit: 'money', message: 'none left' } as const
  const model = slowModel(clock, refusal, generated('yes'))
  const through = modelThrough([caching()], model)
  const running = ['a', 'b', 'c'].map((runId) => through(modelCall(), testRun({ runId, clock })))
  for (let time = 0; time < 4; time++) await clock.advance(1000)
  assert.deepEqual(await Promise.all(running), [refusal, generated('yes'), generated('yes', FREE)])

  let calls = 0
  const breaking = async (): Promise<ModelOutcome> => {
    if (calls++ === 0) throw new Error('the journal is gone')
    return generated('yes')
  }
  const broken = modelThrough([caching()], breaking)
  const [first, second] = ['a', 'b'].map((runId) => broken(modelCall(), testRun({ runId, clock })))
  assert.ok(first !== undefined && second !== undefined)
  await assert.rejects(first, /the journal is gone/)
  assert.deepEqual(await second, generated('yes'))
})

test('a truncated answer is only for its own caller; the others make their own request', async () => {
  const clock = new SetClock()
  const model = slowModel(clock, generated('y', { finish: 'length' }), generated('yes'))
  const through = modelThrough([caching()], model)
  const callers = ['a', 'b', 'c'].map((runId) => caller(clock, runId))
  const running = Promise.all(callers.map(({ call, testedRun }) => through(call, testedRun)))
  for (const ms of [0, 1000, 0, 1000]) await clock.advance(ms)
  assert.deepEqual(await running, [
    generated('y', { finish: 'length' }),
    generated('yes'),
    generated('yes', FREE),
  ])
})

test('an answer by another model than the one of the key is not kept', async () => {
  const testedRun = testRun()
  const model = modelOf(generated('b', { model: 'other/model' }), generated('a'))
  const through = modelThrough([caching()], model)
  assert.deepEqual(await through(modelCall(), testedRun), generated('b', { model: 'other/model' }))
  assert.deepEqual(await through(modelCall(), testedRun), generated('a'))
  assert.deepEqual(await through(modelCall(), testedRun), generated('a', FREE))
})

test('a failure of the shared request fails all callers', async () => {
  const clock = new SetClock()
  const model = slowModel(clock, failed('unavailable'))
  const through = modelThrough([caching()], model)
  const running = ['a', 'b'].map((runId) => through(modelCall(), testRun({ runId, clock })))
  await clock.advance(0)
  await clock.advance(1000)
  assert.deepEqual(await Promise.all(running), [failed('unavailable'), failed('unavailable')])
  assert.equal(model.asked.length, 1)
})

test('[C-25] answers are kept in a custom store under a hashed key, and found by another process', async () => {
  const kept = new Map<string, { value: unknown; ttlMs: number }>()
  const store: CacheStore = {
    get: async (key) => JSON.parse(JSON.stringify(kept.get(key)?.value ?? null)),
    set: async (key, value, ttlMs) => void kept.set(key, { value, ttlMs }),
  }
  const options: CachingOptions = { store, hash: (text) => `#${text.length}`, ttlMs: 7000 }
  const model = modelOf(generated('yes'))
  for (let time = 0; time < 2; time++) {
    await modelThrough([caching(options)], model)(modelCall(), testRun())
  }
  assert.equal(model.asked.length, 1)
  const [entry] = kept
  assert.match(entry?.[0] ?? '', /^#\d+$/)
  assert.equal(entry?.[1].ttlMs, 7000)
})

test('[C-25] a store that fails or is too slow does not fail the call', async () => {
  const never = new Promise<never>(() => undefined)
  const broken: CacheStore = {
    get: () => Promise.reject(new Error('no connection')),
    set: () => {
      throw new Error('no connection')
    },
  }
  const hanging: CacheStore = { get: () => never, set: () => never }
  for (const [store, message] of [
    [broken, 'no connection'],
    [hanging, 'no answer within 1000 ms'],
  ] as const) {
    const testedRun = testRun()
    const running = modelThrough([caching({ store })], modelOf(generated('yes')))(
      modelCall(),
      testedRun,
    )
    await testedRun.clock.advance(0)
    for (let time = 0; time < 3; time++) await testedRun.clock.advance(1000)
    assert.deepEqual(await running, generated('yes'))
    assert.deepEqual(
      testedRun.told.map(({ data }) => data),
      [
        { does: 'get', message },
        { does: 'set', message },
      ],
    )
  }
})

test('rejects invalid options', () => {
  assert.throws(() => caching({ ttlMs: 0 }), { code: 'INVALID_CONFIG' })
  assert.throws(() => caching({ storeMs: NaN }), { code: 'INVALID_CONFIG' })
})
