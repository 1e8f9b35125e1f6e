import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  createAgentUIStream,
  generateText,
  type ModelMessage,
  Output,
  readUIMessageStream,
  streamText,
  ToolLoopAgent,
  type UIMessage,
} from 'ai'
import { z } from 'zod'
import { createAgent } from '../../packages/echelon/src/chat.ts'
import type { Json } from '../../packages/echelon/src/core/value/json.ts'
import { defineTool } from '../../packages/echelon/src/core/tool/tool.ts'
import { retry } from '../../packages/echelon/src/middleware.ts'
import {
  apiError,
  asBound,
  type ScriptedAnswer,
  scriptedModel,
} from '../../packages/echelon/src/testing/scripted-model.ts'
import { asLanguageModel } from '../../packages/adapters/src/agent-model.ts'
import { asAiTool } from '../../packages/adapters/src/as-ai-tool.ts'
import type { ConversingAgent, ConversingRun } from '../../packages/adapters/src/conversing.ts'

const paid: string[] = []
const pay = defineTool({
  name: 'pay',
  description: 'sends money',
  does: 'acts',
  needsApproval: true,
  input: z.object({ to: z.string() }),
  run: ({ to }) => {
    paid.push(to)
    return `paid ${to}`
  },
})
const weather = defineTool({
  name: 'weather',
  description: 'the weather',
  input: z.object({ city: z.string() }),
  run: ({ city }) => ({ city, degrees: 12 }),
})
const LOOKS_UP: readonly ScriptedAnswer[] = [
  { text: 'I look. ', toolCalls: [{ tool: 'weather', input: { city: 'Oslo' } }] },
  { text: ['It is ', 'mild.'] },
]
const agentOf = (script: readonly ScriptedAnswer[]) => {
  const model = scriptedModel(script)
  const bound = asBound(model, 'scripted/one', ({ input }) => input / 1000)
  const agent = createAgent({
    name: 'helper',
    model: bound,
    tools: [weather, pay],
    instructions: 'Be brief.',
    errorHandling: { retries: 0 },
  })
  return { agent, model }
}

test('[C-1] generateText of the AI SDK accepts an agent as its model: text, usage, cost, calls', async () => {
  const { agent, model } = agentOf(LOOKS_UP)
  const result = await generateText({
    model: asLanguageModel(agent),
    instructions: 'In English.',
    prompt: 'Oslo?',
    temperature: 0.2,
  })
  assert.equal(result.text, 'It is mild.')
  assert.deepEqual(model.calls[0]?.prompt.slice(0, 2), [
    { role: 'system', content: 'Be brief.' },
    { role: 'system', content: 'In English.' },
  ])
  assert.equal(model.calls[1]?.temperature, 0.2)
  assert.deepEqual(
    [result.usage.inputTokens, result.usage.outputTokens, result.finishReason],
    [20, 10, 'stop'],
  )
  const { id: runId } = result.response
  assert.match(runId, /^[\w-]{36}$/)
  assert.deepEqual(result.providerMetadata?.['echelon'], {
    runId,
    cost: 0.02,
    reason: 'stop',
    detail: null,
  })
  const [call] = result.toolCalls
  assert.deepEqual(
    [call?.toolName, call?.providerExecuted, call?.input],
    ['weather', true, { city: 'Oslo' }],
  )
  assert.deepEqual(result.toolResults[0]?.output, { city: 'Oslo', degrees: 12 })
})

test("[C-1] calls that the agent made itself are not part of the caller's next turn", async () => {
  const { agent, model } = agentOf([...LOOKS_UP, 'Yes.'])
  const as = asLanguageModel(agent)
  const first = await generateText({ model: as, prompt: 'Oslo?' })
  const messages: ModelMessage[] = [
    { role: 'user', content: 'Oslo?' },
    ...first.responseMessages,
    { role: 'user', content: 'Sure?' },
  ]
  assert.equal((await generateText({ model: as, messages })).text, 'Yes.')
  const roles = model.calls[2]?.prompt.map(({ role }) => role)
  assert.deepEqual(roles?.slice(0, 4), ['system', 'user', 'assistant', 'user'])
  const bare = asLanguageModel(agentOf(LOOKS_UP).agent, { showTools: false })
  assert.deepEqual((await generateText({ model: bare, prompt: 'Oslo?' })).toolCalls, [])
})

test("[C-1] streamText streams the agent's text", async () => {
  const { agent } = agentOf(LOOKS_UP)
  const result = streamText({ model: asLanguageModel(agent), prompt: 'Oslo?' })
  const seen: string[] = []
  for await (const part of result.stream) {
    seen.push(part.type === 'text-delta' ? part.text : part.type)
  }
  const told = seen.filter((part) => !/^(start|finish|text-|response)/.test(part))
  assert.deepEqual(told, ['I look. ', 'tool-call', 'tool-result', 'It is ', 'mild.'])
  assert.equal((await result.usage).totalTokens, 30)
})

test('[C-1] an AI SDK agent around it is an agent like any other', async () => {
  const { agent } = agentOf([...LOOKS_UP, 'Hello.'])
  const theirs = new ToolLoopAgent({ id: agent.name, model: asLanguageModel(agent) })
  assert.equal(theirs.version, 'agent-v1')
  assert.equal((await theirs.generate({ prompt: 'Oslo?' })).text, 'It is mild.')
  const streamed = await theirs.stream({ prompt: 'Hi' })
  assert.equal(await streamed.text, 'Hello.')
})

test('[C-1] an approval is requested from the caller, and the response resumes the same run', async () => {
  for (const approved of [true, false]) {
    paid.length = 0
    const { agent } = agentOf([{ toolCalls: [{ tool: 'pay', input: { to: 'Ada' } }] }, 'So it is.'])
    const model = asLanguageModel(agent)
    const begins: ModelMessage[] = [{ role: 'user', content: 'Pay Ada' }]
    const first = await generateText({ model, messages: begins })
    const request = first.content.find(({ type }) => type === 'tool-approval-request')
    assert.ok(request?.type === 'tool-approval-request')
    assert.equal(request.toolCall.toolName, 'pay')
    assert.deepEqual(paid, [])
    const reply: ModelMessage = {
      role: 'tool',
      content: [
        {
          type: 'tool-approval-response',
          approvalId: request.approvalId,
          approved,
          providerExecuted: true,
        },
      ],
    }
    const messages = [...begins, ...first.responseMessages, reply]
    const second = await generateText({ model, messages })
    assert.equal(second.text, 'So it is.')
    assert.deepEqual(paid, approved ? ['Ada'] : [])
    assert.equal(second.response.id, first.response.id)
    await assert.rejects(generateText({ model, messages }), /no run waits for a reply/)
  }
})

/** The approval request of an answer, as a message of the caller. */
function responseTo(
  { content }: { readonly content: readonly { readonly type: string }[] },
  approved: boolean,
): ModelMessage {
  const request = content.find(
    (part): part is { readonly type: string; readonly approvalId: string } =>
      part.type === 'tool-approval-request' && 'approvalId' in part,
  )
  assert.ok(request !== undefined)
  const { approvalId } = request
  return {
    role: 'tool',
    content: [{ type: 'tool-approval-response', approvalId, approved, providerExecuted: true }],
  }
}

test('[C-1] with very many waiting runs the oldest is canceled, and its reply rejected', async () => {
  const pays = { toolCalls: [{ tool: 'pay', input: { to: 'Ada' } }] }
  const { agent } = agentOf(Array.from({ length: 65 }, () => pays))
  const begun: ConversingRun[] = []
  const watched: ConversingAgent = {
    name: 'helper',
    run(input, options) {
      const run = agent.run(input, options)
      begun.push(run)
      return run
    },
  }
  const model = asLanguageModel(watched)
  const messages: ModelMessage[] = [{ role: 'user', content: 'Pay Ada' }]
  const first = await generateText({ model, messages })
  for (let i = 0; i < 64; i++) await generateText({ model, messages })
  assert.equal((await begun[0]?.result)?.status, 'canceled')
  messages.push(...first.responseMessages, responseTo(first, true))
  await assert.rejects(generateText({ model, messages }), /no run waits for a reply/)
})

test('[C-1] a denial applies only to that call: the next one asks again', async () => {
  paid.length = 0
  const pays = { toolCalls: [{ tool: 'pay', input: { to: 'Ada' } }] }
  const model = asLanguageModel(agentOf([pays, pays, 'Paid.']).agent)
  const messages: ModelMessage[] = [{ role: 'user', content: 'Pay Ada' }]
  const first = await generateText({ model, messages })
  messages.push(...first.responseMessages, responseTo(first, false))
  const second = await generateText({ model, messages })
  messages.push(...second.responseMessages, responseTo(second, true))
  assert.equal((await generateText({ model, messages })).text, 'Paid.')
  assert.deepEqual(paid, ['Ada'])
})

test('[C-1] user text next to a response is delivered, and an old response is ignored', async () => {
  const script: readonly ScriptedAnswer[] = [
    { toolCalls: [{ tool: 'pay', input: { to: 'Ada' } }] },
    'At nine.',
    'Again.',
  ]
  const { agent, model: inner } = agentOf(script)
  const model = asLanguageModel(agent)
  const messages: ModelMessage[] = [{ role: 'user', content: 'Pay Ada' }]
  const first = await generateText({ model, messages })
  messages.push(...first.responseMessages, responseTo(first, false))
  const file = { type: 'file', mediaType: 'image/png', data: 'AA==' } as const
  const withFile: ModelMessage[] = [...messages, { role: 'user', content: [file] }]
  await assert.rejects(generateText({ model, messages: withFile }), /a file came along/)
  messages.push({ role: 'user', content: 'When do you open?' })
  const second = await generateText({ model, messages })
  assert.deepEqual([second.text, second.response.id], ['At nine.', first.response.id])
  assert.match(JSON.stringify(inner.calls[1]?.prompt), /did not approve.*When do you open\?/)
  // The run is over, as in a process that never had it: this is a new turn.
  assert.equal((await generateText({ model, messages })).text, 'Again.')
})

test('[C-1] a ToolLoopAgent around it supports UI streams and approvals', async () => {
  for (const approved of [true, false]) {
    paid.length = 0
    const { agent, model: inner } = agentOf([
      { text: 'I will. ', toolCalls: [{ tool: 'pay', input: { to: 'Ada' } }] },
      'So it is.',
      'Hello.',
    ])
    const theirs = new ToolLoopAgent({ model: asLanguageModel(agent) })
    const said = (id: string, text: string): UIMessage => ({
      id,
      role: 'user',
      parts: [{ type: 'text', text }],
    })
    const turn = async (uiMessages: UIMessage[]): Promise<UIMessage> => {
      const stream = await createAgentUIStream({ agent: theirs, uiMessages, onError: String })
      const last = uiMessages.at(-1)
      const goesOn = last?.role === 'assistant' ? { message: last } : {}
      let message: UIMessage | undefined
      for await (message of readUIMessageStream({ stream, ...goesOn }));
      assert.ok(message !== undefined)
      return message
    }
    const asked = await turn([said('u1', 'Pay Ada')])
    const parts = asked.parts.map((part): UIMessage['parts'][number] =>
      part.type === 'dynamic-tool' && part.state === 'approval-requested'
        ? { ...part, state: 'approval-responded', approval: { id: part.approval.id, approved } }
        : part,
    )
    const whole = await turn([said('u1', 'Pay Ada'), { ...asked, id: 'a1', parts }])
    assert.deepEqual(paid, approved ? ['Ada'] : [])
    const states = whole.parts.flatMap((part) => (part.type === 'dynamic-tool' ? part.state : []))
    assert.equal(states.at(-1), approved ? 'output-available' : 'output-denied')
    const hello = await turn([said('u1', 'Pay Ada'), whole, said('u2', 'Hi')])
    assert.deepEqual(
      [whole, hello].map(
        ({ parts: [...all] }) => all.findLast((part) => part.type === 'text')?.text,
      ),
      ['So it is.', 'Hello.'],
    )
    assert.deepEqual(inner.calls[2]?.prompt.map(({ role }) => role).slice(0, 5), [
      'system',
      'user',
      'assistant',
      'assistant',
      'user',
    ])
  }
})

test('[C-1] an agent that does not stream shows its answer at the end', async () => {
  const quiet: ConversingAgent = {
    name: 'quiet',
    run: () => ({
      id: 'r',
      result: Promise.resolve({
        text: 'Ninety.',
        status: 'finished',
        reason: 'stop',
        detail: null,
        usage: { input: 1, output: 1 },
        cost: 0,
      }),
      cancel: () => undefined,
      respond: () => undefined,
      async *[Symbol.asyncIterator]() {},
    }),
  }
  const model = asLanguageModel(quiet)
  assert.equal((await generateText({ model, prompt: '15 % of 600?' })).text, 'Ninety.')
  assert.equal(await streamText({ model, prompt: '15 % of 600?' }).text, 'Ninety.')
})

test('[C-1] a function can answer questions, and a question without an answer fails the call', async () => {
  paid.length = 0
  const script: readonly ScriptedAnswer[] = [
    { toolCalls: [{ tool: 'pay', input: { to: 'Bo' } }] },
    'Done.',
  ]
  const about: Json[] = []
  const answer = (asked: Json): string => {
    about.push(asked)
    return 'once'
  }
  const model = asLanguageModel(agentOf(script).agent, { answer })
  assert.equal((await generateText({ model, prompt: 'Pay Bo' })).text, 'Done.')
  assert.deepEqual(paid, ['Bo'])
  assert.match(JSON.stringify(about), /"tool":"pay"/)
  const asking = createAgent({
    model: asBound(scriptedModel([{ toolCalls: [{ tool: 'weather', input: { city: 'a' } }] }])),
    tools: [weather],
    maxIterations: 1,
    atLimit: 'ask',
  })
  await assert.rejects(
    generateText({ model: asLanguageModel(asking), prompt: 'x' }),
    /no answer function is set/,
  )
})

test('[C-1] unsupported settings give warnings', async () => {
  const { agent } = agentOf(['Hello.'])
  const result = await generateText({
    model: asLanguageModel(agent),
    prompt: 'Hi',
    topK: 3,
    tools: { other: { inputSchema: z.object({}), execute: () => 1 } },
    toolChoice: 'none',
    providerOptions: { openai: { user: 'x' } },
  })
  const features = result.warnings?.map(
    (warning) => warning.type === 'unsupported' && warning.feature,
  )
  assert.deepEqual(features, ['tools', 'toolChoice', 'topK', 'providerOptions'])
})

test('[C-1] structured output: the schema reaches the model', async () => {
  const script: readonly ScriptedAnswer[] = [...LOOKS_UP.slice(0, 1), '{"degrees":12}']
  const { agent, model } = agentOf([...script, ...script])
  const output = Output.object({ schema: z.object({ degrees: z.number() }) })
  const as = asLanguageModel(agent)
  const result = await generateText({ model: as, prompt: 'Oslo?', output })
  assert.deepEqual(result.output, { degrees: 12 })
  const streamed = streamText({ model: as, prompt: 'Oslo?', output })
  assert.deepEqual(await streamed.output, { degrees: 12 })
  assert.equal(model.calls[0]?.responseFormat?.type, 'json')
})

test('[C-1] an abort cancels the run and is reported to the caller', async () => {
  const { agent } = agentOf([{ text: 'late', delayMs: 10_000 }])
  const abort = new AbortController()
  const result = generateText({
    model: asLanguageModel(agent),
    prompt: 'Hi',
    abortSignal: abort.signal,
  })
  setImmediate(() => abort.abort())
  await assert.rejects(result, { name: 'AbortError' })
  const late = asLanguageModel(agentOf([{ text: 'late', delayMs: 10_000 }]).agent)
  const asked = late.doGenerate({
    prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
    abortSignal: AbortSignal.abort(),
  })
  await assert.rejects(Promise.resolve(asked), { name: 'AbortError' })
})

test('[C-1] a run that ends without an answer is an error that is not retryable', async () => {
  const { agent, model } = agentOf([{ error: apiError(503) }, 'never asked'])
  const failing = generateText({ model: asLanguageModel(agent), prompt: 'Hi' })
  await assert.rejects(failing, {
    name: 'AI_APICallError',
    message: /ended with unavailable: status 503/,
    isRetryable: false,
  })
  assert.equal(model.calls.length, 1)
  const streamed = streamText({
    model: asLanguageModel(agentOf([{ error: apiError(503) }]).agent),
    prompt: 'Hi',
    onError: () => undefined,
  })
  const kinds: string[] = []
  for await (const part of streamed.stream) kinds.push(part.type)
  assert.ok(kinds.includes('error'))
  const poor = asLanguageModel(agentOf(['x']).agent, { limits: { calls: 0 } })
  await assert.rejects(generateText({ model: poor, prompt: 'Hi' }), /budget:calls\.main/)
})

test('[C-1] an answer that breaks off after streaming began is an error, since streamed text cannot be retracted', async () => {
  const broken: ScriptedAnswer = { error: apiError(200), after: ['It is '] }
  const agent = createAgent({
    model: asBound(scriptedModel([broken, broken, 'Whole.'])),
    use: [retry({ retries: 1, baseMs: 0 })],
  })
  const model = asLanguageModel(agent)
  const streamed = streamText({ model, prompt: 'Hi', maxRetries: 0, onError: () => undefined })
  const errors: unknown[] = []
  for await (const part of streamed.stream) if (part.type === 'error') errors.push(part.error)
  assert.match(String(errors[0]), /failed after part/)
  // Without streaming nothing has to be taken back: the answer of the second attempt is returned.
  assert.equal((await generateText({ model, prompt: 'Hi' })).text, 'Whole.')
})

test('[C-1] approvals also work when streaming', async () => {
  paid.length = 0
  const { agent } = agentOf([
    { text: 'I pay. ', toolCalls: [{ tool: 'pay', input: { to: 'Cy' } }] },
    'Paid.',
  ])
  const model = asLanguageModel(agent)
  const begins: ModelMessage[] = [{ role: 'user', content: 'Pay Cy' }]
  const first = streamText({ model, messages: begins })
  let approvalId = ''
  for await (const part of first.stream)
    if (part.type === 'tool-approval-request') ({ approvalId } = part)
  assert.notEqual(approvalId, '')
  const reply: ModelMessage = {
    role: 'tool',
    content: [
      { type: 'tool-approval-response', approvalId, approved: true, providerExecuted: true },
    ],
  }
  const messages = [...begins, ...(await first.responseMessages), reply]
  assert.equal(await streamText({ model, messages }).text, 'Paid.')
  assert.deepEqual(paid, ['Cy'])
})

test('[C-1] an agent works as an AI SDK tool: a task, its answer, and an error if it asks', async () => {
  const { agent } = agentOf([...LOOKS_UP, { toolCalls: [{ tool: 'pay', input: { to: 'Di' } }] }])
  const model = scriptedModel([
    { toolCalls: [{ tool: 'helper', input: { task: 'Oslo?' } }] },
    'Told.',
  ])
  const helper = asAiTool(agent, { description: 'knows the weather' })
  const theirs = new ToolLoopAgent({ model, tools: { helper } })
  const result = await theirs.generate({ prompt: 'Weather?' })
  assert.equal(result.text, 'Told.')
  assert.equal(result.steps[0]?.toolResults[0]?.output, 'It is mild.')
  await assert.rejects(helper.execute({ task: 'Pay Di' }), /no answer function is set/)
})

test('[C-1] an AI SDK tool leaves no run waiting for an answer', async () => {
  const answers = [undefined, () => 'perhaps', () => Promise.reject(new Error('no line'))]
  for (const answer of answers) {
    const { agent } = agentOf([{ toolCalls: [{ tool: 'pay', input: { to: 'Eve' } }] }])
    let begun: ConversingRun | undefined
    const watched: ConversingAgent = {
      name: 'helper',
      run: (input, options) => (begun = agent.run(input, options)),
    }
    const helper = asAiTool(watched, { description: 'pays', ...(answer && { answer }) })
    await assert.rejects(
      helper.execute({ task: 'Pay Eve' }),
      /no answer function is set|answer with one of|no line/,
    )
    assert.equal((await begun?.result)?.status, 'canceled')
  }
})
