import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createAgent } from '../../packages/echelon/src/chat.ts'
import type { RunEvent } from '../../packages/echelon/src/core/agent/event.ts'
import type { Json } from '../../packages/echelon/src/core/value/json.ts'
import type { Middleware } from '../../packages/echelon/src/core/extension/defined-middleware.ts'
import type { BoundModel } from '../../packages/echelon/src/core/model/model.ts'
import {
  abResults,
  abSplit,
  costTracking,
  fallback,
  providerChoice,
  providerHealth,
  rateLimit,
  retry,
} from '../../packages/echelon/src/middleware.ts'
import { MemoryJournal } from '../../packages/echelon/src/runtime/journal/memory-journal.ts'
import {
  apiError,
  asBound,
  scriptedModel,
} from '../../packages/echelon/src/testing/scripted-model.ts'
import { SetClock } from '../../packages/echelon/src/testing/set-clock.ts'
import { add, asksToAdd, eventsOf, model, source } from './kit.ts'

const told = (events: readonly RunEvent[], name: string): readonly (readonly [string, Json])[] =>
  events.flatMap((event) =>
    event.type === 'middleware' && event.middleware === name
      ? [[event.event, event.data] as const]
      : [],
  )

/** The journal of a run of two answers, `r`, after the first and its tool call were recorded. */
async function brokenOff(
  use: readonly Middleware[],
  answering: BoundModel = model([asksToAdd(1, 2), 'three']),
): Promise<MemoryJournal> {
  const journal = new MemoryJournal()
  const agent = createAgent({ model: answering, tools: [add], use, journal })
  const { reason } = await agent.run('1 + 2?', { session: agent.session('s'), runId: 'r' }).result
  assert.equal(reason, 'stop')
  const entries = journal.read('r')
  const cut = new MemoryJournal()
  cut.append(
    'r',
    entries.slice(
      0,
      entries.findLastIndex(({ type }) => type === 'opened'),
    ),
  )
  return cut
}

describe('[C-34, DD-27] what an agent spends', () => {
  test('is added up over a conversation, and alerts once, also across a resume', async () => {
    const journal = await brokenOff([costTracking({ alertAt: 15, per: 'session' })])
    const amounts: number[] = []
    const agent = createAgent({
      model: model(['three', 'still three']),
      tools: [add],
      journal,
      use: [
        costTracking({
          alertAt: [15, 30, 45],
          per: 'session',
          onAlert: ({ alertAt }) => void amounts.push(alertAt),
        }),
      ],
    })
    const session = agent.session('s')
    const run = await agent.resume('r', { session })
    const events = eventsOf(run)
    const { state } = await run.result
    assert.deepEqual(state.middleware.costTracking.total, {
      calls: 2,
      unpriced: 0,
      failed: 0,
      input: 20,
      output: 10,
      money: 30,
    })
    assert.deepEqual(told(await events, 'costTracking'), [
      ['alert', { alertAt: 30, money: 30, unpriced: 0, per: 'session', model: 'scripted/one' }],
    ])
    const next = await agent.run('sure?', { session, caller: 'ada' }).result
    assert.equal(next.state.middleware.costTracking.callers['ada']?.money, 15)
    assert.deepEqual(amounts, [30, 45])
  })

  test('includes every attempt by any model if the middleware is innermost', async () => {
    const busy = { error: apiError(503) }
    const models = source({ 'b/two': model(['hello'], 'b/two') })
    const agent = createAgent({
      model: model([busy, busy], 'a/one'),
      registry: models,
      use: [fallback(['b/two']), retry({ retries: 1, baseMs: 1 }), costTracking()],
    })
    const { state } = await agent.run('hi').result
    const { models: by } = state.middleware.costTracking
    assert.deepEqual([by['a/one']?.failed, by['b/two']?.calls], [2, 1])
  })
})

describe('[C-34] a rate limit of an agent', () => {
  test('makes runs wait for each other; a cancel ends the wait', async () => {
    const clock = new SetClock()
    const agent = createAgent({
      model: model(['one', 'two']),
      clock,
      use: [rateLimit({ requestsPerMinute: 1, maxWaitMs: 90_000 })],
    })
    const runs = ['1', '2', '3'].map((input) => agent.run(input))
    const [first, canceled, last] = runs
    assert.ok(first !== undefined && canceled !== undefined && last !== undefined)
    assert.equal((await first.result).text, 'one')
    await clock.advance(1000)
    canceled.cancel()
    assert.equal((await canceled.result).reason, 'canceled')
    await clock.advance(59_000)
    assert.equal((await last.result).text, 'two')
    assert.equal(clock.pending, 0)
  })

  test('is the reason of the end if a call would wait too long', async () => {
    const agent = createAgent({
      model: model(['one']),
      use: [rateLimit({ requestsPerMinute: 1, maxWaitMs: 0 })],
    })
    await agent.run('1').result
    const { reason, detail } = await agent.run('2').outcome
    assert.equal(reason, 'rate-limit')
    assert.match(detail ?? '', /scripted\/one is called as often as its limit allows/)
  })

  test('is shared by all agents with the same middleware', async () => {
    const limit = rateLimit({ requestsPerMinute: 1, maxWaitMs: 0 })
    const one = createAgent({ model: model(['one']), use: [limit] })
    const two = createAgent({ model: model(['two']), use: [limit] })
    assert.equal((await one.run('1').result).text, 'one')
    assert.equal((await two.run('2').outcome).reason, 'rate-limit')
  })
})

describe('[C-34] the health of an agent’s models', () => {
  test('can be read alongside the runs, and is not journaled', async () => {
    const journal = await brokenOff([providerHealth()])
    assert.ok(!JSON.stringify(journal.read('r')).includes('providerHealth":'))
    const health = providerHealth({ downAfter: 2 })
    const busy = { error: apiError(503) }
    const agent = createAgent({
      model: model(['hello', busy, busy]),
      use: [health],
      errorHandling: { retries: 0 },
    })
    const { state } = await agent.run('1').result
    assert.equal(state.middleware.providerHealth.models['scripted/one']?.outcomes, '+')
    assert.equal(health.health()['scripted/one']?.health, 'healthy')
    await agent.run('2').outcome
    const run = agent.run('3')
    const events = await eventsOf(run)
    const { health: now, errorRate, lastFailure } = health.health()['scripted/one'] ?? {}
    assert.deepEqual([now, errorRate, lastFailure?.code], ['down', 2 / 3, 'unavailable'])
    assert.equal(told(events, 'providerHealth')[0]?.[0], 'change')
  })

  test('is common to agents that share their states', async () => {
    const sharedStates = new Map<string, Json>()
    const health = [providerHealth(), providerHealth()] as const
    for (const middleware of health) {
      await createAgent({ model: model(['hi']), use: [middleware], sharedStates }).run('1').result
    }
    assert.equal(health[0].health()['scripted/one']?.calls, 2)
  })
})

describe('[C-34] a choice among an agent’s models', () => {
  test('finds the best model during a conversation', async () => {
    const busy = { error: apiError(503) }
    const models = source({
      'a/flaky': model([busy, busy, busy], 'a/flaky'),
      'b/good': model(
        Array.from({ length: 20 }, () => 'fine'),
        'b/good',
      ),
    })
    const agent = createAgent({
      model: model([]),
      registry: models,
      errorHandling: { retries: 0 },
      use: [providerChoice({ models: ['a/flaky', 'b/good'], explore: 0 })],
    })
    const session = agent.session()
    for (let turn = 0; turn < 8; turn++) {
      assert.equal((await agent.run(`${turn}`, { session }).result).text, 'fine')
    }
    const run = agent.run('and now?', { session })
    const events = await eventsOf(run)
    const [event, data] = told(events, 'providerChoice')[0] ?? []
    assert.equal(event, 'choose')
    assert.match(JSON.stringify(data), /^\{"model":"b\/good","why":"kept","figures":\{"a\/flaky":/)
    const { current } = (await run.result).state.middleware.providerChoice
    assert.equal(current, 'b/good')
  })

  test('does not fail a run because its budget cannot afford a model', async () => {
    const dear = asBound(scriptedModel([]), 'a/dear', ({ output }) => output)
    const cheap = asBound(scriptedModel(['1', '2']), 'b/cheap', () => 0.01)
    const agent = createAgent({
      model: dear,
      use: [providerChoice({ models: [dear, cheap] })],
      limits: { money: 0.5 },
    })
    for (const text of ['1', '2']) assert.equal((await agent.run('hi').result).text, text)
  })

  test('is made again on resume, and recorded answers stay', async () => {
    const first = model([asksToAdd(1, 2), 'three'], 'a/one')
    const second = model(['three'], 'b/two')
    const journal = await brokenOff(
      [providerChoice({ models: [first, second], trials: 1, explore: 0 })],
      first,
    )
    assert.ok(!JSON.stringify(journal.read('r')).includes('providerChoice":'))
    const sharedStates = new Map<string, Json>()
    const other = createAgent({
      model: model([], 'a/one'),
      registry: source({
        'b/two': model([], 'b/two'),
        'c/three': model(['3, at last'], 'c/three'),
      }),
      tools: [add],
      use: [providerChoice({ models: ['c/three', 'b/two'], trials: 1, explore: 0 })],
      journal,
      sharedStates,
    })
    const { text, messages } = await (
      await other.resume('r', { session: other.session('s') })
    ).result
    assert.equal(text, '3, at last')
    assert.equal(messages.filter(({ role }) => role === 'tool').length, 1)
    assert.match(JSON.stringify([...sharedStates]), /"c\/three":\{"calls":1/)
  })
})

describe('[C-34] a split of an agent’s conversations', () => {
  const models = () =>
    source({
      'a/old': model(
        Array.from({ length: 50 }, () => 'old'),
        'a/old',
      ),
      'b/new': model(
        Array.from({ length: 50 }, () => 'new'),
        'b/new',
      ),
    })

  test('gives each its variant in all its turns, and figures to compare', async () => {
    const results = abResults()
    const agent = createAgent({
      model: 'a/old',
      registry: models(),
      use: [
        abSplit({
          experiment: 'model',
          variants: [{ name: 'old' }, { name: 'new', model: 'b/new' }],
          judge: ({ text }) => text === 'new',
          results,
        }),
      ],
    })
    const texts = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const session = agent.session(`conversation ${index}`)
        const first = await agent.run('1', { session }).result
        const second = await agent.run('2', { session }).result
        assert.equal(first.text, second.text)
        assert.equal(second.state.middleware.abSplit.variant, second.text)
        return first.text
      }),
    )
    const { old, new: fresh } = results.figures()
    assert.equal((old?.runs ?? 0) + (fresh?.runs ?? 0), 40)
    assert.equal(fresh?.runs, 2 * texts.filter((text) => text === 'new').length)
    assert.deepEqual([old?.success.value, fresh?.success.value], [0, 1])
    assert.deepEqual([old?.cost.value, fresh?.tokens.value], [15, 15])
    assert.ok((results.compare('new', 'old').success.low ?? 0) > 0)
  })

  test('counts each call of a sub-agent, and a repeated turn once', async () => {
    const results = abResults()
    const expert = createAgent({
      name: 'expert',
      model: model(['one', 'two']),
      use: [abSplit({ experiment: 'model', variants: [{ name: 'a' }, { name: 'b' }], results })],
    })
    const asks = ['this', 'that'].map((task) => ({ tool: 'expert', input: { task } }))
    const agent = createAgent({
      model: model([{ toolCalls: asks }, 'done']),
      tools: [expert.asTool({ name: 'expert', description: 'knows' })],
    })
    await agent.run('both').result
    const runs = (): number =>
      Object.values(results.figures()).reduce((sum, figures) => sum + figures.runs, 0)
    assert.equal(runs(), 2)
    const took = { experiment: 'model', success: true, cost: 1, tokens: 1, ms: 1 }
    const elsewhere = { runId: 'elsewhere', turn: '1', variant: 'a', ...took }
    for (const run of [elsewhere, elsewhere]) results.add(run)
    assert.equal(runs(), 3)
  })

  test('keeps the recorded variant when the weights change', async () => {
    const split = (old: number, fresh: number, results = abResults()) =>
      abSplit({
        experiment: 'model',
        variants: [
          { name: 'old', weight: old },
          { name: 'new', weight: fresh, instructions: 'Be new.' },
        ],
        results,
      })
    const journal = await brokenOff([split(1, 0)])
    const results = abResults()
    const agent = createAgent({
      model: model(['three']),
      tools: [add],
      journal,
      use: [split(0, 1, results)],
    })
    const run = await agent.resume('r', { session: agent.session('s') })
    const events = await eventsOf(run)
    const { state } = await run.result
    assert.equal(state.middleware.abSplit.variant, 'old')
    assert.deepEqual(
      told(events, 'abSplit').map(([event]) => event),
      ['result'],
    )
    const { old } = results.figures()
    assert.deepEqual([old?.runs, old?.cost.value], [1, 30], 'the answer before the break counts')
  })
})
