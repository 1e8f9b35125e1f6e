import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { z } from 'zod'
import { createAgent } from '../../packages/echelon/src/chat.ts'
import { defineMiddleware } from '../../packages/echelon/src/core/extension/define-middleware.ts'
import type { Entry } from '../../packages/echelon/src/core/journal/journal.ts'
import { defineTool, type Tool } from '../../packages/echelon/src/core/tool/tool.ts'
import { systemMessage } from '../../packages/echelon/src/core/message/thread.ts'
import { MemoryJournal } from '../../packages/echelon/src/runtime/journal/memory-journal.ts'
import { scriptedModel } from '../../packages/echelon/src/testing/scripted-model.ts'
import { add, asksToAdd, eventsOf, isError, model } from '../chat/kit.ts'

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Holds words back until a blank arrives, and puts them in capitals. */
const shouting = defineMiddleware({
  name: 'shouting',
  stream: () => {
    let held = ''
    return {
      text(delta) {
        const all = held + delta
        const end = all.lastIndexOf(' ') + 1
        held = all.slice(end)
        return all.slice(0, end).toUpperCase()
      },
      end: () => held.toUpperCase(),
    }
  },
})

const quoting = defineMiddleware({
  name: 'quoting',
  stream: () => ({ text: (delta) => `"${delta}"` }),
})

describe('[C-3] [C-14] what changes text', () => {
  const script = [{ text: ['good mor', 'ning to', ' you'] }]

  test('changes the shown and the stored text alike, streamed or not', async () => {
    const watched = createAgent({ model: model(script), use: [shouting()] }).run('hi')
    const shown = (await eventsOf(watched)).flatMap((e) => (e.type === 'text-delta' ? e.delta : []))
    assert.deepEqual(shown, ['GOOD ', 'MORNING ', 'TO ', 'YOU'])
    assert.equal(shown.join(''), 'GOOD MORNING TO YOU')
    const alone = await createAgent({ model: model(script), use: [shouting()] }).run('hi').result
    const { text, messages } = await watched.result
    assert.equal(text, 'GOOD MORNING TO YOU')
    assert.deepEqual([alone.text, alone.messages], [text, messages])
  })

  test('is applied from the inside out, also to text that was held back', async () => {
    const agent = createAgent({ model: model(script), use: [quoting(), shouting()] })
    assert.equal((await agent.run('hi').result).text, '"GOOD MORNING TO ""YOU"')
  })
})

describe('[C-14] a turn filter', () => {
  const polite = defineMiddleware({
    name: 'polite',
    turn: async ({ messages, history }, next) => {
      const asked = messages.map((one) =>
        one.role === 'user'
          ? { ...one, content: [{ type: 'text', text: 'please' } as const] }
          : one,
      )
      const end = await next({ messages: asked, history })
      return { ...end, text: `${end.text}, thank you` }
    },
  })

  test('changes messages and answer, and a run that had ended returns the same again', async () => {
    const journal = new MemoryJournal({ digests: true })
    const scripted = scriptedModel(['done'])
    const agent = createAgent({ model: scripted, use: [polite()], journal })
    const { text } = await agent.run('now!', { runId: 'r' }).result
    assert.equal(text, 'done, thank you')
    assert.match(JSON.stringify(scripted.calls[0]?.prompt), /please/)
    const again = createAgent({ model: scriptedModel([]), use: [polite()], journal })
    assert.equal((await (await again.resume('r')).result).text, 'done, thank you')
  })

  test('that never calls next, or calls it twice, is a program error', async () => {
    const never = defineMiddleware({
      name: 'never',
      turn: async () => ({ status: 'finished', reason: 'stop', text: '' }) as const,
    })
    const twice = defineMiddleware({
      name: 'twice',
      turn: async (asked, next) => {
        await next(asked)
        return next(asked)
      },
    })
    for (const [middleware, says] of [
      [never(), /never called next/],
      [twice(), /a second time/],
    ] as const) {
      const run = createAgent({ model: model(['a', 'b']), use: [middleware] }).run('hi')
      await assert.rejects(run.result, isError('INVALID_DEFINITION', says))
    }
  })
})

test('[C-6] messages that filters add are sent but not stored, and a digest of them is recorded', async () => {
  const journal = new MemoryJournal()
  const knows = defineMiddleware({
    name: 'knows',
    prompt: async (prompt, next) =>
      next({ ...prompt, head: [...prompt.head, systemMessage('today is Monday')] }),
  })
  const scripted = scriptedModel(['hello'])
  const agent = createAgent({ model: scripted, use: [knows()], journal })
  const { messages } = await agent.run('hi', { runId: 'r' }).result
  assert.match(JSON.stringify(scripted.calls[0]?.prompt), /Monday/)
  assert.doesNotMatch(JSON.stringify(messages), /Monday/)
  const closed = journal.read('r').find((entry) => entry.type === 'closed')
  assert.deepEqual([closed?.prompt?.head, closed?.prompt?.tail], [1, 0])
})

test('a middleware that throws fails the call, and other work of the run continues', async () => {
  const broken = defineMiddleware({
    name: 'broken',
    tool: async () => {
      throw new Error('oh no')
    },
  })
  const scripted = scriptedModel([asksToAdd(1, 2), 'so be it'])
  const agent = createAgent({ model: scripted, tools: [add], use: [broken()] })
  const { text, messages } = await agent.run('1 + 2?').result
  assert.equal(text, 'so be it')
  assert.match(JSON.stringify(messages), /a middleware failed: oh no/)
  const failing = defineMiddleware({
    name: 'failing',
    generate: async () => {
      throw new Error('oh no')
    },
  })
  const { reason } = await createAgent({ model: model(['x']), use: [failing()] }).run('hi').outcome
  assert.equal(reason, 'unknown')
})

test('[C-3] a model is wrapped once, the first wrapper outermost, and again after a switch', async () => {
  const made: string[] = []
  const agent = createAgent({
    model: model(['one', 'two'], 'p/a'),
    services: { prefix: 'w' },
    wrapModel: ['1', '2'].map((number) => (inner, { prefix }: { prefix: string }) => {
      made.push(`${prefix}${number} ${inner.modelId}`)
      return { ...inner, modelId: `${prefix}${number}(${inner.modelId})` }
    }),
  })
  await agent.run('a').result
  await agent.run('b').result
  assert.deepEqual(made, ['w2 scripted', 'w1 w2(scripted)'])
  await agent.switchProvider(model(['three'], 'p/b'))
  await agent.run('c').result
  assert.equal(made.length, 4)
})

describe('[C-12] tools of one batch', () => {
  const log: string[] = []
  const tool = (name: string, parallel: boolean): Tool =>
    defineTool({
      name,
      description: '',
      parallel,
      input: z.object({}),
      async run() {
        log.push(`${name} begins`)
        await turn()
        log.push(`${name} ends`)
        return name
      },
    })
  const batch = (...names: readonly string[]) => ({
    toolCalls: names.map((name) => ({ tool: name, input: {} })),
  })

  test('run in parallel, except for one that must run alone; answers keep their order', async () => {
    log.length = 0
    const scripted = scriptedModel([batch('a', 'b', 'alone', 'c'), 'done'])
    const tools = [tool('a', true), tool('b', true), tool('alone', false), tool('c', true)]
    await createAgent({ model: scripted, tools }).run('go').result
    assert.deepEqual(log, [
      'a begins',
      'b begins',
      'a ends',
      'b ends',
      'alone begins',
      'alone ends',
      'c begins',
      'c ends',
    ])
    const told = scripted.calls[1]?.prompt.find(({ role }) => role === 'tool')
    assert.match(JSON.stringify(told), /"a".*"b".*"alone".*"c"/)
  })

  test('run at most `atOnce` at a time', async () => {
    log.length = 0
    const agent = createAgent({
      model: model([batch('a', 'b', 'c'), 'done']),
      tools: [tool('a', true), tool('b', true), tool('c', true)],
      maxParallelTools: 2,
    })
    await agent.run('go').result
    assert.deepEqual(log.slice(0, 2), ['a begins', 'b begins'])
    assert.ok(log.indexOf('c begins') > log.indexOf('a ends'))
  })
})

test('[C-11] the model is told what is wrong with invalid arguments, and the tool is not called', async () => {
  const scripted = scriptedModel([
    { toolCalls: [{ tool: 'add', input: { a: 'two', b: 3 } }] },
    { toolCalls: [{ tool: 'add', input: '{"a": 2, "b"' }] },
    asksToAdd(2, 3),
    '5',
  ])
  const { text } = await createAgent({ model: scripted, tools: [add] }).run('2 + 3?').result
  assert.equal(text, '5')
  const [first, second] = [1, 2].map((call) => JSON.stringify(scripted.calls[call]?.prompt))
  assert.match(first ?? '', /INVALID_ARGS.*a: /)
  assert.match(second ?? '', /INVALID_ARGS/)
})

test('[C-5] a switch of models is recorded, and a resume uses the model of the journal', async () => {
  const journal = new MemoryJournal()
  const agent = createAgent({
    model: model([asksToAdd(1, 2)], 'p/a'),
    tools: [
      defineTool({
        name: 'add',
        description: 'adds, and switches meanwhile',
        input: z.object({ a: z.number(), b: z.number() }),
        async run({ a, b }) {
          await agent.switchProvider(model(['3'], 'p/b'))
          return a + b
        },
      }),
    ],
    journal,
  })
  await agent.run('1 + 2?', { runId: 'r' }).result
  const types = journal.read('r').map(({ type }) => type)
  assert.deepEqual(types, [
    'started',
    'opened',
    'closed',
    'closed',
    'bound',
    'opened',
    'closed',
    'ended',
  ])
  const isBound = (entry: Entry): boolean => entry.type === 'bound'
  assert.deepEqual(journal.read('r').find(isBound), {
    type: 'bound',
    path: '',
    role: 'main',
    model: 'p/b',
    at: journal.read('r').find((entry) => entry.type === 'bound')?.at,
  })
})
