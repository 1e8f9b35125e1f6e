import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { z } from 'zod'
import { createAgent, AgentBuilder, isApproval } from '../../packages/echelon/src/chat.ts'
import { checkMessages } from '../../packages/echelon/src/agents/chat/input/message-check.ts'
import type { LogRecord } from '../../packages/echelon/src/core/observability/log.ts'
import { defineMiddleware } from '../../packages/echelon/src/core/extension/define-middleware.ts'
import { defineTool } from '../../packages/echelon/src/core/tool/tool.ts'
import type { RunEvent } from '../../packages/echelon/src/core/agent/event.ts'
import { type Message, userMessage } from '../../packages/echelon/src/core/message/thread.ts'
import { MemoryJournal } from '../../packages/echelon/src/runtime/journal/memory-journal.ts'
import { retry } from '../../packages/echelon/src/middleware/reliability/retry.ts'
import { SetClock } from '../../packages/echelon/src/testing/set-clock.ts'
import {
  apiError,
  asBound,
  type ScriptedAnswer,
  scriptedModel,
} from '../../packages/echelon/src/testing/scripted-model.ts'
import { add, agentWith, asksToAdd, eventsOf, isError, model, source } from './kit.ts'

const ONCE = { retries: 0, baseMs: 1, factor: 1, jitter: 0 }

describe('a turn', () => {
  test('[C-2, C-8] needs one call of a builder or a plain object', async () => {
    const script = [asksToAdd(2, 3), 'it is 5']
    const built = new AgentBuilder().model(model(script)).instructions('be kind').tool(add).build()
    const plain = createAgent({ model: model(script), instructions: 'be kind', tools: [add] })
    const ends = [await built.run('2 + 3?').result, await plain.run('2 + 3?').result]
    for (const { text, status, reason, detail, usage, cost, messages } of ends) {
      assert.deepEqual([text, status, reason, detail], ['it is 5', 'finished', 'stop', null])
      assert.deepEqual(usage, { input: 20, output: 10 })
      assert.equal(cost, 30)
      assert.deepEqual(
        messages.map(({ role }) => role),
        ['system', 'user', 'assistant', 'tool', 'assistant'],
      )
    }
    assert.deepEqual(ends[0]?.messages, ends[1]?.messages)
  })

  test('has an unknown cost if a price is unknown', async () => {
    const { cost, usage } = await createAgent({ model: scriptedModel(['hello']) }).run('hi').result
    assert.equal(cost, null)
    assert.deepEqual(usage, { input: 10, output: 5 })
  })

  test('has the same result streamed or not', async () => {
    const script = [
      { text: ['let me ', 'see'], toolCalls: [{ tool: 'add', input: { a: 2, b: 3 } }] },
      { text: ['it ', 'is 5'] },
    ]
    const agent = (): ReturnType<typeof agentWith> => agentWith(script, { tools: [add] })
    const streamed = agent().run('2 + 3?')
    const events = await eventsOf(streamed)
    const deltas = events.flatMap((event) => (event.type === 'text-delta' ? event.delta : []))
    assert.deepEqual(deltas, ['let me ', 'see', 'it ', 'is 5'])
    assert.deepEqual(await streamed.result, await agent().run('2 + 3?').result)
  })

  test('has the same result for any chunking of answers and calls', async () => {
    const pieces = fc.array(fc.string(), { maxLength: 4 })
    const answer = fc.record({
      text: pieces,
      toolCalls: fc.array(
        fc.record({
          tool: fc.constantFrom('add', 'rm'),
          input: fc.constantFrom({ a: 1, b: 2 }, { a: 'x' }, 'no json'),
        }),
        { maxLength: 3 },
      ),
      finishReason: fc.constantFrom('stop', 'length', 'tool-calls', 'content-filter', 'error'),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(answer, { maxLength: 4 }), async (script) => {
        const agent = (): ReturnType<typeof agentWith> =>
          agentWith([...script, 'done'], { tools: [add], errorHandling: ONCE })
        const streamed = agent().run('hi')
        await eventsOf(streamed)
        const { messages, ...end } = await streamed.outcome
        const { messages: same, ...quiet } = await agent().run('hi').outcome
        assert.deepEqual(end, quiet)
        assert.deepEqual(messages, same)
        checkMessages(messages)
      }),
      { numRuns: 100 },
    )
  })

  test('ends with the failure if a stream breaks off after text, which is dropped', async () => {
    for (const as of ['cut', 'part'] as const) {
      const broken = { error: apiError(500), after: ['it is'], as }
      const run = agentWith([broken], { errorHandling: ONCE }).run('hi')
      const events = await eventsOf(run)
      assert.ok(events.some(({ type }) => type === 'text-drop'))
      const { text, reason, detail, messages } = await run.outcome
      assert.equal(text, '')
      assert.equal(reason, 'unavailable')
      assert.ok(detail !== null)
      assert.deepEqual(messages, [userMessage('hi')])
    }
  })

  test('accepts several messages, and rejects invalid ones with their index', async () => {
    const scripted = scriptedModel(['hello again'])
    const agent = createAgent({ model: scripted })
    const said = [
      userMessage('hi'),
      { role: 'assistant' as const, content: [{ type: 'text' as const, text: 'hello' }] },
      userMessage('again'),
    ]
    assert.equal((await agent.run(said).result).text, 'hello again')
    assert.deepEqual(scripted.calls[0]?.prompt.slice(0, 3), said)
    assert.throws(
      () => agent.run(said.slice(0, 2)),
      isError('INVALID_INPUT', /message 1 is the last/),
    )
    assert.throws(() => agent.run([]), isError('INVALID_INPUT', /no message/))
    assert.throws(() => agent.run(' '), isError('INVALID_INPUT', /empty/))
    assert.throws(() => agent.run([userMessage('')]), isError('INVALID_INPUT', /message 0/))
  })

  test('copies its input messages, so that later changes reach neither run nor journal', async () => {
    const journal = new MemoryJournal()
    const scripted = scriptedModel(['it is 3'])
    const agent = createAgent({ model: scripted, journal })
    const parsed = (): Message[] =>
      JSON.parse(
        JSON.stringify([
          { role: 'system', content: 'be kind' },
          userMessage('how much is 1 + 2?'),
          {
            role: 'assistant',
            content: [
              { type: 'tool-call', toolCallId: 'a', toolName: 'add', input: { a: [1, 2] } },
            ],
          },
          {
            role: 'tool',
            content: [
              {
                type: 'tool-result',
                toolCallId: 'a',
                toolName: 'add',
                output: { type: 'json', value: { sum: 3 } },
              },
            ],
          },
          userMessage('well?'),
        ]),
      )
    const given = parsed()
    const run = agent.run(given, { runId: 'r1' })
    // Like a program that continues with its own list.
    for (const message of given) spoil(message)
    given.push(userMessage('one more'))
    const { messages } = await run.result
    assert.deepEqual(scripted.calls[0]?.prompt.slice(0, 5), parsed())
    assert.deepEqual(messages.slice(0, 5), parsed())
    const [started] = journal.read('r1')
    assert.ok(started?.type === 'started')
    assert.deepEqual(started.input, { messages: parsed() })
    assert.deepEqual((await (await agent.resume('r1')).result).messages, messages)
  })

  test('accepts a file by address, which a journal keeps as text', async () => {
    const journal = new MemoryJournal()
    const scripted = scriptedModel(['a cat'])
    const agent = createAgent({ model: scripted, journal })
    const url = new URL('https://example.com/cat.png')
    const said: Message = {
      role: 'user',
      content: [{ type: 'file', mediaType: 'image/png', data: { type: 'url', url } }],
    }
    const { messages } = await agent.run([said], { runId: 'r1' }).result
    assert.deepEqual(messages[0], said)
    assert.deepEqual(scripted.calls[0]?.prompt[0], said)
    const [started] = journal.read('r1')
    assert.match(JSON.stringify(started), /"url":"https:\/\/example.com\/cat.png"/)
    assert.deepEqual((await (await agent.resume('r1')).result).messages, messages)
  })

  test('continues when telemetry or logging throws', async () => {
    const logged: string[] = []
    const throwing = (): never => {
      throw new Error('the sink is full')
    }
    const agent = agentWith(['yes', 'again'], {
      telemetry: throwing,
      logging: (record) => {
        logged.push(JSON.stringify(record))
        throwing()
      },
    })
    assert.equal((await agent.run('hi').result).text, 'yes')
    assert.ok(logged.length > 0)
    assert.equal((await agent.run('hi').result).text, 'again')
  })

  test('can be canceled, receive more input, and report its spending', async () => {
    const agent = agentWith(['never'])
    const run = agent.run('hi')
    run.cancel()
    const { status, reason } = await run.result
    assert.deepEqual([status, reason], ['canceled', 'canceled'])
    const told = agentWith(['yes']).run('hi', { runId: 'r1' })
    told.hear('and quickly')
    assert.equal(told.id, 'r1')
    assert.equal((await told.result).messages.length, 3)
    assert.equal(told.spent['calls.main'], 1)
  })

  test('delivers input sent during its last model call, and rejects later input', async () => {
    const journal = new MemoryJournal()
    let say = (): void => undefined
    const scripted = (...script: readonly ScriptedAnswer[]) =>
      createAgent({ model: model(script), journal })
    const speaking: ScriptedAnswer = () => {
      say()
      return { text: 'it is 5' }
    }
    const run = scripted(speaking, 'and 6').run('2 + 3?', { runId: 'r' })
    say = () => run.hear('and 3 + 3?')
    const { text, reason, messages } = await run.result
    assert.deepEqual([text, reason, messages.length], ['and 6', 'stop', 4])
    assert.throws(() => run.hear('too late'), isError('INVALID_INPUT', /next turn/))
    const resumed = await scripted().resume('r')
    assert.throws(() => resumed.hear('too late'), isError('INVALID_INPUT'))
    assert.deepEqual((await resumed.result).messages, messages)
    // A turn without model calls left keeps the input.
    const last = createAgent({ model: model([speaking]), maxIterations: 1 }).run('2 + 3?')
    say = () => last.hear('and 3 + 3?')
    assert.equal((await last.result).messages.length, 3)
  })

  test('asks whether to continue when its model calls are used up', async () => {
    const script = [asksToAdd(1, 1), asksToAdd(2, 2), 'four']
    const agent = agentWith(script, { tools: [add], maxIterations: 1, atLimit: 'ask' })
    const run = agent.run('hi')
    let answers = 0
    for await (const event of run) {
      if (event.type !== 'request-open') continue
      assert.deepEqual(run.requests, [event.request])
      const { request } = event
      assert.equal(isApproval(event.about), false)
      assert.throws(() => run.respond(request, 'yes'), isError('INVALID_INPUT', /true or false/))
      run.respond(request, answers++ === 0)
    }
    const { reason, messages } = await run.result
    assert.equal(reason, 'max-iterations')
    assert.equal(messages.length, 5)
  })
})

describe('[C-15] settings', () => {
  test('limits are hard, and the reason names them', async () => {
    const limited = agentWith(['hello'], { limits: { calls: 0 } })
    assert.equal((await limited.run('hi').result).reason, 'budget:calls.main')
    const { reason } = await limited.run('hi', { limits: { calls: 5, money: 0 } }).result
    assert.equal(reason, 'budget:money')
    const allowed = agentWith(['hello'], { limits: { calls: 0 } })
    assert.equal((await allowed.run('hi', { limits: { calls: 1 } }).result).text, 'hello')
  })

  test('[C-2] telemetry receives every event and logging every decision, without middleware', async () => {
    const events: RunEvent['type'][] = []
    const records: LogRecord[] = []
    const agent = agentWith([asksToAdd(2, 3), asksToAdd(1, 1)], {
      tools: [add],
      maxIterations: 2,
      telemetry: ({ type }) => void events.push(type),
      logging: (record) => void records.push(record),
    })
    await agent.run('hi').result
    assert.equal(events[0], 'run-start')
    assert.equal(events.at(-1), 'run-end')
    const messages = records.map(({ message }) => message)
    assert.deepEqual(messages, [
      'run begun',
      'step begun',
      'step begun',
      'tool called',
      'step begun',
      'max-iterations',
      'run ended',
    ])
  })

  test('logging alone does not read the text of the answer', async () => {
    const records: LogRecord[] = []
    const scripted = scriptedModel([{ error: apiError(503) }, 'hello'])
    const stream = scripted.doStream.bind(scripted)
    let streamed = 0
    const watched = Object.assign(scripted, {
      doStream: (options: Parameters<typeof stream>[0]) => {
        streamed++
        return stream(options)
      },
    })
    const agent = createAgent({
      model: watched,
      errorHandling: { ...ONCE, retries: 1 },
      logging: (record) => void records.push(record),
    })
    assert.equal((await agent.run('hi').result).text, 'hello')
    assert.equal(streamed, 0)
    assert.ok(
      records.some(({ level, message }) => level === 'warning' && message === 'tried again'),
    )
  })

  test('memories and history reduction have fields of their own, and go inside the rest', async () => {
    const order: string[] = []
    const named = (name: string) =>
      defineMiddleware({
        name,
        async turn(turn, next) {
          order.push(name)
          return next(turn)
        },
      })()
    const agent = createAgent({
      model: scriptedModel(['hello']),
      use: [named('own')],
      dynamicMemory: named('notes'),
      staticMemory: named('documents'),
      historyReduction: named('shorter'),
    })
    await agent.run('hi').result
    assert.deepEqual(order, ['own', 'shorter', 'documents', 'notes'])
  })

  test('error handling is the retry policy', async () => {
    const agent = agentWith([{ error: apiError(503) }, 'hello'], { errorHandling: ONCE })
    assert.equal((await agent.run('hi').outcome).reason, 'unavailable')
    assert.equal((await agent.run('hi').result).text, 'hello')
  })

  test('[C-21] omitted fields of error handling keep their defaults', async () => {
    const clock = new SetClock()
    const script = [{ error: apiError(503) }, { error: apiError(503) }, 'hello']
    const agent = agentWith(script, { errorHandling: { retries: 1 }, clock })
    const run = agent.run('hi')
    await clock.advance(0)
    await clock.advance(1000)
    const { reason } = await run.outcome
    assert.equal(reason, 'unavailable')
    assert.equal((await agent.run('hi').result).text, 'hello')
  })

  test('a run may have its own instructions, iterations and tools', async () => {
    const scripted = scriptedModel([asksToAdd(2, 3), 'it is 5', 'hello'])
    const agent = createAgent({ model: scripted, instructions: 'be kind' })
    const own = { tools: [add], instructions: 'be short', seed: 7, caller: 'me' }
    assert.equal((await agent.run('2 + 3?', own).result).text, 'it is 5')
    assert.equal((await agent.run('hi').result).text, 'hello')
    const [first, , third] = scripted.calls
    assert.deepEqual(first?.prompt[0], { role: 'system', content: 'be short' })
    assert.deepEqual(
      first?.tools?.map(({ name }) => name),
      ['add'],
    )
    assert.deepEqual(third?.prompt[0], { role: 'system', content: 'be kind' })
    assert.equal(third?.tools, undefined)
    assert.throws(() => agent.run('hi', { maxIterations: 0 }), isError('INVALID_CONFIG'))
    assert.throws(() => agent.run('hi', { tools: [add, add] }), isError('INVALID_DEFINITION'))
  })

  test('sampling settings and the timeout apply to each model call', async () => {
    const scripted = scriptedModel(['hello'])
    const sampling = { temperature: 0.5, stop: ['END'] }
    await createAgent({ model: scripted, sampling, maxTokens: 99 }).run('hi').result
    const [call] = scripted.calls
    assert.equal(call?.temperature, 0.5)
    assert.deepEqual(call?.stopSequences, ['END'])
    assert.equal(call?.maxOutputTokens, 99)
  })

  test('an agent without a model reports it when it is run', async () => {
    await assert.rejects(createAgent({}).run('hi').result, isError('INVALID_CONFIG', /no model/))
  })

  test('an impossible configuration is rejected when the agent is built', () => {
    const old = { specificationVersion: 'v2', provider: 'old', modelId: 'one', doGenerate: null }
    const twice = { tools: [add, add] }
    for (const [settings, code, says] of [
      [{ maxIterations: NaN }, 'INVALID_CONFIG', /maxIterations/],
      [{ maxTokens: -1 }, 'INVALID_CONFIG', /maxTokens/],
      [{ timeoutMs: NaN }, 'INVALID_CONFIG', /timeoutMs/],
      [{ limits: { money: NaN } }, 'INVALID_CONFIG', /limits\.money/],
      [{ errorHandling: { baseMs: NaN } }, 'INVALID_CONFIG', /errorHandling: baseMs/],
      [twice, 'INVALID_DEFINITION', /two tools are called add/],
      [{ use: [retry(), retry()] }, 'INVALID_DEFINITION', /echelon\/retry/],
      [JSON.parse('{ "model": {} }'), 'INVALID_CONFIG', /not a model/],
      [{ model: Object.assign(JSON.parse('{}'), old) }, 'INVALID_DEFINITION', /v4 or v3/],
    ] as const) {
      assert.throws(() => createAgent(settings), isError(code, says))
    }
    assert.throws(() => new AgentBuilder().tools(add, add).build(), isError('INVALID_DEFINITION'))
    const agent = agentWith([])
    assert.throws(() => agent.run('hi', { limits: { tokens: -1 } }), isError('INVALID_CONFIG'))
  })

  test('a builder can start several agents', async () => {
    const base = new AgentBuilder().model(model(['one', 'two'])).name('base')
    const left = base.instructions('left').build()
    const right = base.name('right').build()
    assert.deepEqual([left.name, right.name], ['base', 'right'])
    assert.equal((await left.run('hi').result).messages.length, 3)
    assert.equal((await right.run('hi').result).messages.length, 2)
  })

  test('a builder sets the same options as the plain object', async () => {
    const journal = new MemoryJournal()
    const events: string[] = []
    const agent = new AgentBuilder()
      .registry(source({ 'p/m': model([{ error: apiError(503) }, 'never']) }))
      .providers({ p: { apiKey: 'k' } })
      .model('p/m')
      .limits({ calls: 1 })
      .limits({ tools: 0 })
      .maxIterations(3)
      .errorHandling(ONCE)
      .journal(journal)
      .telemetry(({ type }) => void events.push(type))
      .logging(({ message }) => void events.push(message))
      .build()
    const { reason } = await agent.run('hi', { runId: 'r1' }).outcome
    assert.equal(reason, 'unavailable')
    const started = journal.read('r1').find((entry) => entry.type === 'started')
    assert.deepEqual(started?.limits, { 'calls.main': 1, tools: 0 })
    assert.ok(events.includes('run-end') && events.includes('run ended'))
  })

  test('an agent is frozen, and building it loads nothing', () => {
    const models = source({})
    const agent = createAgent({ model: 'p/m', registry: models })
    assert.ok(Object.isFrozen(agent))
    assert.deepEqual(models.asked, [])
    assert.equal(agent.model, undefined)
  })
})

describe('middleware', () => {
  const counting = defineMiddleware({
    name: 'counting',
    generate: (call, next) => next({ ...call, maxTokens: (call.maxTokens ?? 0) + 1 }),
  })

  test('[C-9] the options callback sees and returns the options of each call, outermost', async () => {
    const scripted = scriptedModel(['hello', 'hello'])
    const seen: unknown[] = []
    const agent = createAgent({
      model: scripted,
      tools: [add],
      use: [counting()],
      configureOptions(options) {
        seen.push(options.tools)
        return { ...options, maxTokens: 40, tools: [] }
      },
    })
    await agent.run('hi').result
    await agent.run('hi', { configureOptions: (options) => ({ ...options, maxTokens: 80 }) }).result
    assert.deepEqual(seen, [['add'], ['add']])
    assert.deepEqual(
      scripted.calls.map(({ maxOutputTokens }) => maxOutputTokens),
      [41, 81],
    )
    assert.equal(scripted.calls[0]?.tools, undefined)
  })

  test('a model wrapper receives the service container', async () => {
    const inner = scriptedModel(['hello'])
    const outer = scriptedModel(['wrapped'])
    const agent = new AgentBuilder()
      .model(asBound(inner))
      .services({ outer })
      .wrapModel((_model, services) => services.outer)
      .build()
    assert.equal((await agent.run('hi').result).text, 'wrapped')
  })
})

test('an agent works as a tool of another, with its task in words', async () => {
  const expert = agentWith(['5'], { name: 'expert' })
  const tool = expert.asTool({ name: 'ask_expert', description: 'knows sums' })
  assert.equal(tool.delegates, true)
  assert.deepEqual(tool.jsonSchema['required'], ['task'])
  const check = tool.input['~standard'].validate
  assert.deepEqual(check({ task: 'add' }), { value: { task: 'add' } })
  for (const wrong of [null, {}, { task: '' }, { task: 'add', more: 1 }]) {
    const result = check(wrong)
    assert.ok(!(result instanceof Promise) && result.issues !== undefined)
  }
})

describe('a resumed run', () => {
  test('continues from its journal with its model until the next switch', async () => {
    const journal = new MemoryJournal()
    const first = createAgent({ model: model(['cut'], 'p/old'), journal, tools: [add] })
    await first.run('2 + 3?', { runId: 'r1' }).result
    const cut = new MemoryJournal()
    cut.append(
      'r1',
      journal.read('r1').filter(({ type }) => type === 'started'),
    )
    const models = source({ 'p/old': model(['from the old'], 'p/old') })
    const other = createAgent({
      model: model([], 'p/new'),
      journal: cut,
      tools: [add],
      registry: models,
    })
    const resumed = await other.resume('r1')
    assert.equal((await resumed.result).text, 'from the old')
    assert.deepEqual(models.asked, ['p/old'])
  })

  test('uses another model from a switch on', async () => {
    const journal = new MemoryJournal()
    const asked: string[] = []
    const act = defineTool({
      name: 'act',
      description: 'acts',
      input: z.object({}),
      async run() {
        await other.switchProvider('p/next')
        return 'done'
      },
    })
    const first = createAgent({ model: model(['cut'], 'p/old'), journal, tools: [act] })
    await first.run('hi', { runId: 'r1' }).result
    const cut = new MemoryJournal()
    cut.append(
      'r1',
      journal.read('r1').filter(({ type }) => type === 'started'),
    )
    const other = createAgent({
      model: model([], 'p/new'),
      journal: cut,
      tools: [act],
      registry: source({
        'p/old': model([{ toolCalls: [{ tool: 'act', input: {} }] }], 'p/old'),
        'p/next': model(['from the next'], 'p/next'),
      }),
      telemetry: (event) => void asked.push(...(event.type === 'step-start' ? event.targets : [])),
    })
    assert.equal((await (await other.resume('r1')).result).text, 'from the next')
    assert.deepEqual(asked, ['p/old', 'act', 'p/next'])
    assert.deepEqual(
      cut.read('r1').flatMap((entry) => (entry.type === 'bound' ? entry.model : [])),
      ['p/next'],
    )
  })

  test('that was not recorded is rejected with what to do', async () => {
    await assert.rejects(agentWith([]).resume('r1'), isError('INVALID_CONFIG', /no journal/))
    const agent = agentWith([], { journal: new MemoryJournal() })
    await assert.rejects(agent.resume('r1'), isError('UNKNOWN_RUN'))
  })

  test('can be resumed only in its own session', async () => {
    const agent = agentWith(['one', 'two'], { journal: new MemoryJournal() })
    const own = agent.session()
    await agent.run('hi', { runId: 'r1', session: own }).result
    await agent.run('hi', { runId: 'r2' }).result
    const strange = { session: agent.session() }
    await assert.rejects(
      agent.resume('r1', strange),
      isError('INVALID_INPUT', /of the conversation/),
    )
    await assert.rejects(
      agent.resume('r2', strange),
      isError('INVALID_INPUT', /not a turn of a conv/),
    )
    assert.deepEqual(strange.session.messages, [])
    assert.equal((await (await agent.resume('r2')).result).text, 'two')
  })
})

/** Changes all texts and numbers in a value. */
function spoil(value: object): void {
  for (const [key, item] of Object.entries(value)) {
    if (typeof item === 'object' && item !== null) spoil(item)
    else Reflect.set(value, key, typeof item === 'number' ? item + 1 : 'spoiled')
  }
}
