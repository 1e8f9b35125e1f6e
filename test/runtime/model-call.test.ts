import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import type { RunEvent } from '../../packages/echelon/src/core/agent/event.ts'
import type { BoundModel, Price } from '../../packages/echelon/src/core/model/model.ts'
import type { Observation } from '../../packages/echelon/src/core/agent/observation.ts'
import { Thread, userMessage } from '../../packages/echelon/src/core/message/thread.ts'
import { defineTool } from '../../packages/echelon/src/core/tool/tool.ts'
import { normalizeChatError } from '../../packages/echelon/src/providers/errors/chat.ts'
import { type Run, startRun } from '../../packages/echelon/src/runtime/run.ts'
import {
  apiError,
  asBound,
  type ScriptedAnswer,
  type ScriptedModel,
  scriptedModel,
} from '../../packages/echelon/src/testing/scripted-model.ts'
import type { SetClock } from '../../packages/echelon/src/testing/set-clock.ts'
import {
  generate,
  only,
  performing,
  settled,
  sleepOn,
  toEnd,
  type Step,
  type World,
  world,
} from './kit.ts'

type Given = Omit<NonNullable<Parameters<typeof world>[0]>, 'models'> & { readonly price?: Price }

interface Trial extends World {
  readonly model: ScriptedModel
  readonly run: Run<readonly Observation[]>
  readonly seen: Promise<readonly Observation[]>
}

/** A run that calls one scripted model, started and in progress. */
function trial(
  script: readonly ScriptedAnswer[],
  steps: readonly Step[],
  { price, ...given }: Given = {},
): Trial {
  const later: { clock?: SetClock } = {}
  const model = scriptedModel(script, {
    sleep: (ms, signal) => {
      assert.ok(later.clock !== undefined)
      return sleepOn(later.clock).sleep?.(ms, signal) ?? Promise.resolve()
    },
  })
  const bound = asBound(model, 'scripted/small', price)
  const small = { ...bound, normalizeError: normalizeChatError }
  const made = world({ ...given, models: { small } })
  later.clock = made.clock
  const run = startRun(performing(steps), null, made.services)
  return { ...made, model, run, seen: toEnd(run, made.clock).then(({ result }) => result) }
}

const ofType = <Type extends RunEvent['type']>(
  events: readonly RunEvent[],
  type: Type,
): Extract<RunEvent, { type: Type }>[] =>
  events.filter((event): event is Extract<RunEvent, { type: Type }> => event.type === type)

const shown = generate({ show: 'user' })
const perMillion =
  (input: number, output: number): Price =>
  (usage) =>
    (usage.input * input + usage.output * output) / 1e6

test('an answer has the text, model, usage and cost', async () => {
  const { seen, run, model, clock } = trial(
    [{ text: '345', usage: { input: 20, output: 3 } }],
    [generate()],
    { price: perMillion(100, 1000) },
  )
  assert.deepEqual(only(await seen), {
    type: 'generated',
    text: '345',
    calls: [],
    finish: 'stop',
    model: 'scripted/small',
    usage: { input: 20, output: 3 },
    cost: 0.005,
  })
  const { seconds, ...spent } = run.spent
  assert.equal(seconds, 0)
  assert.deepEqual(spent, {
    steps: 1,
    'calls.small': 1,
    'input.small': 20,
    'output.small': 3,
    tokens: 23,
    money: 0.005,
    'money.small': 0.005,
  })
  assert.equal(clock.pending, 0)
  model.assertComplete()
})

test('the model gets the settings of the effect, and nothing else', async () => {
  const calculator = defineTool({
    name: 'add',
    description: 'adds',
    input: z.object({ a: z.number() }),
    run: () => null,
  })
  const schema = { type: 'object', properties: {} } as const
  const { seen, model } = trial(
    ['1', '2'],
    [
      generate({
        sampling: { temperature: 0.1, seed: 7 },
        maxTokens: 500,
        schema,
        tools: ['add', 'slow'],
      }),
      generate(),
    ],
    { tools: [calculator] },
  )
  await seen
  const [full, plain] = model.calls
  const { abortSignal, prompt, ...options } = full ?? { prompt: [] }
  assert.ok(abortSignal instanceof AbortSignal)
  assert.deepEqual(prompt, [userMessage('how much is 15 * 23?')])
  assert.deepEqual(options, {
    maxOutputTokens: 500,
    temperature: 0.1,
    seed: 7,
    responseFormat: { type: 'json', name: 'answer', schema },
    tools: [
      { type: 'function', name: 'add', description: 'adds', inputSchema: calculator.jsonSchema },
    ],
  })
  assert.deepEqual(Object.keys(plain ?? {}).toSorted(), [
    'abortSignal',
    'maxOutputTokens',
    'prompt',
  ])
})

test('finish reasons are mapped; those that are failures are retried', async () => {
  const reasons = ['stop', 'length', 'tool-calls', 'content-filter', 'other'] as const
  const { seen } = trial(
    reasons.map((finishReason) => ({ text: '1', finishReason })),
    reasons.map(() => generate()),
  )
  const finishes = (await seen).map((one) => one.type === 'generated' && one.finish)
  assert.deepEqual(finishes, ['stop', 'length', 'tools', 'filter', 'stop'])
  const broken = trial([{ text: '1', finishReason: 'error' }, '2'], [generate()])
  const answer = only(await broken.seen)
  assert.ok(answer.type === 'generated' && answer.text === '2')
})

test('[R13.2] [R21.1] [R21.2] [DD-12] a failing model is tried three times, half a second and a second apart', async () => {
  const { clock, model, seen, events, run } = trial(
    [{ error: apiError(503) }, { error: apiError(503) }, { error: apiError(500) }],
    [generate()],
  )
  const at: number[] = []
  const began = clock.now()
  for (const calls of [1, 2, 3]) {
    while (model.calls.length < calls) await clock.advance(1)
    at.push(clock.now() - began)
  }
  const failed = only(await seen)
  assert.ok(failed.type === 'failed')
  assert.deepEqual(failed.error, {
    code: 'unavailable',
    message: 'status 500',
    model: 'scripted/small',
    retryable: true,
    attempts: 3,
  })
  const [first = -1, second = 0, third = 0] = at
  assert.ok(first <= 1)
  assert.ok(second - first >= 400 && second - first <= 602, at.join())
  assert.ok(third - second >= 800 && third - second <= 1202, at.join())
  assert.deepEqual(
    ofType(events, 'retry-wait').map(({ problem }) => problem.attempts),
    [1, 2],
  )
  assert.equal(run.spent['calls.small'], 3, 'every attempt counts')
  assert.equal(clock.pending, 0)
})

test('[R4.3] [DD-12] a wait that the provider asks for is respected', async () => {
  const { clock, model, seen } = trial(
    [{ error: apiError(429, { headers: { 'retry-after': '9' } }) }, '345'],
    [generate()],
  )
  const began = clock.now()
  const answer = only(await seen)
  assert.ok(answer.type === 'generated')
  assert.equal(model.calls.length, 2)
  assert.ok(clock.now() - began >= 9000)
})

test('[DD-12] a permanent failure is not retried', async () => {
  const hopeless = [
    [apiError(429, { code: 'insufficient_quota' }), 'quota'],
    [apiError(404, { code: 'model_not_found' }), 'not-found'],
    [apiError(400, { code: 'context_length_exceeded' }), 'context-length'],
    [apiError(401), 'auth'],
    [new Error('a bug in the provider'), 'unknown'],
  ] as const
  for (const [error, code] of hopeless) {
    const { model, seen } = trial([{ error }], [generate()])
    const failed = only(await seen)
    assert.ok(failed.type === 'failed')
    assert.equal(failed.error.code, code)
    assert.equal(failed.error.attempts, 1)
    model.assertComplete()
  }
})

test('[DD-12] [R21.2] [R21.5] each attempt needs budget; without it the first failure stays', async () => {
  const down: ScriptedAnswer = { error: apiError(503) }
  const { model, seen } = trial([down, down], [generate(), generate()], {
    limits: { 'calls.small': 2 },
  })
  const [failed, refused] = await seen
  assert.ok(failed?.type === 'failed')
  assert.equal(failed.error.attempts, 2)
  assert.equal(model.calls.length, 2)
  assert.ok(refused?.type === 'refused')
  assert.deepEqual([refused.by, refused.limit], ['budget', 'calls.small'])
})

test('a role without a model is a failure, not a crash', async () => {
  const { seen } = trial([], [generate({ role: 'big' })])
  const failed = only(await seen)
  assert.ok(failed.type === 'failed')
  assert.equal(failed.error.code, 'not-found')
  assert.match(failed.error.message, /no model is bound to the role big/)
})

test('[DD-13] the end of the run’s time ends a call in its middle', async () => {
  const { clock, seen, run } = trial(
    [{ text: 'late', delayMs: 60_000 }],
    [generate(), generate()],
    {
      limits: { seconds: 2 },
    },
  )
  const [first, second] = await seen
  for (const refused of [first, second]) {
    assert.ok(refused?.type === 'refused')
    assert.deepEqual([refused.by, refused.limit], ['budget', 'seconds'])
  }
  assert.equal(run.spent['seconds'], 2)
  assert.equal(run.spent['steps'], 1, 'the second was not begun')
  assert.equal(clock.pending, 0)
})

test('a retry whose wait exceeds the run’s time is skipped', async () => {
  const { model, seen } = trial(
    [{ error: apiError(429, { headers: { 'retry-after': '30' } }) }],
    [generate()],
    {
      limits: { seconds: 20 },
    },
  )
  const failed = only(await seen)
  assert.ok(failed.type === 'failed')
  assert.equal(failed.error.code, 'rate-limit')
  model.assertComplete()
})

test('[R21.2] a retry that the budget would refuse is skipped without waiting', async () => {
  const down: ScriptedAnswer = { error: apiError(503) }
  const { clock, model, seen, events } = trial([down], [generate()], {
    limits: { 'calls.small': 1 },
  })
  const began = clock.now()
  const failed = only(await seen)
  assert.ok(failed.type === 'failed')
  assert.equal(failed.error.attempts, 1)
  assert.ok(clock.now() - began < 100, 'nobody waited')
  assert.deepEqual(ofType(events, 'retry-wait'), [])
  model.assertComplete()
})

test('[R4.2, R13.4] each attempt has its own time limit, and a late answer is retried', async () => {
  const late = { text: 'late', delayMs: 60_000 }
  const slow = trial([late, late, late], [generate({ timeoutMs: 1500 })])
  const failed = only(await slow.seen)
  assert.ok(failed.type === 'failed')
  assert.deepEqual(failed.error, {
    code: 'timeout',
    message: 'scripted/small did not answer within its limit of 1.5 s',
    model: 'scripted/small',
    retryable: true,
    attempts: 3,
  })
  assert.equal(slow.clock.pending, 0)
  slow.model.assertComplete()
  const second = trial([late, 'in time'], [generate({ timeoutMs: 1500 })])
  const answer = only(await second.seen)
  assert.ok(answer.type === 'generated')
  assert.equal(answer.text, 'in time')
  assert.equal(second.run.spent['calls.small'], 2)
})

test('[DD-20] a rejected attempt costs one call; a late one has unknown cost unless the model is free', async () => {
  const rejected = trial([{ error: apiError(503) }, '345'], [generate()], { price: () => 0.5 })
  await rejected.seen
  assert.equal(rejected.run.spent['calls.small'], 2)
  assert.equal(rejected.run.spent['money.small'], 0.5)
  assert.equal(rejected.run.spent['unpriced.small'], undefined)
  const late = { text: 'late', delayMs: 60_000 }
  const cases = [
    [0.5, 1],
    [0, undefined],
  ] as const
  for (const [price, unpriced] of cases) {
    const slow = trial([late, '345'], [generate({ timeoutMs: 9 })], { price: () => price })
    await slow.seen
    assert.equal(slow.run.spent['unpriced.small'], unpriced)
  }
})

test('[DD-20] a call that reached no server costs nothing, and neither do its retries', async () => {
  const cause = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
  const error = Object.assign(new Error('Cannot connect'), { name: 'AI_APICallError', cause })
  const dead: ScriptedAnswer = { error }
  const { seen, run } = trial([dead, dead, dead, '345'], [generate(), generate()], {
    price: () => 0.5,
    limits: { money: 0.6 },
  })
  const [failed, answered] = await seen
  assert.ok(failed?.type === 'failed')
  assert.deepEqual([failed.error.code, failed.error.attempts], ['unavailable', 3])
  assert.equal(answered?.type, 'generated')
  assert.equal(run.spent['calls.small'], 4)
  assert.equal(run.spent['money'], 0.5)
  assert.equal(run.spent['unpriced.small'], undefined)
})

test('a model that ignores the abort signal is abandoned', async () => {
  const deaf: BoundModel = asBound({
    ...scriptedModel([]),
    doGenerate: () => new Promise(() => undefined),
  })
  const { services, clock } = world({ models: { small: deaf } })
  const run = startRun(performing([generate({ timeoutMs: 1000 })]), null, services)
  const { result } = await toEnd(run, clock)
  assert.ok(only(result).type === 'failed')
  assert.equal(clock.pending, 0)
})

test('[DD-22] a cancel ends a call at once', async () => {
  const { run, seen, clock, model } = trial(
    [{ text: 'late', delayMs: 60_000 }],
    [generate(), generate()],
  )
  await settled()
  const began = clock.now()
  run.cancel()
  assert.deepEqual(await seen, [{ type: 'canceled', by: 'user' }])
  assert.ok(clock.now() - began < 1000)
  assert.equal(clock.pending, 0)
  assert.ok(model.calls[0]?.abortSignal?.aborted)
})

test('a call that is canceled before it is sent is not made and costs nothing', async () => {
  const model = scriptedModel([])
  const { services, clock } = world({
    models: { small: asBound(model) },
    limits: { tokens: 10_000 },
    journal: { append: () => Promise.resolve().then(() => run.cancel()), read: () => [] },
  })
  const run: Run<readonly Observation[]> = startRun(performing([generate()]), null, services)
  assert.deepEqual((await toEnd(run, clock)).result, [{ type: 'canceled', by: 'user' }])
  assert.equal(model.calls.length, 0)
  assert.equal(run.spent['tokens'] ?? 0, 0)
})

test('text streams only if it is shown to the user and has a listener', async () => {
  const { seen, events } = trial([{ text: ['3', '45'] }], [shown])
  await seen
  assert.deepEqual(
    ofType(events, 'text-delta').map(({ delta }) => delta),
    ['3', '45'],
  )
  const hidden = trial([{ text: ['3', '45'] }], [generate({ show: 'nobody' })])
  await hidden.seen
  assert.deepEqual(ofType(hidden.events, 'text-delta'), [])
  const unwatched = trial([{ text: ['3', '45'] }], [shown], { quiet: true })
  const answer = only(await unwatched.seen)
  assert.ok(answer.type === 'generated' && answer.text === '345')
})

/** The text that a reader sees in the end, after every `text-drop`. */
function visible(events: readonly RunEvent[]): string {
  let text = ''
  for (const event of events) {
    if (event.type === 'text-delta') text += event.delta
    if (event.type === 'text-drop') text = ''
  }
  return text
}

test('a stream that breaks after visible text is discarded and not retried', async () => {
  const breaks: readonly ScriptedAnswer[] = [
    { error: apiError(200, { isRetryable: true }), after: ['3', '9'] },
    { error: apiError(503), after: ['39'], as: 'part' },
    { text: ['3', '9'], finishReason: 'error' },
  ]
  for (const broken of breaks) {
    const { seen, events } = trial([broken], [shown])
    const failed = only(await seen)
    assert.ok(failed.type === 'failed')
    assert.deepEqual([failed.error.code, failed.error.attempts], ['unavailable', 1])
    assert.equal(visible(events), '')
    assert.equal(ofType(events, 'text-drop').length, 1)
  }
})

test('a stream that breaks before any text drops nothing', async () => {
  const { seen, events } = trial(
    [{ error: apiError(503) }, { error: apiError(503), after: [] }, '345'],
    [shown],
  )
  await seen
  assert.equal(ofType(events, 'text-drop').length, 0)
  assert.equal(visible(events), '345')
})

test('a stream that reports a permanent error is a failure, and its text is dropped', async () => {
  const { seen, events } = trial(
    [{ error: { message: 'over', code: 'insufficient_quota' }, after: ['3'], as: 'part' }],
    [shown],
  )
  const failed = only(await seen)
  assert.ok(failed.type === 'failed')
  assert.equal(failed.error.code, 'quota')
  assert.equal(visible(events), '')
})

test('a stream without a finish part is retried', async () => {
  const model = scriptedModel(['345'])
  let opened = 0
  const endless: BoundModel = asBound({
    ...model,
    doStream: (options) =>
      opened++ > 0
        ? model.doStream(options)
        : Promise.resolve({
            stream: ReadableStream.from([{ type: 'text-start', id: '1' } as const]),
          }),
  })
  const { services, clock, events } = world({ models: { small: endless } })
  const run = startRun(performing([shown]), null, services)
  const answer = only((await toEnd(run, clock)).result)
  assert.ok(answer.type === 'generated' && answer.text === '345')
  assert.equal(visible(events), '345')
})

test('a stream that continues after its call was aborted is ignored and closed', async () => {
  let speak: (delta: string) => void = () => undefined
  let closed = false
  const stream = new ReadableStream({
    start(controller) {
      speak = (delta) => controller.enqueue({ type: 'text-delta', id: '1', delta } as const)
    },
    cancel() {
      closed = true
    },
  })
  const deaf: BoundModel = asBound({ ...scriptedModel([]), doStream: async () => ({ stream }) })
  const { services, clock, events } = world({ models: { small: deaf } })
  const run = startRun(performing([generate({ show: 'user', timeoutMs: 1000 })]), null, services)
  await settled()
  speak('3')
  await toEnd(run, clock)
  const before = events.length
  speak('9')
  await settled()
  assert.equal(events.length, before)
  assert.ok(closed)
})

test('warnings of a model are emitted', async () => {
  const model: BoundModel = asBound({
    ...scriptedModel([]),
    doGenerate: async () => ({
      content: [{ type: 'text', text: '1' }],
      finishReason: { unified: 'stop', raw: 'stop' },
      usage: {
        inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
        outputTokens: { total: 1, text: 1, reasoning: undefined },
      },
      warnings: [
        { type: 'unsupported', feature: 'seed' },
        { type: 'other', message: 'slow today' },
      ],
    }),
  })
  const { services, clock, events } = world({ models: { small: model } })
  await toEnd(startRun(performing([generate()]), null, services), clock)
  const messages = ofType(events, 'model-warning').map(({ message }) => message)
  assert.deepEqual(messages, ['seed: unsupported', 'slow today'])
})

// ---- limits of tokens and money ----

test('a call whose worst case exceeds the token limit is not made', async () => {
  const { model, seen } = trial([], [generate()], { limits: { tokens: 60 } })
  const refused = only(await seen)
  assert.ok(refused.type === 'refused')
  assert.deepEqual([refused.by, refused.limit], ['budget', 'tokens'])
  model.assertComplete()
})

test('the answer limit is clamped to the rest of the budget and sent to the model', async () => {
  const { model, seen, run } = trial(
    [
      { text: '345', usage: { input: 12, output: 3 } },
      { text: '345', usage: { input: 12, output: 3 } },
    ],
    [generate({ maxTokens: 5000 }), generate({ maxTokens: 20 })],
    { limits: { tokens: 400 } },
  )
  await seen
  const [first, second] = model.calls
  const most = first?.maxOutputTokens ?? 0
  assert.ok(most > 16 && most < 400)
  assert.equal(second?.maxOutputTokens, 20)
  assert.equal(run.spent['tokens'], 30, 'settled at what was really used')
})

test('a call of unknown price is not made under a money limit', async () => {
  const { model, seen } = trial([], [generate()], { limits: { money: 1 }, price: () => null })
  const refused = only(await seen)
  assert.ok(refused.type === 'refused')
  assert.equal(refused.limit, 'money')
  assert.equal(refused.cause, 'unknown-price')
  assert.match(refused.message, /the price of scripted\/small is unknown/)
  model.assertComplete()
})

test('an unknown price without a money limit is unknown, not 0', async () => {
  const { seen, run } = trial(['345'], [generate()], { price: () => null })
  const answer = only(await seen)
  assert.ok(answer.type === 'generated')
  assert.equal(answer.cost, null)
  assert.equal(run.spent['unpriced.small'], 1)
  assert.equal(run.spent['money'], undefined)
})

test('[DD-12] the money limit is never exceeded, however often the model fails, is cut off or reports no usage', async () => {
  const limit = 0.01
  const price = perMillion(5, 30)
  for (let round = 0; round < 20; round++) {
    const wild: ScriptedAnswer[] = [
      { error: apiError(503) },
      { text: '1', usage: null },
      { error: apiError(200, { isRetryable: true }), after: ['1'] },
      ({ maxOutputTokens = 0 }) => ({
        text: '2',
        usage: { input: 40, output: Math.min(200, maxOutputTokens) },
      }),
    ]
    const rotated = [...wild.slice(round % 4), ...wild.slice(0, round % 4)]
    const script = Array.from(
      { length: 200 },
      (_, index): ScriptedAnswer => rotated[(index * (1 + (round % 3))) % 4] ?? '',
    )
    const steps = Array.from({ length: 40 }, () => generate({ maxTokens: 16 + 40 * round }))
    const { seen, run, model } = trial(script, steps, { limits: { money: limit }, price })
    const last = (await seen).at(-1)
    assert.ok((run.spent['money'] ?? 0) <= limit, String(run.spent['money']))
    assert.ok(model.calls.length > 0)
    assert.ok(
      round === 0 ||
        last?.type === 'refused' ||
        last?.type === 'generated' ||
        last?.type === 'failed',
    )
  }
})

test('a known prefix counts at its known usage, so that a conversation fits although its bytes would not', async () => {
  const first = Thread.of([userMessage('x'.repeat(300))])
  const longer = first.add(userMessage('and?'))
  const usage = { input: 80, output: 2 }
  const steps = [
    generate({ messages: first, maxTokens: 16 }),
    generate({ messages: longer, maxTokens: 16 }),
  ]
  const limits = { tokens: 500 }
  const known = trial(
    [
      { text: '1', usage },
      { text: '2', usage },
    ],
    steps,
    { limits },
  )
  assert.deepEqual(
    (await known.seen).map(({ type }) => type),
    ['generated', 'generated'],
  )
  const stranger = Thread.of([...longer.toArray()])
  const forgotten = trial(
    [{ text: '1', usage }],
    [steps[0] ?? shown, generate({ messages: stranger })],
    { limits },
  )
  assert.deepEqual(
    (await forgotten.seen).map(({ type }) => type),
    ['generated', 'refused'],
  )
})

test('tokens counted by one model are not used for another', async () => {
  const messages = Thread.of([userMessage('x'.repeat(300))])
  const usage = { input: 10, output: 2 }
  const [small, big] = [scriptedModel([{ text: '1', usage }]), scriptedModel([])]
  const { services, clock } = world({
    models: { small: asBound(small, 'scripted/small'), big: asBound(big, 'scripted/big') },
    limits: { tokens: 390 },
  })
  const steps = [
    generate({ messages, maxTokens: 16 }),
    generate({ messages, role: 'big', maxTokens: 16 }),
  ]
  const { result } = await toEnd(startRun(performing(steps), null, services), clock)
  assert.deepEqual(
    result.map(({ type }) => type),
    ['generated', 'refused'],
  )
  assert.equal(big.calls.length, 0)
})

test('votes under a tight limit wait for each other, and each is clamped to the rest of the budget', async () => {
  const usage = { input: 12, output: 3 }
  const answers = ['1', '2', '3'].map((text): ScriptedAnswer => ({ text, usage, delayMs: 100 }))
  const { seen, run, model } = trial(
    answers,
    [{ type: 'together', effects: [generate(), generate(), generate()] }],
    { limits: { tokens: 400 } },
  )
  const together = only(await seen)
  assert.ok(together.type === 'together')
  const texts = together.observations.map((one) => one.type === 'generated' && one.text)
  assert.deepEqual(texts, ['1', '2', '3'])
  assert.equal(run.spent['tokens'], 45)
  assert.ok(model.calls.every(({ maxOutputTokens = 0 }) => maxOutputTokens < 400))
})

test('votes that fit into the budget together run in parallel', async () => {
  const answers = ['1', '2', '3'].map((text): ScriptedAnswer => ({ text, delayMs: 1000 }))
  const votes = { type: 'together', effects: [generate(), generate(), generate()] } as const
  const { seen, clock } = trial(answers, [votes])
  const began = clock.now()
  await seen
  assert.ok(clock.now() - began < 2000)
})
