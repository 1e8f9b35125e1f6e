import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { z } from 'zod'
import { AgentBuilder, createAgent } from '../../packages/echelon/src/chat.ts'
import { defineMiddleware } from '../../packages/echelon/src/core/extension/define-middleware.ts'
import type { RunEvent } from '../../packages/echelon/src/core/agent/event.ts'
import { caching } from '../../packages/echelon/src/middleware/cache/caching.ts'
import { MemoryJournal } from '../../packages/echelon/src/runtime/journal/memory-journal.ts'
import { scriptedModel } from '../../packages/echelon/src/testing/scripted-model.ts'
import { add, agentWith, asksToAdd, isError, model } from './kit.ts'

const COUNT = z.object({ calls: z.number() })

/** Counts model calls, as long as its scope says. */
const counter = (scope: 'run' | 'session' | 'shared') =>
  defineMiddleware({
    name: 'counter',
    state: { version: 1, scope, schema: COUNT, initial: { calls: 0 } },
    generate: (call, next, { update }) => {
      update(({ calls }) => ({ calls: calls + 1 }))
      return next(call)
    },
  })

describe('the states of middleware', () => {
  test('[C-8] are in the result by name', async () => {
    const agent = new AgentBuilder()
      .model(model([asksToAdd(2, 3), 'it is 5']))
      .tool(add)
      .use(counter('run')())
      .build()
    const { state } = await agent.run('2 + 3?').result
    const calls: number = state.middleware.counter.calls
    assert.equal(calls, 2)
  })

  test('live as long as the run, the session or the agent', async () => {
    const counts = async (scope: 'run' | 'session' | 'shared'): Promise<readonly number[]> => {
      const agent = createAgent({ model: model(['a', 'b', 'c']), use: [counter(scope)()] })
      const session = agent.session()
      const ends = [
        await agent.run('1', { session }).result,
        await agent.run('2', { session }).result,
        await agent.run('3', { session: agent.session() }).result,
      ]
      return ends.map(({ state }) => state.middleware.counter.calls)
    }
    assert.deepEqual(await counts('run'), [1, 1, 1])
    assert.deepEqual(await counts('session'), [1, 2, 1])
    assert.deepEqual(await counts('shared'), [1, 2, 3])
  })

  test('[C-28] with one name and different namespaces are stored and resumed side by side', async () => {
    const counting = (namespace: string, step: number) =>
      defineMiddleware({
        name: 'counter',
        namespace,
        state: { version: 1, scope: 'session', schema: COUNT, initial: { calls: 0 } },
        generate: (call, next, { update }) => {
          update(({ calls }) => ({ calls: calls + step }))
          return next(call)
        },
      })()
    const journal = new MemoryJournal()
    const agent = createAgent({
      model: model(['a', 'b']),
      use: [counting('x', 1), counting('y', 10)],
      journal,
    })
    const session = agent.session()
    const first = await agent.run('1', { session, runId: 'r' }).result
    const both = { 'x/counter': { calls: 1 }, 'y/counter': { calls: 10 } }
    assert.deepEqual(first.state.middleware, both)
    const kept: unknown = JSON.parse(JSON.stringify(session.checkpoint()))
    const again = await (await agent.resume('r', { session: agent.session(session.id) })).result
    assert.deepEqual(again.state.middleware, both)
    const second = await agent.run('2', { session: agent.restoreSession(kept) }).result
    assert.deepEqual(second.state.middleware, {
      'x/counter': { calls: 2 },
      'y/counter': { calls: 20 },
    })
  })

  test("of a run's own middleware are only in its result", async () => {
    const agent = createAgent({ model: model(['a', 'b']) })
    const { state } = await agent.run('1', { use: [counter('run')()] }).result
    assert.equal(state.middleware.counter.calls, 1)
    assert.deepEqual((await agent.run('2').result).state.middleware, {})
  })

  test('are part of a checkpoint, and are restored when a turn is undone', async () => {
    const made = (...script: readonly string[]) =>
      createAgent({ model: model(script), use: [counter('session')()] })
    const agent = made('a', 'b')
    const session = agent.session()
    await agent.run('1', { session }).result
    await agent.run('2', { session }).result
    const stored: unknown = JSON.parse(JSON.stringify(session.checkpoint()))
    const other = made('c', 'd')
    const restored = other.restoreSession(stored)
    const { state } = await other.run('3', { session: restored }).result
    assert.equal(state.middleware.counter.calls, 3)
    restored.undo()
    const again = await other.run('3, again', { session: restored }).result
    assert.equal(again.state.middleware.counter.calls, 3)
  })

  for (const [what, settings] of [
    ['with', { journal: new MemoryJournal() }],
    ['without', {}],
  ] as const) {
    test(`of more than 4 KB end the run ${what} a journal, and are not stored`, async () => {
      const growing = defineMiddleware({
        name: 'growing',
        state: { version: 1, scope: 'session', schema: z.string(), initial: '' },
        generate: (call, next, { update }) => {
          update((text) => (text === '' ? 'small' : 'x'.repeat(5000)))
          return next(call)
        },
      })
      const agent = createAgent({
        model: model([asksToAdd(1, 1), 'never']),
        tools: [add],
        use: [growing()],
        ...settings,
      })
      const session = agent.session()
      const run = agent.run('1', { session })
      await assert.rejects(run.result, isError('STATE_TOO_LARGE', /app\/growing takes 5002/))
      assert.deepEqual(session.checkpoint().states.states, { 'app/growing': 'small' })
      assert.equal(session.length, 3)
      assert.throws(
        () =>
          defineMiddleware({
            name: 'large',
            state: { version: 1, schema: z.string(), initial: 'x'.repeat(5000) },
          }),
        isError('STATE_TOO_LARGE'),
      )
    })
  }

  test('that no code can load reject the turn, and the session stays as it was', async () => {
    const agent = createAgent({ model: model(['a']), use: [counter('session')()] })
    const checkpoint = JSON.parse(JSON.stringify(agent.session().checkpoint()))
    const session = agent.restoreSession({
      ...checkpoint,
      states: {
        states: { 'app/counter': { calls: 'many' } },
        schemaSignature: 'app/counter',
        schemaVersion: 1,
        stateVersions: { 'app/counter': 1 },
      },
    })
    await assert.rejects(agent.run('1', { session }).result, isError('STATE_REFUSED', /counter/))
    assert.equal(session.length, 0)
    assert.equal(session.isBusy, false)
  })
})

describe('[C-2] caching is an option of the agent', () => {
  test('a repeated call is answered at no cost, in every run', async () => {
    const scripted = scriptedModel(['hello'])
    const agent = createAgent({ model: scripted, caching: {} })
    const ends = [
      await agent.run('hi').result,
      await agent.run('hi', { configureOptions: (options) => options }).result,
    ]
    assert.deepEqual(
      ends.map(({ text, usage }) => [text, usage.input]),
      [
        ['hello', 10],
        ['hello', 0],
      ],
    )
  })

  test('a caching middleware in the middleware replaces it', async () => {
    const heard: RunEvent[] = []
    const agent = createAgent({
      model: scriptedModel(['hello', 'hello again']),
      caching: {},
      use: [caching({ only: () => false })],
      telemetry: (event) => void heard.push(event),
    })
    await agent.run('hi').result
    assert.equal((await agent.run('hi').result).text, 'hello again')
  })

  test('another model is another call', async () => {
    const agent = agentWith(['from the first'], { caching: {} })
    await agent.run('hi').result
    await agent.switchProvider(model(['from the next'], 'scripted/two'))
    assert.equal((await agent.run('hi').result).text, 'from the next')
  })
})

describe('[C-6] the flow of a turn', () => {
  const noted: string[] = []
  const flow = defineMiddleware({
    name: 'flow',
    turn: async (turn, next) => {
      noted.push('turn')
      const end = await next(turn)
      noted.push(`ended ${end.reason}`)
      return { ...end, text: `${end.text}!` }
    },
    permit: (request, next) => {
      noted.push(`permit ${request.type}`)
      return next(request)
    },
    prompt: (prompt, next) => {
      noted.push('prompt')
      return next(prompt)
    },
    generate: (call, next) => {
      noted.push('generate')
      return next(call)
    },
    tool: (call, next) => {
      noted.push('tool')
      return next(call)
    },
  })

  test('permission, prompt, decision, action with permission, and the turn around all of it', async () => {
    noted.length = 0
    const agent = agentWith([asksToAdd(2, 3), 'it is 5'], { tools: [add] })
    const { text } = await agent.run('2 + 3?', { use: [flow()] }).result
    assert.equal(text, 'it is 5!')
    assert.deepEqual(noted, [
      'permit turn',
      'turn',
      'prompt',
      'generate',
      'permit offer',
      'permit call',
      'tool',
      'prompt',
      'generate',
      'permit offer',
      'ended stop',
    ])
  })

  test('a caller who is not allowed a turn gets none', async () => {
    const closed = defineMiddleware({
      name: 'closed',
      permit: async (request, next, { run }) =>
        request.type === 'turn' && run.caller !== 'me'
          ? { type: 'deny', reason: 'only I may' }
          : next(request),
    })
    const agent = createAgent({ model: model(['hello']), use: [closed()] })
    await assert.rejects(agent.run('hi').result, isError('NOT_PERMITTED', /only I may/))
    assert.equal((await agent.run('hi', { caller: 'me' }).result).text, 'hello')
  })

  test('a denied tool is not offered, and calling it anyway is not a failure', async () => {
    const scripted = scriptedModel([asksToAdd(2, 3), 'then not'])
    const denying = defineMiddleware({
      name: 'denying',
      permit: async (request, next) =>
        request.type === 'turn' ? next(request) : { type: 'deny', reason: 'no sums' },
    })
    const agent = createAgent({ model: scripted, tools: [add], use: [denying()] })
    const { text, messages } = await agent.run('2 + 3?').result
    assert.equal(text, 'then not')
    assert.equal(scripted.calls[0]?.tools, undefined)
    assert.match(JSON.stringify(messages), /execution-denied.*no sums/)
  })
})
