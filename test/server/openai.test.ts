import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, Output, stepCountIs, streamText, tool } from 'ai'
import { APICallError } from '@ai-sdk/provider'
import { createAgent, defineTool } from 'echelon'
import { cascade, type Middleware, retry } from 'echelon/middleware'
import { apiError, asBound, promptText, type ScriptedAnswer, scriptedModel } from 'echelon/testing'
import { createServer, hashToken, type ServedAgent, serveChat } from '@echelon/server'
import { openStore } from '@echelon/store'
import OpenAI, {
  APIError,
  AuthenticationError,
  BadRequestError,
  NotFoundError,
  RateLimitError,
} from 'openai'
import { zodResponseFormat, zodTextFormat } from 'openai/helpers/zod'
import { z } from 'zod'
import { assertSurvives, hostileBodies } from './hostile-bodies.ts'
import { longIsRight } from './long-is-right.ts'
import { decider, scripted, type Served, serving, type Store } from './served.ts'

const clientOf = ({ url }: Served): OpenAI =>
  new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none', maxRetries: 0 })

const WEATHER = {
  name: 'weather',
  description: 'The weather of a city.',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
    additionalProperties: false,
  },
}
const weather = { type: 'function' as const, function: WEATHER }
const EXTRA = z.looseObject({
  echelon: z.looseObject({
    run: z.string(),
    model: z.string().nullable(),
    cost: z.number().nullable(),
    checked: z.string(),
    confidence: z.number().nullable(),
    escalated: z.boolean(),
  }),
})

const served = (t: TestContext, ...script: readonly ScriptedAnswer[]): Promise<Served> =>
  serving(t, (store) => [scripted(store, script)])

test('a completion has its answer, usage, and what the run took in headers and usage', async (t) => {
  const client = clientOf(await served(t, 'Hello there.'))
  const { data, response } = await client.chat.completions
    .create({ model: 'chat', messages: [{ role: 'user', content: 'Hi' }] })
    .withResponse()
  assert.equal(data.choices[0]?.message.content, 'Hello there.')
  assert.equal(data.choices[0]?.finish_reason, 'stop')
  assert.equal(data.usage?.prompt_tokens, 10)
  const { echelon } = EXTRA.parse(data.usage)
  assert.equal(response.headers.get('x-echelon-run'), echelon.run)
  assert.equal(response.headers.get('x-echelon-model'), 'test/model')
  assert.equal(response.headers.get('x-echelon-cost'), String(echelon.cost))
  assert.equal(response.headers.get('x-echelon-checked'), 'unchecked')
  assert.equal(response.headers.get('x-echelon-escalated'), 'false')
})

test('the decision agent is a model: its rung, cost, check and escalation are told, streamed and not', async (t) => {
  const client = clientOf(await serving(t, async (store) => [await decider(store)]))
  const question = {
    model: 'decide',
    messages: [{ role: 'user' as const, content: 'What is 15 * 23?' }],
  }
  const whole = await client.chat.completions.create(question)
  assert.match(whole.choices[0]?.message.content ?? '', /345/)
  const { echelon } = EXTRA.parse(whole.usage)
  assert.equal(echelon.checked, 'proved')
  assert.equal(echelon.escalated, false)
  assert.match(echelon.model ?? '', /offline/)
  const stream = await client.chat.completions.create({
    ...question,
    stream: true,
    stream_options: { include_usage: true },
  })
  let text = ''
  let usage: unknown
  for await (const chunk of stream) {
    text += chunk.choices[0]?.delta.content ?? ''
    usage = chunk.usage ?? usage
  }
  assert.equal(text, whole.choices[0]?.message.content)
  assert.equal(EXTRA.parse(usage).echelon.checked, 'proved')
})

test('an answer that the decision agent withholds is a refusal', async (t) => {
  const client = clientOf(await serving(t, async (store) => [await decider(store)]))
  const { choices } = await client.chat.completions.create({
    model: 'decide',
    messages: [{ role: 'user', content: 'Write a sonnet about the sea.' }],
  })
  const [choice] = choices
  assert.ok(choice?.message.refusal || choice?.message.content)
})

test('a stream gives the text as it comes, and its usage last', async (t) => {
  const client = clientOf(await served(t, { text: ['One ', 'two ', 'three.'] }))
  const stream = client.chat.completions.stream({
    model: 'chat',
    messages: [{ role: 'user', content: 'Count.' }],
    stream_options: { include_usage: true },
  })
  const deltas: string[] = []
  stream.on('content', (delta) => void deltas.push(delta))
  const whole = await stream.finalChatCompletion()
  assert.deepEqual(deltas, ['One ', 'two ', 'three.'])
  assert.equal(whole.choices[0]?.message.content, 'One two three.')
  assert.equal(EXTRA.parse(whole.usage).echelon.checked, 'unchecked')
})

test('earlier messages, instructions and files reach the model', async (t) => {
  const prompts: string[] = []
  let files = 0
  const client = clientOf(
    await served(t, (call) => {
      prompts.push(promptText(call))
      files = call.prompt.flatMap(({ content }) =>
        typeof content === 'string' ? [] : content.filter(({ type }) => type === 'file'),
      ).length
      return 'Blue.'
    }),
  )
  await client.chat.completions.create({
    model: 'chat',
    messages: [
      { role: 'developer', content: 'Be short.' },
      { role: 'user', content: 'I am Ada.' },
      { role: 'assistant', content: 'Hello Ada.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What color is it?' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
          { type: 'file', file: { file_data: 'data:text/plain;base64,aGk=', filename: 'a.txt' } },
        ],
      },
    ],
  })
  assert.match(prompts[0] ?? '', /Be short\.[\s\S]*I am Ada\.[\s\S]*Hello Ada\.[\s\S]*What color/)
  assert.equal(files, 2)
})

const CALLS: readonly ScriptedAnswer[] = [
  {
    text: 'Let me look.',
    toolCalls: [
      { tool: 'weather', input: { city: 'Bonn' } },
      { tool: 'weather', input: { city: 'Rome' } },
    ],
  },
  (call) =>
    /rain/.test(promptText(call)) && /sun/.test(promptText(call)) ? 'Take both.' : 'What?',
]

test("a client's tools end a response, and their results continue the same run", async (t) => {
  const { server, ...rest } = await served(t, ...CALLS)
  const client = clientOf({ server, ...rest })
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Pack what?' }]
  const first = await client.chat.completions
    .create({ model: 'chat', messages, tools: [weather] })
    .withResponse()
  const [choice] = first.data.choices
  assert.equal(choice?.finish_reason, 'tool_calls')
  const calls = choice.message.tool_calls ?? []
  assert.equal(calls.length, 2)
  messages.push(choice.message)
  for (const call of calls) {
    assert.ok(call.type === 'function')
    const { city } = z.object({ city: z.string() }).parse(JSON.parse(call.function.arguments))
    messages.push({
      role: 'tool',
      tool_call_id: call.id,
      content: city === 'Rome' ? 'sun' : 'rain',
    })
  }
  const second = await client.chat.completions
    .create({ model: 'chat', messages, tools: [weather] })
    .withResponse()
  assert.equal(second.data.choices[0]?.message.content, 'Take both.')
  const run = first.response.headers.get('x-echelon-run')
  assert.equal(second.response.headers.get('x-echelon-run'), run)
  assert.equal(second.data.usage?.prompt_tokens, 20)
  assert.equal(server.hub.working, 0)
})

test("the openai client's own loop runs the tools of a client, streamed", async (t) => {
  const client = clientOf(await served(t, ...CALLS))
  const asked: string[] = []
  const runner = client.chat.completions.runTools({
    model: 'chat',
    stream: true,
    messages: [{ role: 'user', content: 'Pack what?' }],
    tools: [
      {
        type: 'function',
        function: {
          ...WEATHER,
          parse: (text: string) => z.object({ city: z.string() }).parse(JSON.parse(text)),
          function: ({ city }: { city: string }) => {
            asked.push(city)
            return city === 'Rome' ? 'sun' : 'rain'
          },
        },
      },
    ],
  })
  assert.equal(await runner.finalContent(), 'Take both.')
  assert.deepEqual(asked, ['Bonn', 'Rome'])
})

test('results that no run waits for start a new turn from the messages', async (t) => {
  let prompt = ''
  const client = clientOf(
    await served(t, (call) => {
      prompt = promptText(call)
      return 'Take a coat.'
    }),
  )
  const { choices } = await client.chat.completions.create({
    model: 'chat',
    messages: [
      { role: 'user', content: 'Pack what?' },
      {
        role: 'assistant',
        tool_calls: [
          {
            id: 'call_x',
            type: 'function',
            function: { name: 'weather', arguments: '{"city":"Bonn"}' },
          },
        ],
      },
      { role: 'tool', tool_call_id: 'call_x', content: 'rain' },
    ],
    tools: [weather],
  })
  assert.equal(choices[0]?.message.content, 'Take a coat.')
  assert.match(prompt, /rain/)
})

test('a server that stops does not wait for clients, whose results start a new run on the next one', async (t) => {
  const store = await openStore(':memory:')
  t.after(() => store.close())
  const start = async (...script: readonly ScriptedAnswer[]) => {
    const server = createServer({ agents: [scripted(store, script)], store })
    const url = await server.listen({ port: 0 })
    return { server, client: new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none', maxRetries: 0 }) }
  }
  const first = await start(...CALLS.slice(0, 1))
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Pack what?' }]
  const request = { model: 'chat', tools: [weather] }
  const { choices } = await first.client.chat.completions.create({ ...request, messages })
  const message = choices[0]?.message
  assert.ok(message)
  const at = Date.now()
  await first.server.stop()
  assert.ok(Date.now() - at < 5000)
  const second = await start(...CALLS.slice(1))
  t.after(() => second.server.stop())
  const results = (message.tool_calls ?? []).map(({ id }, n) => ({
    role: 'tool' as const,
    tool_call_id: id,
    content: n === 0 ? 'rain' : 'sun',
  }))
  const all = [...messages, message, ...results]
  const { choices: last } = await second.client.chat.completions.create({
    ...request,
    messages: all,
  })
  assert.equal(last[0]?.message.content, 'Take both.')
})

test('a result that is missing is named, and the run goes on waiting', async (t) => {
  const client = clientOf(await served(t, ...CALLS))
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Pack what?' }]
  const { choices } = await client.chat.completions.create({
    model: 'chat',
    messages,
    tools: [weather],
  })
  const message = choices[0]?.message
  assert.ok(message)
  const results = (message.tool_calls ?? []).map(({ id }, at) => ({
    role: 'tool' as const,
    tool_call_id: id,
    content: at === 0 ? 'rain' : 'sun',
  }))
  const request = { model: 'chat', tools: [weather] }
  await assert.rejects(
    client.chat.completions.create({
      ...request,
      messages: [...messages, message, ...results.slice(0, 1)],
    }),
    (error) =>
      error instanceof BadRequestError && error.message.includes(results[1]?.tool_call_id ?? '-'),
  )
  const all = await client.chat.completions.create({
    ...request,
    messages: [...messages, message, ...results],
  })
  assert.equal(all.choices[0]?.message.content, 'Take both.')
})

const SUM = defineTool({
  name: 'sum',
  description: 'Adds.',
  input: z.object({ of: z.array(z.number()) }),
  run: ({ of }) => of.reduce((sum, one) => sum + one, 0),
})

test("the agent's own tools are executed here and not shown", async (t) => {
  const script = [
    {
      toolCalls: [
        { tool: 'sum', input: { of: [2, 2] } },
        { tool: 'weather', input: { city: 'Bonn' } },
      ],
    },
    (call) => `Got ${promptText(call).match(/rain/)?.[0]}.`,
  ] satisfies ScriptedAnswer[]
  const client = clientOf(await serving(t, (store) => [scripted(store, script, { tools: [SUM] })]))
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Go.' }]
  const { choices } = await client.chat.completions.create({
    model: 'chat',
    messages,
    tools: [weather],
  })
  const message = choices[0]?.message
  assert.ok(message)
  assert.deepEqual(
    message.tool_calls?.map((call) => call.type === 'function' && call.function.name),
    ['weather'],
  )
  const id = message.tool_calls?.[0]?.id ?? ''
  const { choices: last } = await client.chat.completions.create({
    model: 'chat',
    messages: [...messages, message, { role: 'tool', tool_call_id: id, content: 'rain' }],
    tools: [weather],
  })
  assert.equal(last[0]?.message.content, 'Got rain.')
})

test('an answer by a schema is its object, streamed and not, without the words around it', async (t) => {
  const script: readonly ScriptedAnswer[] = ['{"sum": 4}', '{"sum": 4}']
  const client = clientOf(await served(t, ...script))
  const request = {
    model: 'chat',
    messages: [{ role: 'user' as const, content: '2 + 2?' }],
    response_format: zodResponseFormat(z.object({ sum: z.number() }), 'answer'),
  }
  const whole = await client.chat.completions.parse(request)
  assert.deepEqual(whole.choices[0]?.message.parsed, { sum: 4 })
  const streamed = await client.chat.completions.stream(request).finalChatCompletion()
  assert.deepEqual(streamed.choices[0]?.message.parsed, { sum: 4 })
})

test('an answer that does not fit its schema is an error, not an answer', async (t) => {
  const client = clientOf(await served(t, 'four', 'still four'))
  await assert.rejects(
    client.chat.completions.parse({
      model: 'chat',
      messages: [{ role: 'user', content: '2 + 2?' }],
      response_format: zodResponseFormat(z.object({ sum: z.number() }), 'answer'),
    }),
    (error) => error instanceof APIError && error.status === 502 && error.code === 'invalid_output',
  )
})

test('a call that needs an approval is denied, and a rule of the agent allows it', async (t) => {
  const erase = defineTool({
    name: 'erase',
    description: 'Erases.',
    input: z.object({}),
    needsApproval: true,
    does: 'acts',
    run: () => 'erased',
  })
  const script: readonly ScriptedAnswer[] = [
    { toolCalls: [{ tool: 'erase', input: {} }] },
    (call) => (/erased/.test(promptText(call)) ? 'Done.' : 'I was not allowed to.'),
  ]
  const agent = (store: Store, name: string, isAllowed: boolean): ServedAgent => {
    const model = asBound(scriptedModel(script), 'test/model', () => 0.001)
    const rules = [{ tools: 'erase', verdict: 'allow' as const }]
    return serveChat(
      createAgent({
        name,
        model,
        tools: [erase],
        store,
        ...(isAllowed && { permissions: { rules } }),
      }),
      { description: 'Erases.' },
    )
  }
  const client = clientOf(
    await serving(t, (store) => [agent(store, 'asks', false), agent(store, 'may', true)]),
  )
  const answer = async (model: string) =>
    (await client.chat.completions.create({ model, messages: [{ role: 'user', content: 'Go.' }] }))
      .choices[0]?.message.content
  assert.equal(await answer('asks'), 'I was not allowed to.')
  assert.equal(await answer('may'), 'Done.')
})

test('a question of a tool is the answer, and the run ends', async (t) => {
  const ask = defineTool({
    name: 'ask_user',
    description: 'Asks.',
    input: z.object({}),
    run: async (_input, { ask }) => ask?.('Which city?') ?? null,
  })
  const { server, ...rest } = await serving(t, (store) => [
    scripted(store, [{ toolCalls: [{ tool: 'ask_user', input: {} }] }], { tools: [ask] }),
  ])
  const client = clientOf({ server, ...rest })
  const { choices } = await client.chat.completions.create({
    model: 'chat',
    messages: [{ role: 'user', content: 'Weather?' }],
  })
  assert.equal(choices[0]?.message.content, 'Which city?')
  assert.equal(choices[0]?.finish_reason, 'stop')
  await until(() => server.hub.working === 0)
})

async function until(isSo: () => boolean): Promise<void> {
  const by = Date.now() + 5000
  while (!isSo()) {
    assert.ok(Date.now() < by, 'it takes too long')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

type BoundModel = ReturnType<typeof asBound>

/** A chat agent with middleware. */
const layered = (store: Store, model: BoundModel, use: readonly Middleware[]): ServedAgent =>
  serveChat(createAgent({ name: 'chat', model, use, store }), { description: 'Answers.' })

const BROKEN: ScriptedAnswer = { error: apiError(503), after: ['It is '] }
const bound = (...script: readonly ScriptedAnswer[]): BoundModel =>
  asBound(scriptedModel(script), 'test/model', () => 0.001)
const SUM_ASKED = { model: 'chat', messages: [{ role: 'user' as const, content: '2 + 2?' }] }

test('a text that is taken back and comes again as before is sent once', async (t) => {
  const model = bound(BROKEN, { text: ['It ', 'is ', 'four.'] })
  const client = clientOf(
    await serving(t, (store) => [layered(store, model, [retry({ baseMs: 1 })])]),
  )
  const stream = client.chat.completions.stream(SUM_ASKED)
  const deltas: string[] = []
  stream.on('content', (delta) => void deltas.push(delta))
  assert.equal(await stream.finalContent(), 'It is four.')
  assert.deepEqual(deltas, ['It is ', 'four.'])
})

test('a stream whose text is taken back for another ends with an error; without a stream the client does not see it', async (t) => {
  const script: readonly ScriptedAnswer[] = [BROKEN, 'That makes four.']
  const model = bound(...script, ...script)
  const client = clientOf(
    await serving(t, (store) => [layered(store, model, [retry({ baseMs: 1 })])]),
  )
  await assert.rejects(
    client.chat.completions.stream(SUM_ASKED).finalContent(),
    (error) => error instanceof APIError && error.code === 'text_retracted',
  )
  const whole = await client.chat.completions.create(SUM_ASKED)
  assert.equal(whole.choices[0]?.message.content, 'That makes four.')
})

test('a stream that breaks ends with the error of the model', async (t) => {
  const client = clientOf(await served(t, BROKEN))
  await assert.rejects(
    client.chat.completions.stream(SUM_ASKED).finalContent(),
    (error) => error instanceof APIError && error.code === 'unavailable',
  )
})

test('a cascade is a model: only the accepted answer is streamed, and its promotion is told', async (t) => {
  const small = asBound(scriptedModel(['5?', '5?']), 'test/small', () => 0.001)
  const big = asBound(scriptedModel(['It is four.', 'It is four.']), 'test/big', () => 0.002)
  const cascading = cascade([small, big], { verify: longIsRight, accept: 0.8 })
  const client = clientOf(await serving(t, (store) => [layered(store, small, [cascading])]))
  const { data, response } = await client.chat.completions.create(SUM_ASKED).withResponse()
  assert.equal(data.choices[0]?.message.content, 'It is four.')
  assert.equal(response.headers.get('x-echelon-model'), 'test/big')
  assert.equal(response.headers.get('x-echelon-checked'), 'supported')
  assert.equal(response.headers.get('x-echelon-confidence'), '0.9')
  assert.equal(response.headers.get('x-echelon-escalated'), 'true')
  const stream = client.chat.completions.stream({
    ...SUM_ASKED,
    stream_options: { include_usage: true },
  })
  const whole = await stream.finalChatCompletion()
  assert.equal(whole.choices[0]?.message.content, 'It is four.')
  const { echelon } = EXTRA.parse(whole.usage)
  assert.deepEqual([echelon.model, echelon.confidence, echelon.escalated], ['test/big', 0.9, true])
  assert.deepEqual(echelon['rungs'], [
    { model: 'test/small', calls: 1, input: 10, output: 5, cost: 0.001 },
    { model: 'test/big', calls: 1, input: 10, output: 5, cost: 0.002 },
  ])
})

test('errors are in the form of OpenAI, with their types', async (t) => {
  const served = await serving(t, (store) => [
    scripted(store, [
      { error: apiError(401, { message: 'Incorrect API key provided: sk-secret' }) },
    ]),
    scripted(
      store,
      [
        { error: apiError(429, { message: 'slow down' }) },
        { error: apiError(429, { message: 'slow down' }) },
        { error: apiError(429, { message: 'slow down' }) },
      ],
      { name: 'limited' },
    ),
  ])
  const client = clientOf(served)
  const ask = (model: string, extra: object = {}) =>
    client.chat.completions.create({ model, messages: [{ role: 'user', content: 'Hi' }], ...extra })
  await assert.rejects(
    ask('nothing'),
    (error) => error instanceof NotFoundError && error.code === 'model_not_found',
  )
  await assert.rejects(ask('chat', { n: 2 }), (error) => {
    assert.ok(error instanceof BadRequestError)
    assert.equal(error.type, 'invalid_request_error')
    assert.equal(error.param, 'n')
    return true
  })
  for (const extra of [
    { logprobs: true },
    { stop: ['x'] },
    { tool_choice: 'required' },
    { functions: [] },
  ]) {
    await assert.rejects(ask('chat', extra), BadRequestError)
  }
  await assert.rejects(ask('chat'), (error) => {
    assert.ok(error instanceof APIError)
    assert.equal(error.status, 502)
    assert.equal(error.type, 'server_error')
    assert.doesNotMatch(error.message, /sk-secret/)
    return true
  })
  await assert.rejects(ask('limited'), (error) => {
    assert.ok(error instanceof RateLimitError)
    assert.equal(error.headers.get('retry-after'), '5')
    return true
  })
  await assert.rejects(client.get('/nothing'), NotFoundError)
})

const UNHEARD_OF: object = { unheard_of: { a: 1 } }

test('parameters that the agent sets itself, and unknown ones, are ignored', async (t) => {
  const client = clientOf(await served(t, 'Hello.'))
  const { choices } = await client.chat.completions.create({
    model: 'chat',
    messages: [{ role: 'user', content: 'Hi' }],
    temperature: 0.1,
    max_completion_tokens: 10,
    seed: 1,
    user: 'someone',
    safety_identifier: 'someone',
    metadata: { run: 'x' },
    ...UNHEARD_OF,
  })
  assert.equal(choices[0]?.message.content, 'Hello.')
})

test('a file behind an address that is not public is not fetched', async (t) => {
  const client = clientOf(await served(t, 'Hello.'))
  await assert.rejects(
    client.chat.completions.create({
      model: 'chat',
      messages: [
        {
          role: 'user',
          content: [{ type: 'image_url', image_url: { url: 'http://169.254.169.254/' } }],
        },
      ],
    }),
    (error) => error instanceof BadRequestError && /not public/.test(error.message),
  )
})

test('a client that leaves a stream cancels the run', async (t) => {
  const { server, ...rest } = await served(t, {
    text: Array.from({ length: 1000 }, () => 'more '),
    betweenMs: 10,
  })
  const client = clientOf({ server, ...rest })
  const stream = await client.chat.completions.create({
    model: 'chat',
    messages: [{ role: 'user', content: 'Talk.' }],
    stream: true,
  })
  for await (const chunk of stream) if (chunk.choices[0]?.delta.content) break
  await until(() => server.hub.working === 0)
})

test('a client that leaves while it waits for a whole answer cancels the run', async (t) => {
  const { server, ...rest } = await served(t, { text: 'late', delayMs: Infinity })
  const leaving = new AbortController()
  const asking = clientOf({ server, ...rest }).chat.completions.create(
    { model: 'chat', messages: [{ role: 'user', content: 'Talk.' }] },
    { signal: leaving.signal },
  )
  await until(() => server.hub.working === 1)
  leaving.abort()
  await assert.rejects(asking)
  await until(() => server.hub.working === 0)
})

test('models lists the agents', async (t) => {
  const client = clientOf(
    await serving(t, async (store) => [scripted(store, []), await decider(store)]),
  )
  const ids: string[] = []
  for await (const { id } of client.models.list()) ids.push(id)
  assert.deepEqual(ids, ['chat', 'decide'])
  assert.equal((await client.models.retrieve('decide')).owned_by, 'echelon')
  await assert.rejects(client.models.retrieve('other'), NotFoundError)
})

test('a response has its answer and is continued by its id', async (t) => {
  const client = clientOf(
    await served(t, 'Hello Ada.', (call) =>
      /Ada/.test(promptText(call)) ? 'You are Ada.' : 'Who?',
    ),
  )
  const first = await client.responses.create({ model: 'chat', input: 'I am Ada.' })
  assert.equal(first.output_text, 'Hello Ada.')
  assert.equal(first.status, 'completed')
  assert.equal(EXTRA.parse(first.usage).echelon.checked, 'unchecked')
  const second = await client.responses.create({
    model: 'chat',
    input: 'Who am I?',
    previous_response_id: first.id,
  })
  assert.equal(second.output_text, 'You are Ada.')
  assert.equal(second.previous_response_id, first.id)
  await assert.rejects(
    client.responses.create({ model: 'chat', input: 'And?', previous_response_id: first.id }),
    (error) => error instanceof BadRequestError && error.param === 'previous_response_id',
  )
})

test('a response that is not stored cannot be continued', async (t) => {
  const client = clientOf(await served(t, 'Hello.', 'Again.'))
  const { id } = await client.responses.create({ model: 'chat', input: 'Hi', store: false })
  for (const previous of [id, 'resp_nothing', 'nonsense']) {
    await assert.rejects(
      client.responses.create({ model: 'chat', input: 'More', previous_response_id: previous }),
      (error) => error instanceof BadRequestError && error.code === 'previous_response_not_found',
    )
  }
})

test('the events of a streamed response add up to it', async (t) => {
  const client = clientOf(await served(t, { text: ['One ', 'two.'] }))
  const stream = client.responses.stream({ model: 'chat', input: 'Count.' })
  const types: string[] = []
  let text = ''
  let number = 0
  for await (const event of stream) {
    assert.equal(event.sequence_number, number++)
    types.push(event.type)
    if (event.type === 'response.output_text.delta') text += event.delta
  }
  const whole = await stream.finalResponse()
  assert.equal(text, 'One two.')
  assert.equal(whole.output_text, 'One two.')
  assert.deepEqual(types, [
    'response.created',
    'response.in_progress',
    'response.output_item.added',
    'response.content_part.added',
    'response.output_text.delta',
    'response.output_text.delta',
    'response.output_text.done',
    'response.content_part.done',
    'response.output_item.done',
    'response.completed',
  ])
})

test("a response's calls are answered by its id alone, or by the whole conversation", async (t) => {
  const client = clientOf(await served(t, ...CALLS, ...CALLS))
  const tools = [{ type: 'function' as const, ...WEATHER, strict: false }]
  for (const isStored of [true, false]) {
    const stream = client.responses.stream({
      model: 'chat',
      input: 'Pack what?',
      tools,
      store: isStored,
    })
    const first = await stream.finalResponse()
    const calls = first.output.filter((item) => item.type === 'function_call')
    assert.equal(calls.length, 2)
    const results = calls.map(({ call_id, arguments: given }) => ({
      type: 'function_call_output' as const,
      call_id,
      output: given.includes('Rome') ? 'sun' : 'rain',
    }))
    const second = isStored
      ? await client.responses.create({
          model: 'chat',
          previous_response_id: first.id,
          input: results,
          tools,
        })
      : await client.responses.create({
          model: 'chat',
          store: false,
          input: [
            { role: 'user', content: 'Pack what?' },
            ...calls.map(({ call_id, name, arguments: given }) => ({
              type: 'function_call' as const,
              call_id,
              name,
              arguments: given,
            })),
            ...results,
          ],
          tools,
        })
    assert.equal(second.output_text, 'Take both.')
    assert.notEqual(second.id, first.id)
  }
})

test('a response by a schema is its object', async (t) => {
  const client = clientOf(await served(t, '{"sum": 4}', '{"sum": 4}'))
  const request = {
    model: 'chat',
    input: '2 + 2?',
    text: { format: zodTextFormat(z.object({ sum: z.number() }), 'answer') },
  }
  assert.deepEqual((await client.responses.parse(request)).output_parsed, { sum: 4 })
  const stream = client.responses.stream(request)
  assert.deepEqual((await stream.finalResponse()).output_parsed, { sum: 4 })
})

test('a failed response says so in its stream', async (t) => {
  const client = clientOf(
    await served(t, { error: apiError(401, { message: 'Incorrect API key' }), after: ['Hel'] }),
  )
  const stream = await client.responses.create({ model: 'chat', input: 'Hi', stream: true })
  const types: string[] = []
  for await (const { type } of stream) types.push(type)
  assert.equal(types.at(-1), 'response.failed')
})

const compatible = ({ url }: Served) =>
  createOpenAICompatible({
    name: 'echelon',
    baseURL: `${url}/v1`,
    includeUsage: true,
    supportsStructuredOutputs: true,
  })

test("the AI SDK's provider answers, streams, uses tools and gives objects", async (t) => {
  const provider = compatible(
    await served(t, 'Hello.', { text: ['One ', 'two.'] }, ...CALLS, '{"sum": 4}'),
  )
  const model = provider('chat')
  const { text, usage } = await generateText({ model, prompt: 'Hi' })
  assert.equal(text, 'Hello.')
  assert.equal(usage.inputTokens, 10)
  const streamed = streamText({ model, prompt: 'Count.' })
  assert.equal(await streamed.text, 'One two.')
  assert.equal((await streamed.usage).inputTokens, 10)
  const asked: string[] = []
  const packed = await generateText({
    model,
    prompt: 'Pack what?',
    stopWhen: stepCountIs(3),
    tools: {
      weather: tool({
        description: 'The weather of a city.',
        inputSchema: z.object({ city: z.string() }),
        execute: ({ city }) => {
          asked.push(city)
          return city === 'Rome' ? 'sun' : 'rain'
        },
      }),
    },
  })
  assert.equal(packed.text, 'Take both.')
  assert.deepEqual(asked, ['Bonn', 'Rome'])
  const { output } = await generateText({
    model,
    prompt: '2 + 2?',
    output: Output.object({ schema: z.object({ sum: z.number() }) }),
  })
  assert.deepEqual(output, { sum: 4 })
})

test("the AI SDK's provider reads an error of this server", async (t) => {
  const provider = compatible(await served(t))
  await assert.rejects(
    generateText({ model: provider('nothing'), prompt: 'Hi', maxRetries: 0 }),
    (error) =>
      APICallError.isInstance(error) && error.statusCode === 404 && /nothing/.test(error.message),
  )
})

const token = (name: string, agents?: readonly string[]) => ({
  name,
  sha256: hashToken(name),
  ...(agents !== undefined && { agents }),
})

test('no user sees, continues or answers what is another user’s', async (t) => {
  const options = { tokens: [token('ada'), token('bob'), token('eve', ['other'])] }
  const served = await serving(
    t,
    (store) => [scripted(store, [...CALLS, 'Mine.', 'Mine too.'])],
    options,
  )
  const as = (apiKey: string): OpenAI =>
    new OpenAI({ baseURL: `${served.url}/v1`, apiKey, maxRetries: 0 })
  const tools = [{ type: 'function' as const, ...WEATHER, strict: false }]
  const first = await as('ada').responses.create({ model: 'chat', input: 'Pack what?', tools })
  const calls = first.output.filter((item) => item.type === 'function_call')
  const results = calls.map(({ call_id, arguments: given }) => ({
    type: 'function_call_output' as const,
    call_id,
    output: given.includes('Rome') ? 'sun' : 'rain',
  }))
  const previous = { model: 'chat', previous_response_id: first.id, tools }
  const refused = (error: unknown): boolean =>
    error instanceof BadRequestError && error.code === 'previous_response_not_found'
  await assert.rejects(as('bob').responses.create({ ...previous, input: results }), refused)
  await assert.rejects(as('bob').responses.create({ ...previous, input: 'Hi' }), refused)
  assert.equal(
    (await as('ada').responses.create({ ...previous, input: results })).output_text,
    'Take both.',
  )
  const models = await as('eve').models.list()
  assert.deepEqual(models.data, [])
  await assert.rejects(
    as('eve').chat.completions.create({
      model: 'chat',
      messages: [{ role: 'user', content: 'Hi' }],
    }),
    (error) => error instanceof NotFoundError && error.code === 'model_not_found',
  )
  await assert.rejects(as('nobody').models.list(), (error) => {
    assert.ok(error instanceof AuthenticationError)
    assert.equal(error.type, 'authentication_error')
    return true
  })
})

test('too many runs are refused with a time to try again', async (t) => {
  const client = clientOf(
    await serving(t, (store) => [scripted(store, [{ text: 'late', delayMs: 300 }])], {
      runsAtOnce: 1,
    }),
  )
  const ask = () =>
    client.chat.completions.create({ model: 'chat', messages: [{ role: 'user', content: 'Hi' }] })
  const first = ask()
  await new Promise((resolve) => setTimeout(resolve, 100))
  await assert.rejects(ask(), (error) => {
    assert.ok(error instanceof RateLimitError)
    assert.ok(Number(error.headers.get('retry-after')) > 0)
    return true
  })
  assert.equal((await first).choices[0]?.message.content, 'late')
})

const MESSAGES = [
  { role: 'system', content: 'Be short.' },
  { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
  {
    role: 'assistant',
    content: null,
    tool_calls: [
      {
        id: 'call_1',
        type: 'function',
        function: { name: 'weather', arguments: '{"city":"Bonn"}' },
      },
    ],
  },
  { role: 'tool', tool_call_id: 'call_1', content: 'rain' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'And now?' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
    ],
  },
]

for (const [path, valid] of [
  [
    'chat/completions',
    {
      model: 'chat',
      messages: MESSAGES,
      tools: [weather],
      response_format: {
        type: 'json_schema',
        json_schema: {
          name: 'a',
          schema: { type: 'object', properties: { a: { type: 'number' } } },
        },
      },
      stream_options: { include_usage: true },
      n: 1,
    },
  ],
  [
    'responses',
    {
      model: 'chat',
      instructions: 'Be short.',
      input: [
        { role: 'user', content: [{ type: 'input_text', text: 'Hi' }] },
        { type: 'function_call', call_id: 'call_1', name: 'weather', arguments: '{}' },
        { type: 'function_call_output', call_id: 'call_1', output: 'rain' },
        { type: 'reasoning', summary: [] },
        { type: 'message', role: 'user', content: 'Now?' },
      ],
      tools: [{ type: 'function', ...WEATHER }],
      text: { format: { type: 'json_object' } },
      metadata: { a: 'b' },
    },
  ],
] as const) {
  test(`no body of ${path} makes the server fail or hang`, async (t) => {
    const { url } = await serving(t, (store) => {
      const model = asBound(scriptedModel([], { beyond: '{"a": 1}' }), 'test/model', () => 0)
      return [serveChat(createAgent({ name: 'chat', model, store }), { description: 'Answers.' })]
    })
    const bodies = hostileBodies(() => [valid, { ...valid, stream: true }])
    const counts = await assertSurvives(`${url}/v1/${path}`, bodies)
    t.diagnostic(JSON.stringify([...counts]))
    assert.ok((counts.get(200) ?? 0) > 0)
    assert.ok((counts.get(400) ?? 0) > 0)
  })
}
