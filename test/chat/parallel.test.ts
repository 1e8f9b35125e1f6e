import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { Agent } from '../../packages/echelon/src/agents/chat/chat-agent.ts'
import { createAgent } from '../../packages/echelon/src/chat.ts'
import type { RunEvent } from '../../packages/echelon/src/core/agent/event.ts'
import type { Entry, Journal } from '../../packages/echelon/src/core/journal/journal.ts'
import { fallback, parallel } from '../../packages/echelon/src/middleware.ts'
import { MemoryJournal } from '../../packages/echelon/src/runtime.ts'
import { apiError, asBound, type ScriptedAnswer, scriptedModel, SetClock } from 'echelon/testing'
import { add, asksToAdd, eventsOf, isError, model, source } from './kit.ts'

const SLOW = 60_000

const shownIn = (events: readonly RunEvent[]): string =>
  events.flatMap((event) => (event.type === 'text-delta' ? [event.delta] : [])).join('')

describe('[C-34] an agent that calls several models at once', () => {
  const late = { text: ['too ', 'late'], delayMs: SLOW }

  test('returns the first good answer and settles the loser: under limits at its worst case', async () => {
    // Its own model is slow twice: the second call of the turn would not fit if the first were still reserved.
    const registry = source({ 'b/fast': model([asksToAdd(1, 2), 'three'], 'b/fast') })
    const own = model([late, late], 'a/slow')
    const agent = createAgent({
      model: own,
      registry,
      tools: [add],
      use: [parallel(['b/fast'], { mode: 'first' })],
      configureOptions: (options) => ({ ...options, maxTokens: 100 }),
      limits: { money: 2000, tokens: 2000, calls: 4 },
    })
    const run = agent.run('1 + 2?')
    const { text, usage, cost } = await run.result
    assert.equal(text, 'three')
    assert.deepEqual(usage, { input: 20, output: 10 })
    const { spent } = run
    assert.equal(spent['calls.main'], 4)
    // Two answers used 15 tokens each; two aborted calls are charged at their reservation.
    const held = (spent['money'] ?? 0) - 30
    assert.ok(held > 2 * 100 && held < 2000)
    assert.equal(spent['tokens'], spent['money'])
    assert.equal(cost, spent['money'])
  })

  test("without limits the loser's tokens are unknown, and so is the cost", async () => {
    const registry = source({ 'b/fast': model(['here'], 'b/fast') })
    const use = [parallel(['b/fast'], { mode: 'first' })]
    const run = createAgent({ model: model([late], 'a/slow'), registry, use }).run('Where?')
    const { text, cost } = await run.result
    assert.deepEqual([text, cost], ['here', null])
    assert.deepEqual([run.spent['calls.main'], run.spent['unpriced.main']], [2, 1])
  })

  test('if money is short one model waits for the other, and is not called if that answer was good', async () => {
    const registry = source({ 'b/second': model([], 'b/second') })
    const run = createAgent({
      model: model(['good'], 'a/first'),
      registry,
      use: [parallel(['b/second'], { mode: 'first' })],
      limits: { tokens: 600 },
    }).run('Well?')
    assert.equal((await run.result).text, 'good')
    assert.equal(run.spent['tokens'], 15)
    assert.equal(run.spent['calls.main'], 1)
  })

  test("shows only the winner's text, even if the other had begun to stream", async () => {
    const speaking = { error: new Error('cut'), after: ['I began '] }
    const registry = source({ 'b/well': model([{ text: ['so ', 'it is'], delayMs: 5 }], 'b/well') })
    const agent = createAgent({
      model: model([speaking], 'a/cut'),
      registry,
      use: [parallel(['b/well'], { mode: 'first' })],
      errorHandling: { retries: 0 },
    })
    const run = agent.run('Is it?')
    const events = await eventsOf(run)
    assert.equal(shownIn(events), 'so it is')
    assert.ok(!events.some(({ type }) => type === 'text-drop'))
    assert.equal((await run.result).text, 'so it is')
  })

  test("a loser aborted in mid-stream does not retract the winner's text", async () => {
    const begun = scriptedModel([{ text: ['I began ', 'and'] }])
    const stuck = new TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart>({
      transform: (part, controller) => {
        controller.enqueue(part)
        return part.type === 'text-delta' ? new Promise(() => undefined) : undefined
      },
    })
    const own: LanguageModelV4 = {
      ...begun,
      doGenerate: (options) => begun.doGenerate(options),
      doStream: async (options) => ({
        stream: (await begun.doStream(options)).stream.pipeThrough(stuck),
      }),
    }
    const registry = source({ b: model([{ text: ['so ', 'it is'], delayMs: 30 }], 'b/b') })
    const use = [parallel(['b'], { mode: 'first' })]
    const run = createAgent({ model: asBound(own), registry, use }).run('Is it?')
    const events = await eventsOf(run)
    assert.equal(shownIn(events), 'so it is')
    assert.ok(!events.some(({ type }) => type === 'text-drop'))
  })

  test('a vote is shown and kept once, with the tokens of all', async () => {
    const registry = source({
      b: model(['4'], 'b/b'),
      c: model(['5'], 'c/c'),
    })
    const use = [parallel(['b', 'c'], { mode: 'vote' })]
    const run = createAgent({ model: model([{ text: [' ', '4'] }], 'a/a'), registry, use }).run(
      '2 + 2?',
    )
    const events = await eventsOf(run)
    const { text, usage, cost, messages } = await run.result
    assert.deepEqual([text, shownIn(events), cost], [' 4', ' 4', 45])
    assert.deepEqual(usage, { input: 30, output: 15 })
    assert.equal(messages.length, 2)
  })

  test('an outer fallback calls all again, with another model instead of the agent’s own', async () => {
    const registry = source({ b: model(['5', '4'], 'b/b'), c: model(['4'], 'c/c') })
    const use = [fallback(['c']), parallel(['b'], { mode: 'vote' })]
    const run = createAgent({ model: model(['3'], 'a/a'), registry, use }).run('2 + 2?')
    assert.equal((await run.result).text, '4')
    assert.equal(run.spent['calls.main'], 4)
  })

  test('a cancel aborts all of them', async () => {
    const registry = source({ b: model([late], 'b/b') })
    const use = [parallel(['b'], { mode: 'vote' })]
    const run = createAgent({ model: model([late], 'a/a'), registry, use }).run('Well?')
    for await (const event of run) if (event.type === 'step-start') setImmediate(() => run.cancel())
    assert.equal((await run.result).reason, 'canceled')
    assert.equal(run.spent['calls.main'], 2)
  })

  test('a loser that waits for a retry is not awaited', async () => {
    // A wait on this clock never ends.
    const clock = new SetClock()
    const own = model([{ error: apiError(503) }, late], 'a/busy')
    const registry = source({ b: model(['here'], 'b/b') })
    const use = [parallel(['b'], { mode: 'first' })]
    const run = createAgent({ model: own, registry, use, clock }).run('Where?')
    assert.equal((await run.result).text, 'here')
    assert.equal(run.spent['calls.main'], 2)
  })

  test('calls interrupted by a crash are each charged at their worst case', async () => {
    for (const limits of [{ money: 2000, tokens: 2000 }, undefined]) {
      const kept: Entry[] = []
      let isDead = false
      const journal: Journal = {
        append: (_, entries) => {
          if (isDead) throw new Error('the process is gone')
          kept.push(...entries)
        },
        read: () => kept,
      }
      const agentOf = (answer: ScriptedAnswer): Agent<object> =>
        createAgent({
          model: model([answer], 'a/a'),
          registry: source({ b: model([late], 'b/b') }),
          use: [parallel(['b'], { mode: 'first' })],
          configureOptions: (options) => ({ ...options, maxTokens: 100 }),
          journal,
          ...(limits && { limits }),
        })
      const run = agentOf(late).run('Well?')
      const opened = (): Entry[] => kept.filter(({ type }) => type === 'opened')
      while (opened().length < 2) await new Promise((resolve) => setImmediate(resolve))
      isDead = true
      run.cancel()
      await assert.rejects(run.result, isError('JOURNAL_FAILED'))
      isDead = false
      const resumed = await agentOf('here').resume(run.id)
      const { text, cost } = await resumed.result
      assert.equal(text, 'here')
      assert.equal(resumed.spent['calls.main'], 4)
      const held = opened().map((entry) => (entry.type === 'opened' && entry.hold['money']) || 0)
      // Two before the crash and the loser after it; the answer used 15.
      const [first = 0, second = 0, , loser = 0] = held
      assert.equal(resumed.spent['money'], first + second + loser + 15)
      assert.equal(cost === null, limits === undefined)
    }
  })

  test('a recorded answer is not requested again', async () => {
    const journal = new MemoryJournal()
    const registry = source({ b: model(['yes'], 'b/b') })
    const use = [parallel(['b'], { mode: 'vote' })]
    const agent = createAgent({ model: model(['yes'], 'a/a'), registry, use, journal })
    const run = agent.run('Well?')
    await run.result
    assert.equal((await (await agent.resume(run.id)).result).text, 'yes')
  })
})
