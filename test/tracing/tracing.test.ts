import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { AlwaysOffSampler, TracerProvider } from '@opentelemetry/sdk-trace'
import { z } from 'zod'
import { createAgent } from '../../packages/echelon/src/chat.ts'
import { createDecider } from '../../packages/echelon/src/decide.ts'
import { defineTool, ToolError } from '../../packages/echelon/src/core/tool/tool.ts'
import type {
  RunSpan,
  TracedRun,
  Tracing,
} from '../../packages/echelon/src/core/observability/tracing.ts'
import { defineMiddleware } from '../../packages/echelon/src/core/extension/define-middleware.ts'
import { costTracking } from '../../packages/echelon/src/middleware/cost-tracking.ts'
import { MemoryJournal } from '../../packages/echelon/src/runtime/journal/memory-journal.ts'
import { openTelemetry } from '@echelon/telemetry'
import {
  apiError,
  asBound,
  scriptedModel,
} from '../../packages/echelon/src/testing/scripted-model.ts'
import { startModelServer } from '../../packages/echelon/src/testing/local-model-server.ts'
import { add, asksToAdd, eventsOf, model } from '../chat/kit.ts'
import { Heard, idOf, parentOf, sumOf } from './kit.ts'

const tracing = await openTelemetry()
const TRACE = '0af7651916cd43dd8448eb211c80319c'
const CALLER = `00-${TRACE}-b7ad6b7169203331-01`

describe('[C-23, DD-27] a run as spans', () => {
  test('[C-23] an agent, its model calls and its tools: names, nesting, attributes by the conventions', async () => {
    using heard = new Heard()
    const agent = createAgent({
      name: 'adder',
      model: model([asksToAdd(2, 3), '5'], 'openai/gpt-5-nano'),
      tools: [add],
      limits: { tokens: 10_000 },
      sampling: { temperature: 0 },
      maxTokens: 100,
      tracing,
    })
    const session = agent.session('talk-1')
    const run = agent.run('2 and 3?', { session, runId: 'run-1' })
    assert.equal((await run.result).text, '5')
    assert.deepEqual(heard.tree(), [
      'invoke_agent adder',
      '.chat gpt-5-nano',
      '.execute_tool add',
      '.chat gpt-5-nano',
    ])
    const root = heard.span('invoke_agent adder')
    assert.equal(root.kind, SpanKind.INTERNAL)
    assert.equal(root.instrumentationScope.name, 'echelon')
    const { ['echelon.budget.spent.seconds']: seconds, ...told } = root.attributes
    assert.equal(typeof seconds, 'number')
    assert.deepEqual(told, {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'adder',
      'gen_ai.conversation.id': 'talk-1',
      'gen_ai.usage.input_tokens': 20,
      'gen_ai.usage.output_tokens': 10,
      'echelon.run.id': 'run-1',
      'echelon.run.status': 'finished',
      'echelon.run.reason': 'stop',
      'echelon.run.steps': 3,
      'echelon.budget.limit.tokens': 10_000,
      'echelon.budget.spent.steps': 3,
      'echelon.budget.spent.tools': 1,
      'echelon.budget.spent.tokens': 30,
      'echelon.budget.spent.money': 30,
      'echelon.budget.spent.calls.main': 2,
      'echelon.budget.spent.input.main': 20,
      'echelon.budget.spent.output.main': 10,
      'echelon.budget.spent.money.main': 30,
    })
    const [first] = heard.spans.filter(({ name }) => name.startsWith('chat'))
    assert.equal(first?.kind, SpanKind.CLIENT)
    assert.deepEqual(first?.attributes, {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'gpt-5-nano',
      'gen_ai.request.max_tokens': 100,
      'gen_ai.request.temperature': 0,
      'gen_ai.output.type': 'text',
      'gen_ai.response.finish_reasons': ['tool_call'],
      'gen_ai.usage.input_tokens': 10,
      'gen_ai.usage.output_tokens': 5,
      'echelon.cost.usd': 15,
      'echelon.role': 'main',
      'echelon.step': 0,
      'echelon.attempts': 1,
    })
    assert.deepEqual(heard.span('execute_tool add').attributes, {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'add',
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.id': 'call-1-1',
      'echelon.attempts': 1,
      'echelon.tool.outcome': 'ok',
      'echelon.tool.meter': 'tools',
    })
    assert.ok(heard.spans.every(({ status }) => status.code === SpanStatusCode.UNSET))
  })

  test("[C-23] a sub-agent is nested in its tool call, and a tool's own spans in the tool", async () => {
    using heard = new Heard()
    const own = trace.getTracer('somebody')
    const price = defineTool({
      name: 'price',
      description: 'a price',
      input: z.object({}),
      run: async () => {
        await Promise.resolve()
        return own.startActiveSpan('query', (span) => {
          span.end()
          return 40
        })
      },
    })
    const buyer = createAgent({
      name: 'buyer',
      model: model([{ toolCalls: [{ tool: 'price', input: {} }] }, '40'], 'x/small'),
      tools: [price],
    })
    const planner = createAgent({
      name: 'planner',
      model: model([{ toolCalls: [{ tool: 'ask', input: { task: 't' } }] }, '80'], 'x/big'),
      tools: [buyer.asTool({ name: 'ask', description: 'asks' })],
      tracing,
    })
    await planner.run('go').result
    assert.deepEqual(heard.tree(), [
      'invoke_agent planner',
      '.chat big',
      '.execute_tool ask',
      '..invoke_agent buyer',
      '...chat small',
      '...execute_tool price',
      '....query',
      '...chat small',
      '.chat big',
    ])
    const child = heard.span('invoke_agent buyer').attributes
    assert.equal(child['echelon.run.path'], '1.0/')
    assert.equal(child['gen_ai.usage.input_tokens'], 20)
    assert.equal(child['echelon.budget.spent.tokens'], undefined)
  })

  test('[C-23] a span that middleware opens around a call contains the call', async () => {
    using heard = new Heard()
    const own = trace.getTracer('somebody')
    const around = defineMiddleware({
      name: 'around',
      generate: (call, next) =>
        own.startActiveSpan('guard', async (span) => {
          const outcome = await next(call)
          span.end()
          return outcome
        }),
    })
    await createAgent({ model: model(['hi']), use: [around()], tracing }).run('go').result
    assert.deepEqual(heard.tree(), ['invoke_agent chat', '.guard', '..chat one'])
  })

  test('[C-23] parallel tools are siblings, each with its own spans', async () => {
    using heard = new Heard()
    const own = trace.getTracer('somebody')
    const both = Promise.withResolvers<void>()
    let begun = 0
    const slow = defineTool({
      name: 'slow',
      description: 'waits for the other',
      input: z.object({ n: z.number() }),
      async run({ n }) {
        if (++begun === 2) both.resolve()
        await both.promise
        own.startSpan(`work ${n}`).end()
        return n
      },
    })
    const calls = [1, 2].map((n) => ({ tool: 'slow', input: { n } }))
    const scripted = model([{ toolCalls: calls }, 'done'])
    await createAgent({ model: scripted, tools: [slow], tracing }).run('go').result
    const [root] = heard.spans.filter((span) => parentOf(span) === undefined)
    const tools = heard.spans.filter(({ name }) => name === 'execute_tool slow')
    assert.ok(root !== undefined && tools.every((span) => parentOf(span) === idOf(root)))
    const within = tools.map(
      (span) => heard.spans.find((one) => parentOf(one) === idOf(span))?.name,
    )
    assert.deepEqual(new Set(within), new Set(['work 1', 'work 2']))
  })

  test('[C-23] two concurrent runs have separate traces', async () => {
    using heard = new Heard()
    const agent = createAgent({ model: model(['a', 'b']), tracing })
    await Promise.all([agent.run('one').result, agent.run('two').result])
    const traces = new Set(heard.spans.map((span) => span.spanContext().traceId))
    assert.equal(traces.size, 2)
    assert.equal(heard.spans.length, 4)
  })

  test('[C-23] a failed call, its retries and the run that ends with it are errors, with only their type', async () => {
    using heard = new Heard()
    const down = { error: apiError(503, { message: 'the seeded words of a server' }) }
    const agent = createAgent({
      model: model([down, down]),
      errorHandling: { retries: 1, baseMs: 1 },
      tracing,
    })
    assert.equal((await agent.run('go').outcome).reason, 'unavailable')
    const call = heard.span('chat one')
    assert.equal(call.status.code, SpanStatusCode.ERROR)
    assert.equal(call.status.message, undefined)
    assert.equal(call.attributes['error.type'], 'unavailable')
    assert.equal(call.attributes['echelon.attempts'], 2)
    assert.deepEqual(
      call.events.map(({ name, attributes }) => [name, attributes?.['error.type']]),
      [['echelon.retry', 'unavailable']],
    )
    const root = heard.span('invoke_agent chat')
    assert.equal(root.status.code, SpanStatusCode.ERROR)
    assert.equal(root.attributes['error.type'], 'unavailable')
    assert.doesNotMatch(await heard.everything(), /seeded words/)
  })

  test('[C-23] a run that rejects is a failed one, with the code of the error', async () => {
    using heard = new Heard()
    const agent = createAgent({
      model: model(['never']),
      permissions: { turn: () => 'no' },
      tracing,
    })
    await assert.rejects(agent.run('go').result, { code: 'NOT_PERMITTED' })
    const { attributes, status } = heard.span('invoke_agent chat')
    assert.equal(attributes['error.type'], 'NOT_PERMITTED')
    assert.equal(attributes['echelon.run.status'], 'failed')
    assert.equal(status.code, SpanStatusCode.ERROR)
  })

  test('[C-23] a failed tool, a denied one, an unknown one, and one that the budget refuses', async () => {
    using heard = new Heard()
    const broken = defineTool({
      name: 'broken',
      description: 'fails',
      input: z.object({}),
      run: () => {
        throw new ToolError('RATE_LIMIT', 'seeded sentence of a tool')
      },
    })
    const forbidden = defineTool({ ...broken, name: 'forbidden' })
    const calls = ['broken', 'forbidden', 'made up by a model'].map((tool) => ({ tool, input: {} }))
    const agent = createAgent({
      model: model([{ toolCalls: calls }, { toolCalls: [{ tool: 'broken', input: {} }] }, 'end']),
      tools: [broken, forbidden],
      permissions: { rules: [{ tools: ['forbidden'], verdict: 'deny', reason: 'seeded reason' }] },
      limits: { tools: 1 },
      tracing,
    })
    await agent.run('go').result
    const outcomes = heard.spans
      .filter(({ name }) => name.startsWith('execute_tool'))
      .map(({ name, attributes, status }) => [
        name,
        attributes['echelon.tool.outcome'],
        attributes['error.type'],
        status.code === SpanStatusCode.ERROR,
      ])
    assert.deepEqual(outcomes, [
      ['execute_tool broken', 'error', 'RATE_LIMIT', true],
      ['execute_tool broken', 'refused', 'refused', false],
    ])
    const refusals = heard
      .span('invoke_agent chat')
      .events.map(({ name, attributes }) => [name, ...Object.values(attributes ?? {})])
    assert.deepEqual(refusals, [
      ['echelon.refusal', 'permission', 'tool', 'forbidden'],
      ['echelon.refusal', 'budget', 'tools', 'broken'],
    ])
    const [called] = await heard.figure('gen_ai.invoke_agent.tool_calls')
    assert.equal(sumOf(called), 1)
    const durations = await heard.figure('gen_ai.execute_tool.duration')
    assert.deepEqual(
      durations.map(({ attributes }) => attributes['error.type']),
      ['RATE_LIMIT'],
    )
    assert.doesNotMatch(await heard.everything(), /seeded|made up/)
  })

  test('[C-23] a tool name that a model made up is not exported when the call is denied', async () => {
    using heard = new Heard()
    const run: TracedRun = {
      runId: 'r',
      agent: 'own',
      path: '',
      session: undefined,
      parent: undefined,
      earlier: undefined,
      limits: {},
      spent: () => ({}),
      isCanceled: () => false,
      hasTool: (name) => name === 'add',
      redact: (value) => value,
    }
    const span = tracing.begin(run)
    const calls = ['add', 'seeded-name'].map((tool) => ({ id: tool, tool, input: {} }))
    const denied = { type: 'denied', reason: 'no' } as const
    const seen = { type: 'tools-called', outcomes: [denied, denied] } as const
    const asked = { type: 'call-tools', actor: 'main', calls } as const
    span?.saw(seen, asked)
    span?.saw({ type: 'together', observations: [seen] }, { type: 'together', effects: [asked] })
    span?.end({ status: 'finished', reason: 'stop' })
    const refusals = await heard.figure('echelon.refusals')
    assert.deepEqual(
      refusals.map(({ attributes, value }) => [attributes['gen_ai.tool.name'], value]),
      [
        ['add', 2],
        ['_OTHER', 2],
      ],
    )
    assert.doesNotMatch(await heard.everything(), /seeded/)
  })

  test('[C-23] a limit that refuses a model call is reported, and is not a call', async () => {
    using heard = new Heard()
    const agent = createAgent({ model: model(['x']), limits: { money: 0 }, tracing })
    assert.equal((await agent.run('go').result).reason, 'budget:money')
    const call = heard.span('chat one')
    assert.equal(call.attributes['echelon.refusal.limit'], 'money')
    assert.equal(call.status.code, SpanStatusCode.UNSET)
    assert.deepEqual(await heard.figure('gen_ai.client.operation.duration'), [])
    const [made] = await heard.figure('gen_ai.invoke_agent.inference_calls')
    assert.equal(sumOf(made), 0)
    const [refused] = await heard.figure('echelon.refusals')
    assert.deepEqual(refused?.attributes, {
      'gen_ai.agent.name': 'chat',
      'echelon.refusal.by': 'budget',
      'echelon.refusal.limit': 'money',
    })
  })

  test("[C-23] a call aborted by the run's time limit counts as a call, and has its duration", async () => {
    using heard = new Heard()
    const slow = model([{ text: 'late', delayMs: 60_000 }])
    const agent = createAgent({ model: slow, limits: { seconds: 0.05 }, tracing })
    assert.equal((await agent.run('go').result).reason, 'budget:seconds')
    const [point] = await heard.figure('gen_ai.client.operation.duration')
    assert.equal(point?.attributes['error.type'], 'refused')
    const [made] = await heard.figure('gen_ai.invoke_agent.inference_calls')
    assert.equal(sumOf(made), 1)
  })

  test('[C-23] a retried tool reports the retry and its cause', async () => {
    using heard = new Heard()
    let tries = 0
    const flaky = defineTool({
      name: 'flaky',
      description: 'fails once',
      input: z.object({}),
      retries: 2,
      run: () => {
        if (++tries === 1) throw new ToolError('RATE_LIMIT', 'seeded sentence')
        return tries
      },
    })
    const agent = createAgent({
      model: model([{ toolCalls: [{ tool: 'flaky', input: {} }] }, 'end']),
      tools: [flaky],
      errorHandling: { baseMs: 1 },
      tracing,
    })
    await agent.run('go').result
    const { events, attributes } = heard.span('execute_tool flaky')
    assert.equal(attributes['echelon.attempts'], 2)
    assert.deepEqual(
      events.map(({ name, attributes: told }) => [name, told?.['error.type']]),
      [['echelon.retry', 'RATE_LIMIT']],
    )
    const [retries] = await heard.figure('echelon.retries')
    assert.equal(retries?.attributes['gen_ai.tool.name'], 'flaky')
    assert.equal(retries?.value, 1)
    assert.doesNotMatch(await heard.everything(), /seeded/)
  })

  test('[C-23] a wait for a person is a span; for a tool’s question within the tool', async () => {
    using heard = new Heard()
    const send = defineTool({
      name: 'send',
      description: 'sends',
      input: z.object({}),
      needsApproval: true,
      run: async (_, { ask }) => (await ask?.('seeded question?')) ?? null,
    })
    const scripted = model([{ toolCalls: [{ tool: 'send', input: {} }] }, 'end'])
    const run = createAgent({ model: scripted, tools: [send], tracing }).run('go')
    for await (const event of run) {
      if (event.type !== 'request-open') continue
      run.respond(event.request, event.request.includes('?') ? 'seeded reply' : 'once')
    }
    assert.deepEqual(heard.tree(), [
      'invoke_agent chat',
      '.chat one',
      '.wait approval',
      '.execute_tool send',
      '..wait question',
      '.chat one',
    ])
    const waits = await heard.figure('echelon.wait.duration')
    assert.deepEqual(
      waits.map(({ attributes }) => attributes),
      ['approval', 'question'].map((what) => ({
        'gen_ai.agent.name': 'chat',
        'echelon.wait.for': what,
        'echelon.wait.outcome': 'answered',
      })),
    )
    assert.doesNotMatch(await heard.everything(), /seeded/)
  })

  test('[C-23] a cancel ends the span of a wait', async () => {
    using heard = new Heard()
    const act = defineTool({ ...add, name: 'act', needsApproval: true })
    const scripted = model([{ toolCalls: [{ tool: 'act', input: { a: 1, b: 2 } }] }])
    const run = createAgent({ model: scripted, tools: [act], tracing }).run('go')
    for await (const event of run) if (event.type === 'request-open') run.cancel()
    assert.equal((await run.result).status, 'canceled')
    assert.equal(heard.span('wait approval').attributes['echelon.wait.outcome'], 'unanswered')
  })

  test('[C-23, DD-27] events of middleware are exported by name: an alert on cost', async () => {
    using heard = new Heard()
    const agent = createAgent({
      model: model(['a']),
      use: [costTracking({ alertAt: 10 })],
      tracing,
    })
    await agent.run('go').result
    const facts = { 'echelon.middleware.name': 'costTracking', 'echelon.middleware.event': 'alert' }
    const [event] = heard.span('invoke_agent chat').events
    assert.deepEqual([event?.name, event?.attributes], ['echelon.middleware', facts])
    const [alerts] = await heard.figure('echelon.middleware.events')
    assert.deepEqual(alerts?.attributes, { 'gen_ai.agent.name': 'chat', ...facts })
    assert.equal(alerts.value, 1)
  })

  test('[C-23] a run that is suspended while it waits ends its spans without an error', async () => {
    using heard = new Heard()
    const pay = defineTool({
      name: 'pay',
      description: 'pays',
      input: z.object({}),
      needsApproval: true,
      run: () => 1,
    })
    const agent = createAgent({
      name: 'payer',
      model: model([{ toolCalls: [{ tool: 'pay', input: {} }] }]),
      tools: [pay],
      journal: new MemoryJournal(),
      suspend: { afterMs: 0 },
      tracing,
    })
    const run = agent.run('pay')
    await Promise.all([
      assert.rejects(eventsOf(run), { code: 'RUN_SUSPENDED' }),
      assert.rejects(run.result, { code: 'RUN_SUSPENDED' }),
    ])
    const root = heard.span('invoke_agent payer')
    assert.equal(root.attributes['echelon.run.status'], 'suspended')
    for (const span of [root, heard.span('wait approval')]) {
      assert.equal(span.status.code, SpanStatusCode.UNSET)
    }
  })

  test('[C-23] a cancel ends every span without an error', async () => {
    using heard = new Heard()
    const agent = createAgent({ model: model([{ text: 'late', delayMs: 60_000 }]), tracing })
    const run = agent.run('go')
    for await (const event of run) if (event.type === 'step-start') run.cancel()
    assert.equal((await run.result).status, 'canceled')
    const call = heard.span('chat one')
    const root = heard.span('invoke_agent chat')
    assert.equal(call.attributes['error.type'], 'canceled')
    assert.equal(root.attributes['echelon.run.status'], 'canceled')
    assert.deepEqual(
      [call.status.code, root.status.code],
      [SpanStatusCode.UNSET, SpanStatusCode.UNSET],
    )
  })

  test('[C-23] a streamed answer reports the time of its first text', async () => {
    using heard = new Heard()
    const run = createAgent({ model: model([{ text: ['a', 'b'] }]), tracing }).run('go')
    await eventsOf(run)
    const { attributes } = heard.span('chat one')
    assert.equal(attributes['gen_ai.request.stream'], true)
    assert.equal(typeof attributes['gen_ai.response.time_to_first_chunk'], 'number')
    assert.equal((await heard.figure('gen_ai.client.operation.time_to_first_chunk')).length, 1)
  })
})

describe('[C-23, DD-27] the origin and destination of a trace', () => {
  test('[DD-27] the caller’s trace is kept, and passed on to tools and to the model’s server', async () => {
    using heard = new Heard()
    await using server = await startModelServer([
      { type: 'reply', toolCalls: [{ tool: 'where', input: {} }] },
      { type: 'reply', text: ['done'] },
    ])
    let given: string | undefined
    const where = defineTool({
      name: 'where',
      description: 'where it stands',
      input: z.object({}),
      run: (_, { traceparent }) => {
        given = traceparent
        return 1
      },
    })
    const baseUrl = server.baseUrl
    const options = {
      model: { provider: 'openai-compatible', model: 'local', baseUrl, apiKey: 'not-needed' },
      tools: [where],
    }
    const run = createAgent({ ...options, tracing }).run('go', {
      traceparent: CALLER,
      tracestate: 'vendor=1',
    })
    assert.equal((await run.result).text, 'done')
    assert.ok(heard.spans.every((span) => span.spanContext().traceId === TRACE))
    assert.equal(parentOf(heard.span('invoke_agent chat')), 'b7ad6b7169203331')
    assert.equal(heard.span('invoke_agent chat').spanContext().traceState?.get('vendor'), '1')
    assert.equal(given, `00-${TRACE}-${idOf(heard.span('execute_tool where'))}-01`)
    const calls = heard.spans.filter(({ name }) => name === 'chat local')
    assert.deepEqual(
      server.requests.map(({ headers }) => headers['traceparent']),
      calls.map((span) => `00-${TRACE}-${idOf(span)}-01`),
    )
    assert.equal(server.requests[0]?.headers['tracestate'], undefined)
    assert.equal(calls[0]?.attributes['gen_ai.response.model'], 'local')
  })

  test('[DD-27] excluded providers get no header', async () => {
    using heard = new Heard()
    const quiet = await openTelemetry({ sendTraceparent: (name) => name.startsWith('ours/') })
    const scripts = [scriptedModel(['a']), scriptedModel(['b'])]
    const [theirs = scriptedModel([]), ours = scriptedModel([])] = scripts
    await createAgent({ model: asBound(theirs, 'theirs/m'), tracing: quiet }).run('go').result
    await createAgent({ model: asBound(ours, 'ours/m'), tracing: quiet }).run('go').result
    assert.equal(theirs.calls[0]?.headers, undefined)
    assert.match(ours.calls[0]?.headers?.['traceparent'] ?? '', /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
    assert.equal(heard.spans.length, 4)
  })

  test('[DD-27] without a header the run belongs to the span that is active at its start', async () => {
    using heard = new Heard()
    const agent = createAgent({ model: model(['a']), tracing })
    await trace.getTracer('server').startActiveSpan('POST /ask', async (span) => {
      await agent.run('go').result
      span.end()
    })
    assert.deepEqual(heard.tree(), ['POST /ask', '.invoke_agent chat', '..chat one'])
  })

  test('[DD-27] a program that is part of a trace has its runs there, unless they have a header', async () => {
    using heard = new Heard()
    const within = await openTelemetry({ parent: { traceparent: CALLER, tracestate: 'vendor=1' } })
    const agent = createAgent({ model: model(['a', 'b', 'c']), tracing: within })
    await agent.run('go').result
    const [first] = heard.spans.filter(({ name }) => name === 'invoke_agent chat')
    assert.ok(first !== undefined)
    assert.equal(parentOf(first), 'b7ad6b7169203331')
    assert.equal(first.spanContext().traceState?.get('vendor'), '1')
    await trace.getTracer('server').startActiveSpan('POST /ask', async (span) => {
      await agent.run('go').result
      span.end()
      assert.equal(parentOf(heard.spans.at(-2) ?? first), span.spanContext().spanId)
    })
    await agent.run('go', { traceparent: CALLER.replace('b7ad', 'aaaa') }).result
    assert.equal(parentOf(heard.spans.at(-1) ?? first), 'aaaa6b7169203331')
    const none = await openTelemetry({ parent: { traceparent: 'nonsense' } })
    await createAgent({ name: 'alone', model: model(['d']), tracing: none }).run('go').result
    assert.equal(parentOf(heard.span('invoke_agent alone')), undefined)
  })

  test('[DD-27] an invalid header is ignored', async () => {
    using heard = new Heard()
    const agent = createAgent({ model: model(['a']), tracing })
    await agent.run('go', { traceparent: `00-${'0'.repeat(32)}-b7ad6b7169203331-01` }).result
    assert.equal(parentOf(heard.span('invoke_agent chat')), undefined)
  })

  test('[DD-27] a caller that does not sample is followed, and the trace is still passed on', async () => {
    using heard = new Heard()
    const scripted = scriptedModel(['a'])
    const agent = createAgent({ model: asBound(scripted), tracing })
    await agent.run('go', { traceparent: CALLER.replace(/01$/, '00') }).result
    assert.deepEqual(heard.spans, [])
    assert.match(
      scripted.calls[0]?.headers?.['traceparent'] ?? '',
      new RegExp(`^00-${TRACE}-[0-9a-f]{16}-00$`),
    )
    assert.equal((await heard.figure('echelon.runs')).length, 1)
  })

  test('[DD-27] a run resumed in another process continues its trace, linked to its earlier span', async () => {
    using heard = new Heard()
    const journal = new MemoryJournal()
    const make = (script: Parameters<typeof model>[0]) =>
      createAgent({ model: model(script), tools: [add], journal, tracing })
    const whole = make([asksToAdd(1, 2), '3'])
    const run = whole.run('go', { runId: 'r' })
    await run.result
    const [started] = journal.read('r')
    assert.equal(started?.type, 'started')
    const before = heard.span('invoke_agent chat')
    assert.match(JSON.stringify(started), new RegExp(idOf(before)))
    // As before its last step.
    const cut = new MemoryJournal()
    const entries = journal.read('r')
    const open = entries.findIndex(({ type }) => type === 'opened')
    cut.append('r', entries.slice(0, open))
    const again = createAgent({ model: model(['3']), tools: [add], journal: cut, tracing })
    await (
      await again.resume('r')
    ).result
    const after = heard.spans.find(({ attributes }) => attributes['echelon.run.resumed'] === true)
    assert.ok(after !== undefined)
    assert.equal(after.spanContext().traceId, before.spanContext().traceId)
    assert.deepEqual(
      after.links.map(({ context }) => context.spanId),
      [idOf(before)],
    )
    const third = new MemoryJournal()
    third.append('r', entries.slice(0, open))
    const elsewhere = createAgent({ model: model(['3']), tools: [add], journal: third, tracing })
    await (
      await elsewhere.resume('r', { traceparent: CALLER })
    ).result
    const last = heard.spans.find(
      (span) => span.spanContext().traceId === TRACE && span.links.length > 0,
    )
    assert.equal(last?.links[0]?.context.spanId, idOf(before))
  })

  test('[DD-27] a resumed sub-agent is nested in the resumed call, linked to its earlier span', async () => {
    using heard = new Heard()
    const journal = new MemoryJournal()
    const script = () => [{ toolCalls: [{ tool: 'sub', input: { task: 't' } }] }, 'end']
    const make = (kept: MemoryJournal) => {
      const sub = createAgent({ name: 'sub', model: model([asksToAdd(1, 2), '3']), tools: [add] })
      const tools = [sub.asTool({ name: 'sub', description: 'd' })]
      return { tools, journal: kept, tracing }
    }
    await createAgent({ ...make(journal), model: model(script()) }).run('go', { runId: 'r' }).result
    const before = heard.span('invoke_agent sub')
    const cut = new MemoryJournal()
    const entries = journal.read('r')
    const begun = entries.findIndex(
      ({ type, ...entry }) => type === 'started' && 'path' in entry && entry.path !== '',
    )
    cut.append('r', entries.slice(0, begun + 1))
    const run = await createAgent({ ...make(cut), model: model(['end']) }).resume('r')
    assert.equal((await run.result).text, 'end')
    const after = heard.spans.filter(({ name }) => name === 'invoke_agent sub').at(-1)
    const call = heard.spans.filter(({ name }) => name === 'execute_tool sub').at(-1)
    assert.ok(after !== undefined && call !== undefined && after !== before)
    assert.equal(parentOf(after), idOf(call))
    assert.deepEqual(
      after.links.map(({ context }) => context.spanId),
      [idOf(before)],
    )
  })

  test('[C-23] a cancel during a tool call ends its span and the run’s', async () => {
    using heard = new Heard()
    const wait = defineTool({
      name: 'wait',
      description: 'waits',
      input: z.object({}),
      run: (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('aborted')))
        }),
    })
    const scripted = model([{ toolCalls: [{ tool: 'wait', input: {} }] }])
    const run = createAgent({ model: scripted, tools: [wait], tracing }).run('go')
    for await (const event of run) if (event.type === 'tool-start') run.cancel()
    await run.result
    const tool = heard.span('execute_tool wait')
    assert.equal(tool.attributes['error.type'], 'canceled')
    assert.equal(tool.status.code, SpanStatusCode.UNSET)
    assert.equal(heard.span('invoke_agent chat').attributes['echelon.run.status'], 'canceled')
  })

  test('[C-23] an ended run is exported once', async () => {
    using heard = new Heard()
    const journal = new MemoryJournal()
    const agent = createAgent({ model: model(['a']), journal, tracing })
    await agent.run('go', { runId: 'r' }).result
    await (
      await agent.resume('r')
    ).result
    assert.equal(heard.spans.filter(({ name }) => name === 'invoke_agent chat').length, 1)
  })
})

describe('[C-23, DD-27] metrics', () => {
  test('[DD-27] tokens, cost, durations, calls and how runs ended', async () => {
    using heard = new Heard()
    const agent = createAgent({
      name: 'adder',
      model: model([asksToAdd(2, 3), '5', { error: apiError(401) }], 'openai/gpt-5-nano'),
      tools: [add],
      tracing,
    })
    await agent.run('go').result
    await agent.run('go').outcome
    const tokens = await heard.figure('gen_ai.client.token.usage')
    const sums = tokens.map(({ attributes, value }) => [
      attributes['gen_ai.token.type'],
      typeof value === 'number' ? value : value.sum,
    ])
    assert.deepEqual(sums, [
      ['input', 20],
      ['output', 10],
    ])
    const [cost] = await heard.figure('echelon.cost')
    assert.equal(cost?.value, 30)
    assert.equal(cost.attributes['gen_ai.agent.name'], 'adder')
    const runs = await heard.figure('echelon.runs')
    assert.deepEqual(
      runs.map(({ attributes, value }) => [
        attributes['echelon.run.reason'],
        attributes['error.type'],
        value,
      ]),
      [
        ['stop', undefined, 1],
        ['auth', 'auth', 1],
      ],
    )
    for (const name of [
      'gen_ai.client.operation.duration',
      'gen_ai.invoke_agent.duration',
      'gen_ai.invoke_agent.inference_calls',
      'gen_ai.invoke_agent.tool_calls',
      'gen_ai.execute_tool.duration',
      'echelon.run.steps',
    ]) {
      const points = await heard.figure(name)
      assert.ok(points.length > 0, name)
    }
    const [calls] = await heard.figure('gen_ai.invoke_agent.inference_calls')
    const counted = calls?.value
    assert.ok(typeof counted === 'object' && 'buckets' in counted)
    assert.deepEqual([counted.count, counted.sum], [2, 3])
    assert.deepEqual(counted.buckets.boundaries, [1, 2, 4, 8, 16, 32, 64, 128])
    const [duration] = await heard.figure('gen_ai.client.operation.duration')
    assert.ok(typeof duration?.value === 'object' && 'buckets' in duration.value)
    assert.deepEqual(duration.value.buckets.boundaries.slice(0, 3), [0.01, 0.02, 0.04])
  })

  test('[DD-27] the memory of the process, its peak, and its processor time', async () => {
    using heard = new Heard()
    const agent = createAgent({ model: model(['a', 'b']), tracing })
    await agent.run('go').result
    await agent.run('go').result
    const [now] = await heard.figure('process.memory.usage')
    const [peak] = await heard.figure('echelon.process.memory.peak')
    const cpu = await heard.figure('process.cpu.time')
    assert.ok(Number(now?.value) > 1e6)
    assert.ok(Number(peak?.value) > 1e6)
    assert.deepEqual(
      cpu.map(({ attributes }) => attributes['cpu.mode']),
      ['user', 'system'],
    )
    assert.ok(cpu.every(({ value }) => Number(value) > 0))
    // Seconds, counted once for any number of runs.
    const { user, system } = process.cpuUsage()
    assert.ok(Number(cpu[0]?.value) <= user / 1e6)
    assert.ok(Number(cpu[1]?.value) <= system / 1e6)
  })

  test('[DD-27] durations are in seconds, as in their spans', async () => {
    using heard = new Heard()
    const slow = model([{ text: 'a', delayMs: 30 }])
    await createAgent({ model: slow, tracing }).run('go').result
    const names = {
      'gen_ai.client.operation.duration': 'chat one',
      'gen_ai.invoke_agent.duration': 'invoke_agent chat',
    }
    for (const [figure, name] of Object.entries(names)) {
      const spans = heard.spans.filter((span) => span.name === name)
      const seconds = spans.reduce(
        (sum, { duration: [whole, nanos] }) => sum + whole + nanos / 1e9,
        0,
      )
      const [point] = await heard.figure(figure)
      const ratio = Number(sumOf(point)) / seconds
      assert.ok(ratio > 0.1 && ratio < 10, `${figure}: ${ratio}`)
    }
  })

  test('[DD-27] metrics are exported without spans', async () => {
    using heard = new Heard()
    trace.disable()
    await createAgent({ model: model(['a']), tracing }).run('go').result
    assert.deepEqual(heard.spans, [])
    assert.equal((await heard.figure('echelon.runs')).length, 1)
  })

  test('[C-23] tokens that a provider did not report are absent, not 0', async () => {
    using heard = new Heard()
    const uncounted = model([{ text: 'a', usage: { input: 0, output: 0 } }])
    await createAgent({ model: uncounted, tracing }).run('go').result
    assert.deepEqual(await heard.figure('gen_ai.client.token.usage'), [])
    assert.equal(heard.span('chat one').attributes['gen_ai.usage.input_tokens'], undefined)
  })

  test('[C-23] a call of unknown price is counted as such, not as free', async () => {
    using heard = new Heard()
    const unpriced = asBound(scriptedModel(['a']), 'x/y', () => null)
    await createAgent({ model: unpriced, tracing }).run('go').result
    assert.deepEqual(await heard.figure('echelon.cost'), [])
    const [point] = await heard.figure('echelon.calls.unpriced')
    assert.equal(point?.value, 1)
    assert.equal(heard.span('chat y').attributes['echelon.cost.usd'], undefined)
  })
})

describe('[C-23] the decisions of a decision agent', () => {
  test('[C-23] verdicts, the gate and an escalation, in the trace and in metrics', async () => {
    using heard = new Heard()
    const decider = await createDecider({ small: 'offline/small', big: 'offline/big', tracing })
    const result = await decider.runCase('A shirt costs $40 and is 25% off; what do three cost?', {
      traceparent: CALLER,
    })
    assert.equal(result.verified, true)
    const root = heard.span('invoke_agent decide')
    assert.equal(root.spanContext().traceId, TRACE)
    assert.equal(root.attributes['echelon.verdict'], 'verified')
    assert.equal(root.attributes['echelon.escalations'], 1)
    assert.equal(root.attributes['echelon.run.reason'], 'success')
    const told = root.events.map(({ name, attributes }) => [
      name,
      attributes?.['echelon.verdict'] ??
        attributes?.['echelon.gate.decision'] ??
        attributes?.['echelon.escalation.to'],
    ])
    const meters = heard.spans.flatMap(({ attributes }) => attributes['echelon.tool.meter'] ?? [])
    assert.ok(meters.includes('tools') && meters.includes('checks'))
    const decided = told.filter(([name]) => name !== 'echelon.note')
    assert.deepEqual(decided.slice(-3), [
      ['echelon.escalation', 'offline/big'],
      ['echelon.verdict', 'verified'],
      ['echelon.gate', 'stop'],
    ])
    const [escalated] = await heard.figure('echelon.escalations')
    assert.deepEqual(escalated?.attributes, {
      'gen_ai.agent.name': 'decide',
      'echelon.escalation.from': 'offline/small',
      'echelon.escalation.to': 'offline/big',
    })
    const verdicts = await heard.figure('echelon.verdicts')
    assert.ok(verdicts.some(({ attributes }) => attributes['echelon.verdict'] === 'verified'))
    assert.doesNotMatch(await heard.everything(), /shirt|25%/)
  })
})

describe('[C-23] content is not exported by default', () => {
  const KEY = ['sk', 'proj', 'Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4'].join('-')
  const SEEDS = {
    instructions: 'Seedone speaks to nobody.',
    prompt: `Seedtwo asks with ${KEY}.`,
    reasoning: 'Seedthree answers.',
    input: 'seedfour',
    result: 'Seedfive is the result.',
    error: 'Seedsix went wrong.',
    description: 'Seedseven describes.',
  }

  async function talk(tracing: Tracing): Promise<void> {
    const look = defineTool({
      name: 'look',
      description: SEEDS.description,
      input: z.object({ at: z.string() }),
      run: ({ at }) => {
        if (at === 'error') throw new ToolError('TOOL_ERROR', SEEDS.error)
        return SEEDS.result
      },
    })
    const calls = [SEEDS.input, 'error'].map((at) => ({ tool: 'look', input: { at } }))
    const sub = createAgent({ name: 'sub', model: model([SEEDS.reasoning]) })
    const agent = createAgent({
      instructions: SEEDS.instructions,
      model: model([
        { text: SEEDS.reasoning, toolCalls: calls },
        { toolCalls: [{ tool: 'sub', input: { task: SEEDS.prompt } }] },
        SEEDS.reasoning,
      ]),
      tools: [look, sub.asTool({ name: 'sub', description: SEEDS.description })],
      tracing,
    })
    assert.equal((await agent.run(SEEDS.prompt).result).reason, 'stop')
  }

  test('[C-23] no prompts, answers, arguments or results are exported', async () => {
    using heard = new Heard()
    await talk(tracing)
    assert.equal(heard.spans.length, 9)
    assert.doesNotMatch(await heard.everything(), /seed(one|two|three|four|five|six|seven)/i)
    assert.ok(!(await heard.everything()).includes(KEY))
  })

  test('[C-23] on request they are exported in the form of the conventions, redacted and cut', async () => {
    using heard = new Heard()
    await talk(await openTelemetry({ captureContent: true, mostText: 60 }))
    const all = await heard.everything()
    for (const seed of ['Seedone', 'Seedtwo', 'Seedthree', 'seedfour', 'Seedfive', 'Seedsix']) {
      assert.match(all, new RegExp(seed))
    }
    assert.ok(!all.includes(KEY))
    const [first] = heard.spans.filter(({ name }) => name === 'chat one')
    const sent: unknown = JSON.parse(String(first?.attributes['gen_ai.input.messages']))
    assert.deepEqual(sent, [
      { role: 'system', parts: [{ type: 'text', content: SEEDS.instructions }] },
      { role: 'user', parts: [{ type: 'text', content: 'Seedtwo asks with [redacted:secret].' }] },
    ])
    const said: unknown = JSON.parse(String(first?.attributes['gen_ai.output.messages']))
    assert.deepEqual(said, [
      {
        role: 'assistant',
        parts: [
          { type: 'text', content: SEEDS.reasoning },
          { type: 'tool_call', id: 'call-1-1', name: 'look', arguments: '{"at":"seedfour"}' },
          { type: 'tool_call', id: 'call-1-2', name: 'look', arguments: '{"at":"error"}' },
        ],
        finish_reason: 'tool_call',
      },
    ])
    const looks = heard.spans.filter(({ name }) => name === 'execute_tool look')
    assert.equal(looks[0]?.attributes['gen_ai.tool.call.arguments'], '{"at":"seedfour"}')
    assert.equal(looks[0]?.attributes['gen_ai.tool.call.result'], '"Seedfive is the result."')
    const long = /"content":"([^"]*)"/g
    for (const [, text = ''] of all.replaceAll('\\"', '"').matchAll(long)) {
      assert.ok(text.length <= 61, text)
    }
  })
})

describe('[C-23] limits of exported content', () => {
  test('[C-23] without messages none is exported, and of one with many calls fifty', async () => {
    using heard = new Heard()
    const none = await openTelemetry({ captureContent: true, mostMessages: 0 })
    const calls = Array.from({ length: 60 }, (_, a) => ({ tool: 'add', input: { a, b: 0 } }))
    const options = { tools: [add], tracing: none }
    await createAgent({ ...options, model: model([{ toolCalls: calls }, 'end']) }).run('go').result
    const chats = heard.spans.filter(({ name }) => name === 'chat one')
    assert.deepEqual(
      chats.map(({ attributes }) => attributes['gen_ai.input.messages']),
      ['[]', '[]'],
    )
    const said = String(chats[0]?.attributes['gen_ai.output.messages'])
    assert.equal(said.match(/"tool_call",/g)?.length, 50)
    const some = await openTelemetry({ captureContent: true, mostMessages: 2 })
    const second = model([{ toolCalls: calls }, 'end'], 'scripted/two')
    await createAgent({ ...options, model: second, tracing: some }).run('go').result
    const last = heard.spans.filter(({ name }) => name === 'chat two').at(-1)
    const told = String(last?.attributes['gen_ai.input.messages'])
    assert.ok((told.match(/"tool_call"/g) ?? []).length <= 50)
    assert.doesNotMatch(told, /"go"/)
  })

  test('[C-23] a tool name that a model made up is redacted in a prompt too', async () => {
    using heard = new Heard()
    const key = ['sk', 'proj', 'Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4'].join('-')
    const scripted = model([{ toolCalls: [{ tool: key, input: {} }] }, 'end'])
    const told = await openTelemetry({ captureContent: true })
    await createAgent({ model: scripted, tools: [add], tracing: told }).run('go').result
    assert.match(await heard.everything(), /tool_call_response/)
    assert.ok(!(await heard.everything()).includes(key))
  })

  for (const options of [{ mostText: -1 }, { mostMessages: NaN }, { mostText: 1.5 }]) {
    test(`${JSON.stringify(options)} is rejected`, async () => {
      await assert.rejects(openTelemetry(options), { code: 'INVALID_CONFIG', message: /whole/ })
    })
  }

  test('content is not exported for a setting that was read as text', async () => {
    const options: object = { captureContent: 'false' }
    await assert.rejects(openTelemetry(options), { message: /captureContent cannot be false;/ })
  })
})

describe('[C-23] a broken tracer', () => {
  const broken = (): never => {
    throw new Error('broken')
  }
  const working = {
    onStart: nothing,
    onEnd: nothing,
    forceFlush: () => Promise.resolve(),
    shutdown: () => Promise.resolve(),
  }
  const CASES: Readonly<Record<string, () => TracerProvider>> = {
    'a span processor that throws at a beginning': () =>
      new TracerProvider({ spanProcessors: [{ ...working, onStart: broken }] }),
    'a span processor that throws at an end': () =>
      new TracerProvider({ spanProcessors: [{ ...working, onEnd: broken }] }),
    'a sampler that throws': () =>
      new TracerProvider({ sampler: { shouldSample: broken, toString: () => 'broken' } }),
  }
  for (const [what, provider] of Object.entries(CASES)) {
    test(`[C-23] ${what} does not affect a run, and is reported once`, async (t) => {
      t.after(() => trace.disable())
      trace.disable()
      trace.setGlobalTracerProvider(provider())
      assert.deepEqual(await followed(tracing), { text: '5', warnings: 1 })
    })
  }

  test('[C-23] and neither does a traceparent filter that throws', async () => {
    using heard = new Heard()
    const told = await openTelemetry({ sendTraceparent: broken })
    assert.deepEqual(await followed(told), { text: '5', warnings: 1 })
    assert.ok(heard.span('invoke_agent chat'))
  })

  test('[C-23] and neither does a tracer that always throws; the work is still done once', async () => {
    const span = { traceparent: undefined, end: broken, fail: broken, within: broken }
    const call = { ...span, headers: undefined, spoke: broken, answered: broken, retry: broken }
    const run: RunSpan = {
      ...span,
      model: () => call,
      tool: () => call,
      wait: () => span,
      saw: broken,
      note: broken,
      told: broken,
    }
    assert.deepEqual(await followed({ begin: () => run }), { text: '5', warnings: 1 })
    assert.deepEqual(await followed({ begin: broken }), { text: '5', warnings: 1 })
  })

  async function followed(given: Tracing): Promise<{ text: string; warnings: number }> {
    const agent = createAgent({
      model: model([asksToAdd(2, 3), '5']),
      tools: [add],
      tracing: given,
    })
    const run = agent.run('2 and 3?')
    const events = await eventsOf(run)
    const warnings = events.filter(({ type }) => type === 'log')
    return { text: (await run.result).text, warnings: warnings.length }
  }
})

function nothing(): void {
  // Listens and does nothing.
}

describe('[C-23] the cost of tracing', () => {
  test('[C-23] without an SDK it is called once per run, and nothing is built or listened to', async () => {
    const begun: (object | undefined)[] = []
    const counting: Tracing = {
      begin(run: TracedRun) {
        const span = tracing.begin(run)
        begun.push(span)
        return span
      },
    }
    const scripted = scriptedModel([{ toolCalls: [{ tool: 'where', input: {} }] }, 'done'])
    let given: string | undefined = 'not asked'
    const where = defineTool({
      name: 'where',
      description: 'where it stands',
      input: z.object({}),
      run: (_, { traceparent }) => {
        given = traceparent
        return 1
      },
    })
    const journal = new MemoryJournal()
    const options = { model: asBound(scripted), tools: [where], journal, tracing: counting }
    await createAgent(options).run('go', { runId: 'r', traceparent: CALLER }).result
    assert.deepEqual(begun, [undefined])
    assert.equal(given, undefined)
    assert.ok(scripted.calls.every(({ headers }) => headers === undefined))
    assert.doesNotMatch(JSON.stringify(journal.read('r')), /traceparent/)
  })

  test('[C-23] an SDK that is registered later is used from the next run on', async () => {
    const agent = createAgent({ model: model(['a', 'b']), tracing })
    await agent.run('go').result
    using heard = new Heard()
    await agent.run('go').result
    assert.equal(heard.spans.length, 2)
  })

  test('[C-23] runs that are not sampled still count in metrics', async () => {
    using heard = new Heard({ sampler: new AlwaysOffSampler() })
    const told = await openTelemetry({ captureContent: true })
    await createAgent({ model: model(['a']), tracing: told }).run('go').result
    assert.deepEqual(heard.spans, [])
    assert.equal((await heard.figure('gen_ai.client.operation.duration')).length, 1)
  })
})
