import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { z } from 'zod'
import { createAgent } from '../../packages/echelon/src/chat.ts'
import { defineMiddleware } from '../../packages/echelon/src/core/extension/define-middleware.ts'
import type { Entry } from '../../packages/echelon/src/core/journal/journal.ts'
import type { BoundModel } from '../../packages/echelon/src/core/model/model.ts'
import type { Middleware } from '../../packages/echelon/src/core/extension/defined-middleware.ts'
import { defineTool } from '../../packages/echelon/src/core/tool/tool.ts'
import { MemoryJournal } from '../../packages/echelon/src/runtime/journal/memory-journal.ts'
import { SetClock } from '../../packages/echelon/src/testing/set-clock.ts'
import { settled } from '../runtime/kit.ts'
import { add, agentWith, asksToAdd, isError, model, source } from './kit.ts'

const never = (): Promise<never> => new Promise(() => undefined)

const script = (): BoundModel => model([asksToAdd(1, 2), 'three'])

const HANGING: Readonly<Record<string, Middleware>> = {
  prompt: defineMiddleware({ name: 'hangs', prompt: never })(),
  generate: defineMiddleware({ name: 'hangs', generate: never })(),
  'generate, after its call': defineMiddleware({
    name: 'hangs',
    generate: async (call, next) => {
      await next(call)
      return never()
    },
  })(),
  'permit of an offer': defineMiddleware({
    name: 'hangs',
    permit: (asked, next) => (asked.type === 'offer' ? never() : next(asked)),
  })(),
  'permit of a call': defineMiddleware({
    name: 'hangs',
    permit: (asked, next) => (asked.type === 'call' ? never() : next(asked)),
  })(),
  tool: defineMiddleware({ name: 'hangs', tool: never })(),
}

describe('a hanging hook does not delay', () => {
  for (const [hook, middleware] of Object.entries(HANGING)) {
    test(`a cancel: ${hook}`, async () => {
      const clock = new SetClock()
      const agent = createAgent({ model: script(), tools: [add], use: [middleware], clock })
      const run = agent.run('1 + 2?')
      await settled()
      run.cancel()
      await settled()
      await clock.advance(1)
      assert.equal((await run.result).reason, 'canceled')
      assert.equal(clock.pending, 0)
    })

    test(`the time limit: ${hook}`, async () => {
      const clock = new SetClock()
      const limits = { seconds: 5 }
      const settings = { model: script(), tools: [add], use: [middleware], clock, limits }
      const run = createAgent(settings).run('1 + 2?')
      await settled()
      await clock.advance(5000)
      await clock.advance(1)
      assert.equal((await run.result).reason, 'budget:seconds')
      assert.equal(clock.pending, 0)
    })
  }

  test('a cancel of a turn that is not yet permitted, and its time limit does not permit it', async () => {
    const clock = new SetClock()
    const use = [defineMiddleware({ name: 'hangs', permit: never })()]
    const canceled = createAgent({ model: model(['hi']), use, clock }).run('hi')
    await settled()
    canceled.cancel()
    await settled()
    await clock.advance(1)
    assert.equal((await canceled.result).reason, 'canceled')
    const late = createAgent({ model: model(['hi']), use, clock, limits: { seconds: 5 } }).run('hi')
    const rejected = assert.rejects(late.result, isError('NOT_PERMITTED', /time limit of the run/))
    await settled()
    await clock.advance(5000)
    await clock.advance(1)
    await rejected
  })
})

test('a model that never loads delays no cancel, at the first run or during a switch', async () => {
  const clock = new SetClock()
  const registry = source({ 'p/a': new Promise<BoundModel>(() => undefined) })
  const first = createAgent({ model: 'p/a', registry, clock }).run('hi')
  await settled()
  first.cancel()
  assert.equal((await first.result).reason, 'canceled')
  for (const limits of [{}, { seconds: 5 }]) {
    const switching = defineTool({
      name: 'switch',
      description: 'switches',
      input: z.object({}),
      run: () => {
        void agent.switchProvider('p/a')
        return 'begun'
      },
    })
    const script = [{ toolCalls: [{ tool: 'switch', input: {} }] }, 'unheard']
    const agent = agentWith(script, { registry, clock, limits, tools: [switching] })
    const run = agent.run('hi')
    await settled()
    if ('seconds' in limits) await clock.advance(5000)
    else run.cancel()
    await settled()
    await clock.advance(1)
    const { reason } = await run.result
    assert.equal(reason, 'seconds' in limits ? 'budget:seconds' : 'canceled')
  }
})

test('an acting tool started inside a hanging chain has an unknown outcome', async () => {
  const clock = new SetClock()
  const journal = new MemoryJournal()
  const send = defineTool({
    name: 'send',
    description: 'sends',
    does: 'acts',
    input: z.object({}),
    run: () => 'sent',
  })
  const use = [
    defineMiddleware({
      name: 'hangs',
      tool: async (call, next) => {
        await next(call)
        return never()
      },
    })(),
  ]
  const script = [{ toolCalls: [{ tool: 'send', input: {} }] }, 'done']
  const agent = createAgent({ model: model(script), tools: [send], use, clock, journal })
  const run = agent.run('send it', { runId: 'r' })
  await settled()
  run.cancel()
  await settled()
  await clock.advance(1)
  assert.equal((await run.result).reason, 'canceled')
  const outcome = journal
    .read('r')
    .flatMap((entry: Entry) => (entry.type === 'settled' ? [entry.outcome] : []))
  assert.deepEqual(outcome, [{ type: 'unknown', message: 'send was begun and may have acted' }])
})

test('an abandoned chain can no longer make calls', async () => {
  const clock = new SetClock()
  const journal = new MemoryJournal()
  let goOn = (): void => undefined
  const waited = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const late = defineMiddleware({
    name: 'late',
    generate: async (call, next) => {
      await waited
      return next(call)
    },
  })
  const asked = model(['unheard'])
  const run = createAgent({ model: asked, use: [late()], clock, journal }).run('hi', { runId: 'r' })
  await settled()
  run.cancel()
  await settled()
  await clock.advance(1)
  await run.result
  const before = journal.read('r').length
  goOn()
  await settled()
  assert.equal(journal.read('r').length, before)
})

test('a chain that goes on after the end of its run calls no model', async () => {
  const clock = new SetClock()
  const asked = model(['one', 'two'])
  const outcomes: string[] = []
  const persists = defineMiddleware({
    name: 'persists',
    generate: async (call, next) => {
      // With a signal of its own, a call outlasts the one that the chain is for.
      const own = { ...call, signal: new AbortController().signal }
      const first = await next(own)
      await new Promise<void>((resolve) => clock.after(50, resolve))
      const second = await next(own)
      outcomes.push(second.type)
      return first
    },
  })()
  const run = createAgent({ model: asked, use: [persists], clock, limits: { seconds: 0.02 } }).run(
    '?',
  )
  const { reason } = await clock.runUntil(run.result)
  await clock.advance(100)
  assert.equal(reason, 'budget:seconds')
  assert.deepEqual(outcomes, ['failed'])
  assert.equal(run.spent['calls.main'], 1)
  assert.ok('calls' in asked.model && Array.isArray(asked.model.calls))
  assert.equal(asked.model.calls.length, 1)
})
