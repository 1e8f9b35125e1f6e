import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test, type TestContext } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { HttpAgent, type Message } from '@ag-ui/client'
import { type AGUIEvent, EventType } from '@ag-ui/core'
import { AgentCapabilitiesSchema } from '@ag-ui/core/schemas'
import { AGUI_MEDIA_TYPE, decode } from '@ag-ui/proto'
import { HttpAgent as OldHttpAgent } from 'ag-ui-client-0'
import { createAgent, defineTool, type Tool } from 'echelon'
import { asBound, apiError, type ScriptedAnswer, scriptedModel } from 'echelon/testing'
import { agUi, type Protocol } from '@echelon/server'
import { AgUiOracle, eventIn } from './ag-ui-oracle.ts'
import { mailTool } from './acting-tools.ts'
import { decider, scripted, type Served, serving } from './served.ts'

const user = (content: string): Message => ({ id: randomUUID(), role: 'user', content })

/** A client that keeps the events of each of its streams. */
function client(url: string, agent = 'chat', threadId: string = randomUUID()) {
  const http = new HttpAgent({ url: `${url}/ag-ui/${agent}`, threadId })
  const oracle = new AgUiOracle()
  return {
    http,
    oracle,
    async run(parameters: Parameters<HttpAgent['runAgent']>[0] = {}) {
      const runId = randomUUID()
      const events: AGUIEvent[] = []
      const result = await http.runAgent(
        { runId, ...parameters },
        { onEvent: ({ event }) => void events.push(eventIn(event)) },
      )
      const end = oracle.check(events, {
        threadId,
        runId: parameters?.runId ?? runId,
        clientTools: CLIENT_TOOLS.map(({ name }) => name),
      })
      return { events, result, ...end }
    },
  }
}

const calling = (tool: string, input: object = {}, id?: string): ScriptedAnswer => ({
  toolCalls: [{ tool, input: { ...input }, ...(id !== undefined && { id }) }],
})

const EMPTY = { type: 'object', properties: {}, additionalProperties: false } as const

const lookup = (): Tool =>
  defineTool({
    name: 'lookup',
    description: 'Looks something up.',
    input: { type: 'object', properties: { of: { type: 'string' } } },
    does: 'reads',
    run: async (input) => ({ found: input }),
  })

test('a client of AG-UI 1.0 gets text, steps, state and usage', async (t) => {
  const { url } = await serving(t, (store) => [
    scripted(store, [{ text: ['Hello', ' there.'], usage: { input: 7, output: 3 } }, 'Again.']),
  ])
  const chat = client(url)
  chat.http.setState({ page: 3 })
  chat.http.addMessage(user('Hi'))
  const { text, last, state, events } = await chat.run()
  assert.equal(text, 'Hello there.')
  assert.deepEqual(chat.http.messages.at(-1)?.content, 'Hello there.')
  assert.deepEqual(chat.http.state, state)
  assert.partialDeepStrictEqual(chat.http.state, { page: 3, echelon: { status: 'finished' } })
  assert.ok(events.some(({ type }) => type === EventType.STATE_DELTA))
  assert.ok(events.some(({ type }) => type === EventType.STEP_STARTED))
  assert.ok(last.type === EventType.RUN_FINISHED)
  assert.deepEqual(last.outcome, { type: 'success' })
  const [used] = last.usage ?? []
  assert.deepEqual([used?.inputTokens, used?.outputTokens, used?.totalTokens], [7, 3, 10])
  chat.http.addMessage(user('And again'))
  assert.equal((await chat.run()).text, 'Again.')
})

test('the thread is the conversation, which the server keeps', async (t) => {
  const prompts: string[] = []
  const { url } = await serving(t, (store) => [
    scripted(store, [
      'One.',
      (options) => {
        prompts.push(JSON.stringify(options.prompt))
        return 'Two.'
      },
    ]),
  ])
  const chat = client(url)
  chat.http.addMessage(user('first'))
  await chat.run()
  chat.http.addMessage(user('second'))
  await chat.run()
  assert.equal(prompts[0]?.match(/first/g)?.length, 1)
  assert.match(prompts[0] ?? '', /One\..*second/)
})

test('the messages of a thread that the server does not have are its history', async (t) => {
  const prompts: string[] = []
  const { url } = await serving(t, (store) => [
    scripted(store, [
      (options) => {
        prompts.push(JSON.stringify(options.prompt))
        return 'Yes.'
      },
    ]),
  ])
  const chat = client(url)
  chat.http.addMessages([
    { id: '0', role: 'system', content: 'be kind' },
    user('my name is Ada'),
    { id: '2', role: 'assistant', content: 'Hello Ada' },
    user('do you know me?'),
  ])
  await chat.run({ context: [{ description: 'the page', value: 'settings' }] })
  assert.match(prompts[0] ?? '', /be kind.*my name is Ada.*Hello Ada.*do you know me.*settings/)
})

test('a tool of the server is shown as call and result', async (t) => {
  const { url } = await serving(t, (store) => [
    scripted(store, [calling('lookup', { of: 'x' }), 'Found.'], { tools: [lookup()] }),
  ])
  const chat = client(url)
  chat.http.addMessage(user('look'))
  const { events } = await chat.run()
  const types = events.map(({ type }) => type)
  assert.ok(types.indexOf(EventType.TOOL_CALL_END) < types.indexOf(EventType.TOOL_CALL_RESULT))
  const result = chat.http.messages.find(({ role }) => role === 'tool')
  assert.deepEqual(result?.content, '{"found":{"of":"x"}}')
})

test('a reasoning model shows what it thought', async (t) => {
  const { url } = await serving(t, (store) => [
    scripted(store, [
      { reasoning: ['I ', 'think.'], text: 'So.', providerMetadata: { openai: { itemId: 'r' } } },
    ]),
  ])
  const chat = client(url)
  chat.http.addMessage(user('think'))
  await chat.run()
  const thought = chat.http.messages.find(({ role }) => role === 'reasoning')
  assert.deepEqual(thought?.content, 'I think.')
})

for (const { title, payload, status = 'resolved', isSent } of [
  { title: 'a choice', payload: 'once', isSent: true },
  { title: 'true', payload: true, isSent: true },
  { title: 'an object', payload: { approved: true }, isSent: true },
  { title: 'an object that says no', payload: { approved: false }, isSent: false },
  { title: 'false', payload: false, isSent: false },
  { title: 'a cancel', payload: undefined, status: 'cancelled', isSent: false },
] as const) {
  test(`an approval is an interrupt, and ${title} answers it`, async (t) => {
    const sent: unknown[] = []
    const { url } = await serving(t, (store) => [
      scripted(store, [calling('send', { to: 'a@b.c' }), 'Done.'], { tools: [mailTool(sent)] }),
    ])
    const chat = client(url)
    chat.http.addMessage(user('send it'))
    const first = await chat.run()
    assert.ok(first.last.type === EventType.RUN_FINISHED)
    const [interrupt] = chat.http.pendingInterrupts
    assert.equal(interrupt?.reason, 'approval')
    assert.ok(interrupt.toolCallId !== undefined)
    assert.equal(chat.http.state.echelon.status, 'waiting')
    assert.deepEqual(sent, [])
    const second = await chat.run({
      resume: [{ interruptId: interrupt.id, status, ...(payload !== undefined && { payload }) }],
    })
    assert.equal(second.text, 'Done.')
    assert.equal(sent.length, isSent ? 1 : 0)
    assert.deepEqual(chat.http.pendingInterrupts, [])
  })
}

test('an approval that is resolved without a word is refused, and waits on', async (t) => {
  const sent: unknown[] = []
  const { url } = await serving(t, (store) => [
    scripted(store, [calling('send', { to: 'a@b.c' }), 'Done.'], { tools: [mailTool(sent)] }),
  ])
  const chat = client(url)
  chat.http.addMessage(user('send it'))
  await chat.run()
  const [interrupt] = chat.http.pendingInterrupts
  assert.ok(interrupt !== undefined)
  const { id: interruptId } = interrupt
  await assert.rejects(chat.run({ resume: [{ interruptId, status: 'resolved' }] }))
  assert.deepEqual(sent, [])
  await chat.run({ resume: [{ interruptId, status: 'resolved', payload: 'once' }] })
  assert.equal(sent.length, 1)
})

const asker = (): Tool =>
  defineTool({
    name: 'ask_user',
    description: 'Asks.',
    input: EMPTY,
    does: 'reads',
    run: async (_, { ask }) => (await ask?.('Which color?', { type: 'string' })) ?? 'nobody',
  })

test('a question is an interrupt, and its payload is the reply', async (t) => {
  const { url } = await serving(t, (store) => [
    scripted(store, [calling('ask_user'), 'Blue then.'], { tools: [asker()] }),
  ])
  const chat = client(url)
  chat.http.addMessage(user('paint'))
  await chat.run()
  const [interrupt] = chat.http.pendingInterrupts
  assert.equal(interrupt?.message, 'Which color?')
  assert.deepEqual(interrupt?.responseSchema, { type: 'string' })
  const { text } = await chat.run({
    resume: [{ interruptId: interrupt?.id ?? '', status: 'resolved', payload: 'blue' }],
  })
  assert.equal(text, 'Blue then.')
  assert.deepEqual(chat.http.messages.find(({ role }) => role === 'tool')?.content, 'blue')
})

test('a canceled question ends the run as canceled', async (t) => {
  const { url } = await serving(t, (store) => [
    scripted(store, [calling('ask_user'), 'Never.'], { tools: [asker()] }),
  ])
  const chat = client(url)
  chat.http.addMessage(user('paint'))
  await chat.run()
  const [interrupt] = chat.http.pendingInterrupts
  const { last } = await chat.run({
    resume: [{ interruptId: interrupt?.id ?? '', status: 'cancelled' }],
  })
  assert.ok(last.type === EventType.RUN_FINISHED)
  assert.deepEqual(last.outcome, { type: 'cancelled' })
})

const CLIENT_TOOLS = [
  { name: 'pick', description: 'Picks.', parameters: EMPTY },
  { name: 'show', description: 'Shows.', parameters: EMPTY },
]

const answering = (chat: ReturnType<typeof client>, toolCallId: string, content: string): void => {
  chat.oracle.answered(toolCallId)
  chat.http.addMessage({ id: randomUUID(), role: 'tool', toolCallId, content })
}

test('the client executes its tools, and its results continue the run', async (t) => {
  const prompts: string[] = []
  const { url } = await serving(t, (store) => [
    scripted(
      store,
      [
        {
          toolCalls: [
            { tool: 'pick', input: {} },
            { tool: 'lookup', input: { of: 'y' } },
            { tool: 'show', input: {} },
          ],
        },
        (options) => {
          prompts.push(JSON.stringify(options.prompt))
          return 'All done.'
        },
      ],
      { tools: [lookup()] },
    ),
  ])
  const chat = client(url)
  chat.http.addMessage(user('go'))
  const first = await chat.run({ tools: CLIENT_TOOLS })
  assert.ok(first.last.type === EventType.RUN_FINISHED && first.last.outcome?.type === 'success')
  const pending = first.last.outcome.pendingToolCallIds ?? []
  assert.equal(pending.length, 2)
  answering(chat, pending[0] ?? '', 'picked A')
  answering(chat, pending[1] ?? '', 'shown B')
  const second = await chat.run({ tools: CLIENT_TOOLS })
  assert.equal(second.text, 'All done.')
  assert.match(prompts[0] ?? '', /picked A.*shown B/)
})

test('a client that gives its results one by one is asked for the rest', async (t) => {
  const { url } = await serving(t, (store) => [
    scripted(store, [
      {
        toolCalls: [
          { tool: 'pick', input: {} },
          { tool: 'show', input: {} },
        ],
      },
      'Done.',
    ]),
  ])
  const chat = client(url)
  chat.http.addMessage(user('go'))
  const first = await chat.run({ tools: CLIENT_TOOLS })
  assert.ok(first.last.type === EventType.RUN_FINISHED && first.last.outcome?.type === 'success')
  const [one = '', other = ''] = first.last.outcome.pendingToolCallIds ?? []
  answering(chat, other, 'B')
  const second = await chat.run({ tools: CLIENT_TOOLS })
  assert.ok(second.last.type === EventType.RUN_FINISHED && second.last.outcome?.type === 'success')
  assert.deepEqual(second.last.outcome.pendingToolCallIds, [one])
  answering(chat, one, 'A')
  assert.equal((await chat.run({ tools: CLIENT_TOOLS })).text, 'Done.')
})

test('a user who goes on without the tools of the client starts a new run', async (t) => {
  const { url } = await serving(t, (store) => [scripted(store, [calling('pick'), 'Then not.'])])
  const chat = client(url)
  chat.http.addMessage(user('go'))
  await chat.run({ tools: CLIENT_TOOLS })
  chat.http.messages = chat.http.messages.filter(({ role }) => role !== 'assistant')
  chat.http.addMessage(user('never mind'))
  const response = await fetch(`${url}/ag-ui/chat`, {
    method: 'POST',
    body: JSON.stringify({
      threadId: chat.http.threadId,
      runId: 'next',
      messages: chat.http.messages,
      tools: [],
      context: [],
    }),
  })
  assert.match(await response.text(), /Then not\./)
})

test('a sub-agent shows its steps and tool calls as its own', async (t) => {
  const { url } = await serving(t, (store) => {
    const helper = createAgent({
      name: 'helper',
      model: asBound(
        scriptedModel([calling('lookup', { of: 'deep' }, 'inner'), 'It is deep.']),
        'test/model',
        () => 0.001,
      ),
      tools: [lookup()],
    })
    const tool = helper.asTool({ name: 'helper', description: 'Helps.' })
    return [scripted(store, [calling('helper', { task: 'dig' }), 'Dug.'], { tools: [tool] })]
  })
  const chat = client(url)
  chat.http.addMessage(user('dig'))
  const { events } = await chat.run()
  const [started] = events.filter(({ type }) => type === EventType.SUBAGENT_STARTED)
  assert.ok(started?.type === EventType.SUBAGENT_STARTED)
  assert.equal(started.name, 'helper')
  const inner = events.find(
    (event) => event.type === EventType.TOOL_CALL_START && event.toolCallName === 'lookup',
  )
  assert.ok(inner?.type === EventType.TOOL_CALL_START)
  assert.equal(inner.subagentRunId, started.subagentRunId)
})

test('an answer that broke off is taken back', async (t) => {
  const { url } = await serving(t, (store) => [
    scripted(store, [{ error: apiError(503), after: ['Wrong sta'] }]),
  ])
  const chat = client(url)
  chat.http.addMessage(user('go'))
  const { events } = await chat.run()
  assert.ok(events.some(({ type }) => type === EventType.MESSAGES_SNAPSHOT))
  assert.deepEqual(
    chat.http.messages.map(({ content }) => content),
    ['go'],
  )
})

test('the decision agent shows its gate decisions and its answer', async (t) => {
  const { url } = await serving(t, async (store) => [await decider(store)])
  const decide = client(url, 'decide')
  decide.http.addMessage(user('What is 15 * 23?'))
  const { text, last } = await decide.run()
  assert.match(text, /345/)
  const { echelon } = decide.http.state
  assert.equal(echelon.checked, 'proved')
  assert.ok(echelon.decisions.length > 0)
  assert.ok(last.type === EventType.RUN_FINISHED)
  assert.equal(last.result.checked, 'proved')
})

test('a model that fails is a run error', async (t) => {
  const { url } = await serving(t, (store) => [scripted(store, [{ error: apiError(401) }])])
  const chat = client(url)
  chat.http.addMessage(user('go'))
  const { last } = await chat.run()
  assert.equal(last.type, EventType.RUN_ERROR)
})

async function oldRun({ url }: Pick<Served, 'url'>, tools: typeof CLIENT_TOOLS = []) {
  const threadId = randomUUID()
  const runId = randomUUID()
  const http = new OldHttpAgent({ url: `${url}/ag-ui/chat`, threadId })
  http.addMessage({ id: '1', role: 'user', content: 'go' })
  const events: AGUIEvent[] = []
  await http.runAgent(
    { runId, tools },
    { onEvent: ({ event }) => void events.push(eventIn(event)) },
  )
  const end = new AgUiOracle().check(events, { threadId, runId, knows1: false })
  return { http, events, ...end }
}

test('a client before 1.0 gets text and tools, and nothing that it does not know', async (t) => {
  const served = await serving(t, (store) => [
    scripted(store, [calling('lookup', { of: 'x' }), 'Found.'], { tools: [lookup()] }),
  ])
  const { text, http } = await oldRun(served)
  assert.equal(text, 'Found.')
  assert.equal(http.messages.at(-1)?.content, 'Found.')
})

test('a client before 1.0 executes its tools', async (t) => {
  const served = await serving(t, (store) => [scripted(store, [calling('pick'), 'Picked.'])])
  const { http, last } = await oldRun(served, CLIENT_TOOLS)
  assert.ok(last.type === EventType.RUN_FINISHED)
  const call = http.messages.flatMap((one) =>
    one.role === 'assistant' ? (one.toolCalls ?? []) : [],
  )
  http.addMessage({ id: '9', role: 'tool', toolCallId: call[0]?.id ?? '', content: 'ok' })
  await http.runAgent({ tools: CLIENT_TOOLS })
  assert.equal(http.messages.at(-1)?.content, 'Picked.')
})

test('a client before 1.0 is interrupted and resumes', async (t) => {
  const served = await serving(t, (store) => [
    scripted(store, [calling('send', { to: 'x' }), 'Done.'], { tools: [mailTool()] }),
  ])
  const { http, last } = await oldRun(served)
  assert.ok(last.type === EventType.RUN_FINISHED && last.outcome?.type === 'interrupt')
  const interruptId = last.outcome.interrupts[0]?.id ?? ''
  await http.runAgent({ resume: [{ interruptId, status: 'resolved', payload: 'once' }] })
  assert.equal(http.messages.at(-1)?.content, 'Done.')
})

/** An agent whose model answers only when it is told to. */
async function slow(t: TestContext, protocols: readonly Protocol[]) {
  let isAborted = false
  let answer = (): void => undefined
  const answered = new Promise<void>((resolve) => (answer = resolve))
  const served = await serving(
    t,
    (store) => [
      scripted(store, [
        async ({ abortSignal }) => {
          const aborted = new Promise<void>((resolve) =>
            abortSignal?.addEventListener('abort', () => resolve(), { once: true }),
          )
          await Promise.race([answered, aborted])
          isAborted = abortSignal?.aborted === true
          return 'At last.'
        },
      ]),
    ],
    { protocols },
  )
  return { ...served, answer: () => answer(), isAborted: () => isAborted }
}

async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; !isSo(); tries++) {
    assert.ok(tries < 400, 'it does not become so')
    await setTimeout(10)
  }
}

test('a run whose client left is canceled', async (t) => {
  const { url, isAborted, server } = await slow(t, [agUi({ lingerMs: 20 })])
  const http = new HttpAgent({ url: `${url}/ag-ui/chat` })
  http.addMessage(user('go'))
  const running = http.runAgent({}, { onStepStartedEvent: () => http.abortRun() })
  await running.catch(() => undefined)
  await until(isAborted)
  await until(() => server.hub.working === 0)
})

test('a client that comes back with the same request gets every event once', async (t) => {
  const { url, answer, isAborted } = await slow(t, [agUi({ lingerMs: 5000 })])
  const threadId = randomUUID()
  const messages = [user('go')]
  const request = { runId: 'one', tools: [], context: [] }
  const http = new HttpAgent({ url: `${url}/ag-ui/chat`, threadId, initialMessages: messages })
  await http.runAgent(request, { onStepStartedEvent: () => http.abortRun() }).catch(() => undefined)
  answer()
  const again = client(url, 'chat', threadId)
  again.http.setMessages(messages)
  const { text } = await again.run(request)
  assert.equal(text, 'At last.')
  assert.equal(isAborted(), false)
  const third = client(url, 'chat', threadId)
  third.http.setMessages(messages)
  assert.equal((await third.run(request)).text, 'At last.')
})

test('protobuf and server-sent events carry the same', async (t) => {
  const { url } = await serving(t, (store) => [
    scripted(
      store,
      [
        { reasoning: 'Hm.', toolCalls: [{ tool: 'lookup', input: { of: 'x' } }] },
        'Found.',
        'Later.',
      ],
      { tools: [lookup()] },
    ),
  ])
  const body = (runId: string) => ({
    method: 'POST',
    body: JSON.stringify({
      threadId: 't',
      runId,
      protocolVersion: '1.0',
      messages: [user('go')],
      tools: [],
      context: [],
    }),
  })
  const sse = await fetch(`${url}/ag-ui/chat`, body('one'))
  assert.match(sse.headers.get('content-type') ?? '', /^text\/event-stream/)
  const texts = (await sse.text()).split('\n\n').filter((frame) => frame.startsWith('data: '))
  const binary = await fetch(`${url}/ag-ui/chat`, {
    ...body('two'),
    headers: { accept: AGUI_MEDIA_TYPE },
  })
  assert.equal(binary.headers.get('content-type'), AGUI_MEDIA_TYPE)
  const events = framesIn(new Uint8Array(await binary.arrayBuffer()))
  new AgUiOracle().check(events, { threadId: 't', runId: 'two' })
  const shown = texts.map((frame) => eventIn(JSON.parse(frame.slice('data: '.length))))
  new AgUiOracle().check(shown, { threadId: 't', runId: 'one' })
  assert.ok(shown.some(({ type }) => type === EventType.REASONING_START))
})

function framesIn(bytes: Uint8Array): AGUIEvent[] {
  const view = new DataView(bytes.buffer)
  const events: AGUIEvent[] = []
  for (let at = 0; at < bytes.length;) {
    const length = view.getUint32(at)
    events.push(eventIn(decode(bytes.subarray(at + 4, at + 4 + length))))
    at += 4 + length
  }
  return events
}

test('an agent tells what it can', async (t) => {
  const { url } = await serving(t, (store) => [scripted(store, [])])
  const capabilities = await (await fetch(`${url}/ag-ui/chat`)).json()
  assert.deepEqual(AgentCapabilitiesSchema.parse(capabilities).identity?.name, 'chat')
  assert.equal((await fetch(`${url}/ag-ui/nobody`)).status, 404)
})
