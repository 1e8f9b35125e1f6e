import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createMistral as createV2 } from 'mistral-v2'
import { createMistral as createV3 } from 'mistral-v3'
import { z } from 'zod'
import { createAgent } from '../../packages/echelon/src/chat.ts'
import type { BoundModel } from '../../packages/echelon/src/core/model/model.ts'
import { defineTool } from '../../packages/echelon/src/core/tool/tool.ts'
import { MemoryJournal } from '../../packages/echelon/src/runtime/journal/memory-journal.ts'
import { startModelServer } from '../../packages/echelon/src/testing/local-model-server.ts'
import { scriptedModel } from '../../packages/echelon/src/testing/scripted-model.ts'
import { agentWith, eventsOf, isError, model, source } from './kit.ts'

/** A tool that changes the agent that calls it. */
const doing = (act: () => unknown) =>
  defineTool({
    name: 'act',
    description: 'acts',
    input: z.object({}),
    async run() {
      await act()
      return 'done'
    },
  })

const CALLS_ACT = { toolCalls: [{ tool: 'act', input: {} }] }

describe('[C-5] switching the provider at run time', () => {
  test('applies from the next run on, with the existing conversation', async () => {
    const next = scriptedModel(['from the next'])
    const models = source({ 'q/n': { id: 'q/n', model: next, price: () => 0 } })
    const agent = agentWith(['from the first'], { registry: models, instructions: 'be kind' })
    const session = agent.session()
    await agent.run('hi', { session }).result
    assert.equal(agent.model, 'scripted/one')
    await agent.switchProvider('q/n')
    assert.equal(agent.model, 'q/n')
    const { text, messages } = await agent.run('and now?', { session }).result
    assert.equal(text, 'from the next')
    assert.equal(messages.length, 5)
    assert.deepEqual(next.calls[0]?.prompt.slice(0, 4), messages.slice(0, 4))
  })

  test('applies within a run too, from its next model call on', async () => {
    const models = source({ 'q/n': model(['from the next'], 'q/n') })
    const agent = agentWith([CALLS_ACT, 'from the first'], {
      registry: models,
      tools: [doing(() => agent.switchProvider('q/n'))],
    })
    const run = agent.run('hi')
    const events = await eventsOf(run)
    assert.equal((await run.result).text, 'from the next')
    const asked = events.flatMap((event) =>
      event.type === 'step-start' && event.effect === 'generate' ? event.targets : [],
    )
    assert.deepEqual(asked, ['scripted/one', 'q/n'])
  })

  test('accepts key, address and options, used only by this switch', async () => {
    const models = source({ 'q/n': model(['hello'], 'q/n') })
    const providers = { q: { apiKey: 'old key', store: true }, r: { apiKey: 'other' } }
    const agent = agentWith([], { registry: models, providers })
    await agent.switchProvider({
      provider: 'q',
      model: 'n',
      apiKey: 'new key',
      baseUrl: 'http://localhost:1',
      options: { reasoning: 'high' },
    })
    assert.deepEqual(models.settings, [
      {
        q: { apiKey: 'new key', baseUrl: 'http://localhost:1', store: true, reasoning: 'high' },
        r: { apiKey: 'other' },
      },
    ])
    assert.equal((await agent.run('hi').result).text, 'hello')
  })

  test('accepts a model object', async () => {
    const agent = agentWith([])
    await agent.switchProvider(scriptedModel(['unpriced']))
    const { text, cost } = await agent.run('hi').result
    assert.deepEqual([text, cost], ['unpriced', null])
    await agent.switchProvider(model(['priced']))
    assert.equal((await agent.run('hi').result).cost, 15)
  })

  test('[C-4] accepts a model of an older package, whose errors are read like those of its provider', async () => {
    await using server = await startModelServer([
      { type: 'reply', text: ['42'] },
      { type: 'status', status: 400, code: 'context_length_exceeded' },
    ])
    const agent = agentWith([])
    const mistral = createV3({ apiKey: 'k', baseURL: server.baseUrl })
    await agent.switchProvider(mistral('mistral-small-latest'))
    assert.equal(agent.model, 'mistral.chat/mistral-small-latest')
    assert.equal((await agent.run('how much is 6 * 7?').result).text, '42')
    assert.equal((await agent.run('and more?').outcome).reason, 'context-length')
  })

  test('a resume uses the address and key that its model had', async () => {
    const models = source({
      'q/n': model(['hello', 'again', 'and again'], 'q/n'),
      'q/m': model(['other'], 'q/m'),
    })
    const journal = new MemoryJournal()
    const choice = (name: string) => ({ provider: 'q', model: name, apiKey: `key of ${name}` })
    const agent = createAgent({ model: choice('n'), registry: models, journal })
    await agent.run('hi', { runId: 'r' }).result
    const [started] = journal.read('r')
    assert.ok(started)
    journal.append('cut', [started])
    await agent.switchProvider(choice('m'))
    assert.equal((await (await agent.resume('cut')).result).text, 'again')
    const fresh = createAgent({ model: choice('n'), registry: models, journal })
    await fresh.switchProvider(choice('m'))
    assert.equal((await (await fresh.resume('cut')).result).text, 'and again')
    assert.deepEqual(
      models.settings,
      ['n', 'm', 'm', 'n'].map((name) => ({ q: { apiKey: `key of ${name}` } })),
    )
  })

  test('a failed switch leaves the agent as it was', async () => {
    const agent = agentWith(['still here'], { registry: source({}) })
    await assert.rejects(agent.switchProvider('q/n'), isError('UNKNOWN_MODEL'))
    const old = createV2({ apiKey: 'k' })('mistral-small-latest')
    await assert.rejects(agent.switchProvider(old), isError('INVALID_DEFINITION', /version v2/))
    // @ts-expect-error no model at all
    await assert.rejects(agent.switchProvider({}), isError('INVALID_CONFIG', /not a model/))
    for (const nonsense of [undefined, null, 3, []]) {
      // @ts-expect-error no model at all
      await assert.rejects(agent.switchProvider(nonsense), isError('INVALID_CONFIG', /not a model/))
    }
    assert.equal(agent.model, 'scripted/one')
    assert.equal((await agent.run('hi').result).text, 'still here')
  })

  test('a run that starts during a switch waits for it', async () => {
    const { promise, resolve } = Promise.withResolvers<BoundModel>()
    const agent = agentWith(['from the first'], { registry: source({ 'q/n': promise }) })
    const switching = agent.switchProvider('q/n')
    const run = agent.run('hi')
    resolve(model(['from the next'], 'q/n'))
    assert.equal((await run.result).text, 'from the next')
    await switching
  })

  test('a model call that starts during a switch waits for it, within a run too', async () => {
    const { promise, resolve } = Promise.withResolvers<BoundModel>()
    const switches: Promise<void>[] = []
    const agent = agentWith([CALLS_ACT, 'from the first'], {
      registry: source({ 'q/n': promise }),
      tools: [doing(() => void switches.push(agent.switchProvider('q/n')))],
    })
    const run = agent.run('hi')
    setTimeout(() => resolve(model(['from the next'], 'q/n')), 5)
    assert.equal((await run.result).text, 'from the next')
    await Promise.all(switches)
  })

  test('[C-32] of concurrent switches the last one requested wins, in whatever order they load', async () => {
    for (const order of [
      ['q/1', 'q/2'],
      ['q/2', 'q/1'],
    ] as const) {
      const loading = {
        'q/1': Promise.withResolvers<BoundModel>(),
        'q/2': Promise.withResolvers<BoundModel>(),
      }
      const models = source({ 'q/1': loading['q/1'].promise, 'q/2': loading['q/2'].promise })
      const agent = agentWith([], { registry: models })
      const switching = [agent.switchProvider('q/1'), agent.switchProvider('q/2')]
      const run = agent.run('hi')
      for (const id of order) {
        loading[id].resolve(model([`from ${id}`], id))
        await new Promise((resolve) => setImmediate(resolve))
      }
      await Promise.all(switching)
      assert.equal((await run.result).text, 'from q/2')
    }
  })

  test('[C-32] a failed one does not count, even if it was requested last', async () => {
    const agent = agentWith([], { registry: source({ 'q/1': model(['hello'], 'q/1') }) })
    const good = agent.switchProvider('q/1')
    const bad = agent.switchProvider('q/2')
    await good
    await assert.rejects(bad, isError('UNKNOWN_MODEL'))
    assert.equal((await agent.run('hi').result).text, 'hello')
  })

  test('no listener sees the keys of switched-to models', async () => {
    const key = 'a-very-private-key-of-the-next-provider'
    const next = 'the-one-that-came-after-it'
    const shown: string[] = []
    const leak = doing(() => {
      throw new Error(`no luck with ${key}`)
    })
    const failing = { error: new Error(`neither ${key} nor ${next} helped`) }
    const agent = createAgent({
      registry: source({ 'q/n': model([CALLS_ACT, 'hello', failing], 'q/n') }),
      tools: [leak],
      telemetry: (event) => void shown.push(JSON.stringify(event)),
    })
    const isShown = (text: string): boolean => shown.some((event) => event.includes(text))
    await agent.switchProvider({ provider: 'q', model: 'n', apiKey: key })
    await agent.run('hi').result
    assert.ok(isShown('no luck with'))
    await agent.switchProvider({ provider: 'q', model: 'n', apiKey: next })
    await assert.rejects(
      agent.run('hi').result,
      (error: Error) =>
        isShown('neither [redacted') &&
        error.message.includes('[redacted') &&
        ![key, next].some((one) => error.message.includes(one)),
    )
    assert.ok(isShown('neither [redacted:secret] nor [redacted:secret] helped'))
    assert.ok(!isShown(key) && !isShown(next))
  })
})

describe('a model by name', () => {
  test('is loaded at the first run, once for all', async () => {
    const models = source({ 'p/m': model(['one', 'two', 'three'], 'p/m') })
    const agent = createAgent({ model: 'p/m', registry: models })
    const runs = [agent.run('hi'), agent.run('hi')]
    const texts = await Promise.all(runs.map(async ({ result }) => (await result).text))
    assert.deepEqual(texts.sort(), ['one', 'two'])
    await agent.run('hi').result
    assert.deepEqual(models.asked.length, 1)
  })

  test('that cannot be loaded fails the run and not the agent', async () => {
    let isThere = false
    const found = source({ 'p/m': model(['hello'], 'p/m') })
    const agent = createAgent({
      model: 'p/m',
      registry: { resolve: (name) => (isThere ? found : source({})).resolve(name) },
    })
    const session = agent.session()
    await assert.rejects(agent.run('hi', { session }).result, isError('UNKNOWN_MODEL'))
    assert.equal(session.isBusy, false)
    assert.equal(session.length, 0)
    isThere = true
    assert.equal((await agent.run('hi', { session }).result).text, 'hello')
  })

  test('comes from the standard providers by default', async () => {
    const agent = createAgent({ model: 'offline/small' })
    const { status, cost } = await agent.run('What is 15 * 23?').result
    assert.equal(status, 'finished')
    assert.equal(cost, 0)
    assert.equal(agent.model, 'offline/small')
  })
})
