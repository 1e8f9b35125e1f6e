import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { Chat } from '@ai-sdk/react'
import {
  type ChatInit,
  DefaultChatTransport,
  getToolName,
  isToolUIPart,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  lastAssistantMessageIsCompleteWithToolCalls,
  parseJsonEventStream,
  type UIMessage,
  uiMessageChunkSchema,
} from 'ai'
import { createAgent, defineTool } from 'echelon'
import { cascade } from 'echelon/middleware'
import { apiError, asBound, promptText, type ScriptedAnswer, scriptedModel } from 'echelon/testing'
import { createServer, hashToken, serveChat } from '@echelon/server'
import { openStore } from '@echelon/store'
import { z } from 'zod'
import { assertSurvives, hostileBodies } from './hostile-bodies.ts'
import { longIsRight } from './long-is-right.ts'
import { decider, scripted, type Served, serving } from './served.ts'

type Init = Omit<ChatInit<UIMessage>, 'transport'> & { readonly body?: object }

/** A chat as a page has it: the default transport, and nothing of ours. */
function chatWith(
  { url }: Pick<Served, 'url'>,
  { body, ...init }: Init = {},
  agent = 'chat',
): Chat<UIMessage> {
  const api = `${url}/ai/${agent}`
  return new Chat<UIMessage>({
    ...init,
    transport: new DefaultChatTransport({ api, ...(body !== undefined && { body }) }),
  })
}

const textOf = (chat: Chat<UIMessage>): string =>
  (chat.lastMessage?.parts ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('')

const toolsOf = (chat: Chat<UIMessage>) => (chat.lastMessage?.parts ?? []).filter(isToolUIPart)

async function until(isSo: () => boolean): Promise<void> {
  const by = Date.now() + 5000
  while (!isSo()) {
    assert.ok(Date.now() < by, 'it takes too long')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

const served = (t: TestContext, ...script: readonly ScriptedAnswer[]): Promise<Served> =>
  serving(t, (store) => [scripted(store, script)])

test('a chat of several turns keeps its conversation here, with the text, steps and cost of each', async (t) => {
  const chat = chatWith(
    await served(t, { text: ['Hello ', 'Ada.'] }, (call) =>
      call.prompt.length === 3 && /Hello Ada/.test(promptText(call)) ? 'You are Ada.' : 'Who?',
    ),
  )
  await chat.sendMessage({ text: 'I am Ada.' })
  assert.equal(textOf(chat), 'Hello Ada.')
  const metadata = z.looseObject({
    run: z.string(),
    model: z.string(),
    cost: z.number(),
    usage: z.object({ inputTokens: z.number(), outputTokens: z.number() }),
  })
  const told = metadata.parse(chat.lastMessage?.metadata)
  assert.equal(told.run, chat.lastMessage?.id)
  assert.equal(told.usage.inputTokens, 10)
  assert.equal(chat.lastMessage?.parts[0]?.type, 'step-start')
  await chat.sendMessage({ text: 'Who am I?' })
  assert.equal(textOf(chat), 'You are Ada.')
  assert.equal(chat.messages.length, 4)
  assert.equal(chat.status, 'ready')
})

test('every chunk is one of the AI SDK, in the order that it wants', async (t) => {
  const script: readonly ScriptedAnswer[] = [
    { text: 'Adding.', toolCalls: [{ tool: 'sum', input: { of: [2, 2] } }] },
    'Four.',
  ]
  const { url } = await serving(t, (store) => [scripted(store, script, { tools: [SUM] })])
  const response = await fetch(`${url}/ai/chat`, {
    method: 'POST',
    body: JSON.stringify({
      id: 'c',
      messages: [{ id: 'm', role: 'user', parts: [{ type: 'text', text: '2 + 2?' }] }],
      trigger: 'submit-message',
    }),
  })
  assert.equal(response.headers.get('x-vercel-ai-ui-message-stream'), 'v1')
  assert.ok(response.body)
  const types: string[] = []
  const chunks = parseJsonEventStream({ stream: response.body, schema: uiMessageChunkSchema })
  for await (const chunk of chunks) {
    assert.ok(chunk.success)
    types.push(chunk.value.type)
  }
  assert.deepEqual(types, [
    'start',
    'start-step',
    'text-start',
    'text-delta',
    'text-end',
    'tool-input-available',
    'tool-output-available',
    'finish-step',
    'start-step',
    'text-start',
    'text-delta',
    'text-end',
    'finish-step',
    'finish',
  ])
})

const SUM = defineTool({
  name: 'sum',
  description: 'Adds.',
  input: z.object({ of: z.array(z.number()) }),
  run: ({ of }) => of.reduce((sum, one) => sum + one, 0),
})

const FAILS = defineTool({
  name: 'fails',
  description: 'Fails.',
  input: z.object({}),
  run: () => {
    throw new Error('it is broken')
  },
})

test("the agent's tools are parts with their outputs and errors, and the page is not asked to run them", async (t) => {
  const script: readonly ScriptedAnswer[] = [
    {
      toolCalls: [
        { tool: 'sum', input: { of: [2, 2] } },
        { tool: 'fails', input: {} },
      ],
    },
    'Four.',
  ]
  const asked: string[] = []
  const served = await serving(t, (store) => [scripted(store, script, { tools: [SUM, FAILS] })])
  const chat = chatWith(served, {
    onToolCall: ({ toolCall }) => void asked.push(toolCall.toolName),
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithToolCalls,
  })
  await chat.sendMessage({ text: 'Go.' })
  assert.equal(textOf(chat), 'Four.')
  const [sum, fails] = toolsOf(chat)
  assert.deepEqual([sum?.state, sum?.output], ['output-available', 4])
  assert.deepEqual([fails?.state, fails?.errorText], ['output-error', 'it is broken'])
  assert.deepEqual(asked, [])
})

const ERASE = defineTool({
  name: 'erase',
  description: 'Erases.',
  input: z.object({ file: z.string() }),
  needsApproval: true,
  does: 'acts',
  run: ({ file }) => `erased ${file}`,
})

const ERASING: readonly ScriptedAnswer[] = [
  { toolCalls: [{ tool: 'erase', input: { file: 'a' } }] },
  (call) => (/erased a/.test(promptText(call)) ? 'Done.' : 'Then not.'),
]

for (const approved of [true, false]) {
  test(`a call that is ${approved ? 'approved' : 'denied'} in the page goes on by itself, in the same message`, async (t) => {
    const served = await serving(t, (store) => [scripted(store, ERASING, { tools: [ERASE] })])
    const chat = chatWith(served, {
      sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
    })
    await chat.sendMessage({ text: 'Erase a.' })
    const [part] = toolsOf(chat)
    assert.equal(part?.state, 'approval-requested')
    await chat.addToolApprovalResponse({ id: part.approval.id, approved })
    await until(() => textOf(chat) !== '' && chat.status === 'ready')
    assert.equal(textOf(chat), approved ? 'Done.' : 'Then not.')
    assert.equal(chat.messages.length, 2)
    assert.equal(toolsOf(chat)[0]?.state, approved ? 'output-available' : 'output-denied')
    assert.equal(served.server.hub.working, 0)
  })
}

test('two calls are approved one after the other while a third one works', async (t) => {
  const slow = defineTool({
    name: 'slow',
    description: 'Is slow.',
    input: z.object({}),
    parallel: true,
    run: () => new Promise((resolve) => setTimeout(() => resolve('slept'), 100)),
  })
  const script: readonly ScriptedAnswer[] = [
    {
      toolCalls: [
        { tool: 'slow', input: {} },
        { tool: 'erase', input: { file: 'a' } },
        { tool: 'erase', input: { file: 'b' } },
      ],
    },
    (call) =>
      ['slept', 'erased a', 'erased b'].filter((one) => promptText(call).includes(one)).join(),
  ]
  const erase = { ...ERASE, parallel: true }
  const served = await serving(t, (store) => [scripted(store, script, { tools: [slow, erase] })])
  const chat = chatWith(served, {
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  })
  await chat.sendMessage({ text: 'Erase both.' })
  for (const _ of ['a', 'b']) {
    await until(() => toolsOf(chat).some(({ state }) => state === 'approval-requested'))
    const part = toolsOf(chat).find(({ state }) => state === 'approval-requested')
    await until(() => chat.status === 'ready')
    await chat.addToolApprovalResponse({ id: part?.approval?.id ?? '', approved: true })
  }
  await until(() => textOf(chat) !== '' && chat.status === 'ready')
  assert.equal(textOf(chat), 'slept,erased a,erased b')
  assert.deepEqual(
    toolsOf(chat).map(({ state }) => state),
    ['output-available', 'output-available', 'output-available'],
  )
})

const WEATHER = {
  name: 'weather',
  description: 'The weather of a city.',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
}

test("the page's own tools are run by it, and their outputs continue the run by themselves", async (t) => {
  const script: readonly ScriptedAnswer[] = [
    {
      text: 'Let me look.',
      toolCalls: [
        { tool: 'weather', input: { city: 'Bonn' } },
        { tool: 'sum', input: { of: [1] } },
        { tool: 'weather', input: { city: 'Rome' } },
      ],
    },
    (call) => ['rain', 'no weather'].filter((one) => promptText(call).includes(one)).join(),
  ]
  const served = await serving(t, (store) => [scripted(store, script, { tools: [SUM] })])
  const chat: Chat<UIMessage> = chatWith(served, {
    body: { tools: [WEATHER] },
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithToolCalls,
    onToolCall: ({ toolCall: { toolCallId, toolName, input } }) => {
      const { city } = z.object({ city: z.string() }).parse(input)
      const call = { tool: toolName, toolCallId }
      void (city === 'Rome'
        ? chat.addToolOutput({ ...call, state: 'output-error', errorText: 'no weather' })
        : chat.addToolOutput({ ...call, output: 'rain' }))
    },
  })
  await chat.sendMessage({ text: 'Pack what?' })
  await until(() => textOf(chat).includes('rain') && chat.status === 'ready')
  assert.equal(textOf(chat), 'Let me look.rain,no weather')
  assert.equal(chat.messages.length, 2)
  assert.deepEqual(
    toolsOf(chat).map((part) => [getToolName(part), part.state]),
    [
      ['sum', 'output-available'],
      ['weather', 'output-available'],
      ['weather', 'output-error'],
    ],
  )
})

const ASKS = defineTool({
  name: 'ask_user',
  description: 'Asks.',
  input: z.object({}),
  run: async (_input, { ask }) => ask?.('Which city?') ?? null,
})

test('a question is a tool of the page, whose output is the reply', async (t) => {
  const script: readonly ScriptedAnswer[] = [
    { toolCalls: [{ tool: 'ask_user', input: {} }] },
    (call) => (/Bonn/.test(promptText(call)) ? 'Rain.' : 'Where?'),
  ]
  const served = await serving(t, (store) => [scripted(store, script, { tools: [ASKS] })])
  const chat = chatWith(served, {
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithToolCalls,
  })
  await chat.sendMessage({ text: 'Weather?' })
  const question = toolsOf(chat).find((part) => getToolName(part) === 'question')
  assert.deepEqual(question?.input, { question: 'Which city?', schema: null })
  const toolCallId = question?.toolCallId ?? ''
  await chat.addToolOutput({ tool: 'question', toolCallId, output: 'Bonn' })
  await until(() => textOf(chat) !== '' && chat.status === 'ready')
  assert.equal(textOf(chat), 'Rain.')
  assert.ok(toolsOf(chat).every(({ state }) => state === 'output-available'))
})

test('a new message while the run waits gives that run up', async (t) => {
  const script: readonly ScriptedAnswer[] = [...ERASING.slice(0, 1), 'Fine.']
  const served = await serving(t, (store) => [scripted(store, script, { tools: [ERASE] })])
  const chat = chatWith(served)
  await chat.sendMessage({ text: 'Erase a.' })
  await chat.sendMessage({ text: 'No, leave it.' })
  assert.equal(textOf(chat), 'Fine.')
  assert.equal(served.server.hub.working, 0)
})

test('a draft that is promoted is taken back, and the decisions of the gate stay as data', async (t) => {
  const small = asBound(scriptedModel(['5?']), 'test/small', () => 0.001)
  const big = asBound(scriptedModel(['It is four.']), 'test/big', () => 0.002)
  const use = [cascade([small, big], { verify: longIsRight, accept: 0.8, show: 'draft' })]
  const served = await serving(t, (store) => [
    serveChat(createAgent({ name: 'chat', model: small, use, store }), { description: 'Answers.' }),
  ])
  const chat = chatWith(served)
  const seen = new Set<string>()
  const timer = setInterval(() => seen.add(textOf(chat)), 0)
  await chat.sendMessage({ text: '2 + 2?' })
  clearInterval(timer)
  assert.equal(textOf(chat), 'It is four.')
  const gates = (chat.lastMessage?.parts ?? []).flatMap((part) =>
    part.type === 'data-gate' && 'data' in part ? [part.data] : [],
  )
  const gate = z.looseObject({ decision: z.string(), status: z.string(), model: z.string() })
  assert.deepEqual(
    gates
      .map((data) => gate.parse(data))
      .map(({ decision, status, model }) => [decision, status, model]),
    [
      ['promote', 'unsupported', 'test/small'],
      ['accept', 'supported', 'test/big'],
      ['end', 'supported', 'test/big'],
    ],
  )
})

test('the decision agent has gates, tools and an answer', async (t) => {
  const chat = chatWith(await serving(t, async (store) => [await decider(store)]), {}, 'decide')
  await chat.sendMessage({ text: 'What is 15 * 23?' })
  assert.equal(textOf(chat), '345')
  const gates = chat.lastMessage?.parts.filter(({ type }) => type === 'data-gate') ?? []
  assert.ok(gates.length > 1)
  assert.ok(toolsOf(chat).some((part) => getToolName(part) === 'calculator'))
})

test('a page that is loaded again in the middle gets the whole answer, once', async (t) => {
  const text = Array.from({ length: 40 }, (_, n) => `${n} `)
  const served = await serving(t, (store) => [scripted(store, [{ text, betweenMs: 5 }])])
  const first = chatWith(served, { id: 'one' })
  const leaving = first.sendMessage({ text: 'Count.' })
  await until(() => textOf(first).length > 10)
  await first.stop()
  await leaving
  const second = chatWith(served, { id: 'one', messages: first.messages.slice(0, 1) })
  await second.resumeStream()
  assert.equal(textOf(second), text.join(''))
  assert.equal(second.messages.length, 2)
  const third = chatWith(served, { id: 'one', messages: second.messages })
  await third.resumeStream()
  assert.deepEqual(third.messages, second.messages)
  assert.equal((await fetch(`${served.url}/ai/chat/one/stream`)).status, 204)
  assert.equal((await fetch(`${served.url}/ai/chat/never/stream`)).status, 204)
})

test('a page that is loaded again while a call waits can approve it', async (t) => {
  const served = await serving(t, (store) => [scripted(store, ERASING, { tools: [ERASE] })])
  const first = chatWith(served, { id: 'one' })
  await first.sendMessage({ text: 'Erase a.' })
  const second = chatWith(served, {
    id: 'one',
    messages: first.messages.slice(0, 1),
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  })
  await second.resumeStream()
  const [part] = toolsOf(second)
  assert.equal(part?.state, 'approval-requested')
  await second.addToolApprovalResponse({ id: part.approval.id, approved: true })
  await until(() => textOf(second) !== '' && second.status === 'ready')
  assert.equal(textOf(second), 'Done.')
})

test('a stream that is followed again after an approval has the answer to it', async (t) => {
  const script: readonly ScriptedAnswer[] = [
    ...ERASING.slice(0, 1),
    { text: ['Done', '.'], betweenMs: 200 },
  ]
  const served = await serving(t, (store) => [scripted(store, script, { tools: [ERASE] })])
  const first = chatWith(served, {
    id: 'one',
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  })
  await first.sendMessage({ text: 'Erase a.' })
  await first.addToolApprovalResponse({ id: toolsOf(first)[0]?.approval?.id ?? '', approved: true })
  await until(() => textOf(first) !== '')
  const second = chatWith(served, { id: 'one', messages: first.messages.slice(0, 1) })
  await second.resumeStream()
  assert.equal(textOf(second), 'Done.')
  assert.equal(toolsOf(second)[0]?.state, 'output-available')
})

test('stop ends the run, which leaving alone does not', async (t) => {
  const text = Array.from({ length: 2000 }, () => 'more ')
  const served = await serving(t, (store) => [scripted(store, [{ text, betweenMs: 5 }])])
  const chat = chatWith(served, { id: 'one' })
  const asking = chat.sendMessage({ text: 'Talk.' })
  await until(() => textOf(chat).length > 10)
  await chat.stop()
  await asking
  assert.equal(served.server.hub.working, 1)
  const stopped = await fetch(`${served.url}/ai/chat/one/stop`, { method: 'POST' })
  assert.equal(stopped.status, 204)
  assert.equal(served.server.hub.working, 0)
})

test('an answer that is asked for again, or to an edited message, replaces the old one in the conversation', async (t) => {
  const prompts: string[] = []
  const say =
    (text: string): ScriptedAnswer =>
    (call) => {
      prompts.push(promptText(call))
      return text
    }
  const served = await serving(t, (store) => [
    scripted(store, [say('One.'), say('Two.'), say('Two again.'), say('Other.')]),
  ])
  const chat = chatWith(served)
  await chat.sendMessage({ text: 'First.' })
  await chat.sendMessage({ text: 'Second.' })
  await chat.regenerate()
  assert.equal(textOf(chat), 'Two again.')
  assert.equal(prompts[2], prompts[1])
  const id = chat.messages[0]?.id ?? ''
  await chat.sendMessage({ text: 'Edited.', messageId: id })
  assert.equal(textOf(chat), 'Other.')
  assert.doesNotMatch(prompts[3] ?? '', /First|Second|One|Two/)
})

test('a conversation that this server does not have is read from the request', async (t) => {
  let prompt = ''
  const served = await serving(t, (store) => [
    scripted(store, [
      (call) => {
        prompt = promptText(call)
        return 'You are Ada.'
      },
    ]),
  ])
  const chat = chatWith(served, {
    messages: [
      { id: 'a', role: 'user', parts: [{ type: 'text', text: 'I am Ada.' }] },
      {
        id: 'b',
        role: 'assistant',
        parts: [
          { type: 'step-start' },
          {
            type: 'tool-sum',
            toolCallId: 'x',
            state: 'output-available',
            input: { of: [1] },
            output: 1,
          },
          { type: 'step-start' },
          { type: 'text', text: 'Hello Ada.' },
        ],
      },
    ],
  })
  await chat.sendMessage({
    text: 'Who am I?',
    files: [{ type: 'file', mediaType: 'text/plain', url: 'data:text/plain;base64,aGk=' }],
  })
  assert.equal(textOf(chat), 'You are Ada.')
  assert.match(prompt, /I am Ada\.[\s\S]*Hello Ada\./)
})

test('a failure is the error of the chat, without what the provider says', async (t) => {
  const chat = chatWith(
    await served(t, { error: apiError(401, { message: 'Incorrect key sk-secret' }) }, 'Hello.'),
  )
  await chat.sendMessage({ text: 'Hi' })
  assert.equal(chat.status, 'error')
  assert.match(chat.error?.message ?? '', /failed: auth/)
  await chat.sendMessage({ text: 'Hi again' })
  assert.equal(textOf(chat), 'Hello.')
})

test('an unknown agent, an answer to nothing and a file of this machine are refused with a sentence', async (t) => {
  const served = await serving(t, (store) => [scripted(store, ['Hello.'])])
  const unknown = chatWith(served, {}, 'nothing')
  await unknown.sendMessage({ text: 'Hi' })
  assert.match(unknown.error?.message ?? '', /there is no agent nothing/)
  const chat = chatWith(served, { messages: [{ id: 'a', role: 'assistant', parts: [] }] })
  await chat.sendMessage()
  assert.match(chat.error?.message ?? '', /nothing waits/)
  await chat.sendMessage({
    files: [{ type: 'file', mediaType: 'image/png', url: 'http://127.0.0.1/a.png' }],
  })
  assert.match(chat.error?.message ?? '', /not public/)
})

const token = (name: string) => ({ name, sha256: hashToken(name) })

test('no user reads, answers or stops the chat of another, even under the same id', async (t) => {
  const served = await serving(t, (store) => [scripted(store, ERASING, { tools: [ERASE] })], {
    tokens: [token('ada'), token('bob')],
  })
  const as = (name: string, init: Init = {}): Chat<UIMessage> =>
    new Chat<UIMessage>({
      ...init,
      id: 'one',
      transport: new DefaultChatTransport({
        api: `${served.url}/ai/chat`,
        headers: { authorization: `Bearer ${name}` },
      }),
    })
  const ada = as('ada')
  await ada.sendMessage({ text: 'Erase a.' })
  const [part] = toolsOf(ada)
  assert.ok(part?.state === 'approval-requested')
  const bob = as('bob', { messages: ada.messages })
  await bob.resumeStream()
  assert.deepEqual(bob.messages, ada.messages)
  await bob.addToolApprovalResponse({ id: part.approval.id, approved: true })
  await bob.sendMessage()
  assert.match(bob.error?.message ?? '', /nothing waits/)
  await fetch(`${served.url}/ai/chat/one/stop`, {
    method: 'POST',
    headers: { authorization: 'Bearer bob' },
  })
  assert.equal(served.server.hub.working, 1)
  assert.equal((await fetch(`${served.url}/ai/chat/one/stream`)).status, 401)
  await ada.addToolApprovalResponse({ id: part.approval.id, approved: true })
  await ada.sendMessage()
  assert.equal(textOf(ada), 'Done.')
})

test('an approval is given after the server was started again', async (t) => {
  const store = await openStore(':memory:')
  t.after(() => store.close())
  const start = async (...script: readonly ScriptedAnswer[]) => {
    const server = createServer({
      agents: [scripted(store, script, { tools: [ERASE] })],
      store,
    })
    return { server, url: await server.listen({ port: 0 }) }
  }
  const first = await start(...ERASING.slice(0, 1))
  const before = chatWith(first, { id: 'one' })
  await before.sendMessage({ text: 'Erase a.' })
  await first.server.stop()
  const second = await start(...ERASING.slice(1))
  t.after(() => second.server.stop())
  const after = chatWith(second, { id: 'one', messages: before.messages })
  await after.addToolApprovalResponse({
    id: toolsOf(before)[0]?.approval?.id ?? '',
    approved: true,
  })
  await after.sendMessage()
  assert.equal(textOf(after), 'Done.')
  assert.equal(toolsOf(after)[0]?.state, 'output-available')
})

test('no body makes the server fail or hang', async (t) => {
  const { url } = await serving(t, (store) => {
    const model = asBound(scriptedModel([], { beyond: 'Hello.' }), 'test/model', () => 0)
    return [serveChat(createAgent({ name: 'chat', model, store }), { description: 'Answers.' })]
  })
  const valid = {
    id: 'chat-1',
    trigger: 'submit-message',
    messages: [
      { id: 'a', role: 'user', parts: [{ type: 'text', text: 'Hi' }] },
      {
        id: 'b',
        role: 'assistant',
        parts: [
          { type: 'step-start' },
          { type: 'text', text: 'Hello', state: 'done' },
          { type: 'tool-x', toolCallId: 'c', state: 'output-available', input: {}, output: 1 },
        ],
      },
      {
        id: 'd',
        role: 'user',
        parts: [
          { type: 'file', mediaType: 'text/plain', url: 'data:text/plain;base64,aGk=' },
          { type: 'text', text: 'And?' },
        ],
      },
    ],
    messageId: 'd',
    tools: [WEATHER],
    options: { instructions: 'Be short.' },
  }
  const again = { ...valid, trigger: 'regenerate-message' }
  const answer = { ...valid, messages: valid.messages.slice(0, 2) }
  // A few turns for each chat, or the conversation would become endless.
  const bodies = hostileBodies((n) =>
    [valid, again, answer].map((body) => ({ ...body, id: `chat-${Math.floor(n / 8)}` })),
  )
  const counts = await assertSurvives(`${url}/ai/chat`, bodies)
  t.diagnostic(JSON.stringify([...counts]))
  assert.ok((counts.get(200) ?? 0) > 0)
  assert.ok((counts.get(400) ?? 0) > 0)
})
