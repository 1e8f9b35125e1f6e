import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { EchelonError } from '../../core/value/error.ts'
import type { ModelCall, ModelOutcome } from '../../core/extension/middleware.ts'
import { type Message, systemMessage, Thread, userMessage } from '../../core/message/thread.ts'
import { checkStateShapes } from '../../testing/check-state-shapes.ts'
import { middlewareContract } from '../../testing/contract/middleware-contract.ts'
import {
  failed,
  generated,
  modelCall,
  type TestRun,
  testRun,
} from '../../testing/middleware-run.ts'
import { historyReduction } from './history-reduction.ts'
import { bytesOf, sizeOf } from './message-text.ts'
import { summariseWith, summarising, type SummarisingOptions } from './summarising.ts'

const agent = (text: string): Message => ({ role: 'assistant', content: [{ type: 'text', text }] })
const called = (id: string, input: object): Message => ({
  role: 'assistant',
  content: [{ type: 'tool-call', toolCallId: id, toolName: 'look_up', input }],
})
const gave = (id: string, value: { [key: string]: string }): Message => ({
  role: 'tool',
  content: [
    { type: 'tool-result', toolCallId: id, toolName: 'look_up', output: { type: 'json', value } },
  ],
})

/** The prompts of successive calls through one middleware. */
function trial(
  options: SummarisingOptions,
  answer: (call: ModelCall) => ModelOutcome = () => generated('ok'),
) {
  const middleware = summarising(options)
  const asked: ModelCall[] = []
  const next = async (call: ModelCall): Promise<ModelOutcome> => {
    asked.push(call)
    return answer(call)
  }
  const send = async (
    messages: readonly Message[],
    { run = testRun(), ...more }: Partial<ModelCall> & { readonly run?: TestRun } = {},
  ): Promise<readonly Message[]> => {
    const prompt = { head: [], thread: Thread.of(messages), tail: [] }
    await middleware.generate?.({ ...modelCall({ ...more, prompt }) }, next, run)
    return asked.at(-1)?.prompt.thread.toArray() ?? []
  }
  return { asked, send }
}

const textOf = (messages: readonly Message[]): string => JSON.stringify(messages)
const withoutSystem = (messages: readonly Message[]): readonly Message[] =>
  messages.filter(({ role }) => role !== 'system')

const LONG = Array.from({ length: 12 }, (_, turn) => [
  userMessage(`Question ${turn} about order O-1000${turn}. ${'word '.repeat(20)}`),
  called(`c${turn}`, { order_id: `O-1000${turn}`, amount: 10 + turn }),
  gave(`c${turn}`, { status: 'shipped', tracking: `1Z${turn}`, note: 'x'.repeat(60) }),
  agent(`Answer ${turn}. ${'word '.repeat(20)}`),
]).flat()

test('a conversation within the limit is sent unchanged [S-19]', async () => {
  const { send, asked } = trial({ maxTokens: 10_000 })
  assert.deepEqual(await send(LONG), LONG)
  assert.equal(asked.length, 1)
})

test('a longer one is sent with a summary instead of its oldest part [S-19]', async () => {
  const run = testRun({ session: 's' })
  const { send } = trial({ maxTokens: 600 })
  const sent = await send([systemMessage('Be kind.'), ...LONG], { run })
  assert.deepEqual(sent[0], systemMessage('Be kind.'))
  assert.ok(sizeOf(withoutSystem(sent)) <= 600 * 4)
  assert.match(textOf(sent.slice(1, 2)), /<earlier_conversation>.*Facts: .*order_id=O-10000/)
  assert.deepEqual(sent.at(-1), LONG.at(-1))
  assert.deepEqual(
    run.told.map(({ event }) => event),
    ['summarised'],
  )
})

test('the summary is kept, and remade only when the conversation outgrows it', async () => {
  let made = 0
  const summarise = (messages: readonly Message[], { previous }: { previous: string }) => {
    made += 1
    return `${previous}[${messages.length}]`
  }
  const run = testRun({ session: 's' })
  const { send } = trial({ maxTokens: 600, summarise })
  for (let length = 4; length <= LONG.length; length += 4)
    await send(LONG.slice(0, length), { run })
  assert.ok(made >= 2 && made <= 6, `made ${made} times`)
  // Another process, with the recorded state.
  const later = testRun({ session: 's', saved: run.record() })
  const before = made
  const sent = await send(LONG, { run: later })
  assert.equal(made, before)
  assert.match(textOf(sent), /\[\d+\]\[\d+\]/)
  // A caller may drop the oldest messages itself; a different conversation is recognized.
  await send(LONG.slice(4), { run: later })
  assert.equal(made, before)
  await send(
    LONG.toReversed().filter(({ role }) => role === 'user' || role === 'assistant'),
    {
      run: later,
    },
  )
  assert.equal(made, before + 1)
})

test('when a summary fails the oldest messages are left out, and the next call tries again [S-19]', async () => {
  let isDown = true
  const run = testRun({ session: 's' })
  const { send } = trial({
    maxTokens: 600,
    summarise: () => {
      if (isDown) throw new Error('down')
      return 'a summary'
    },
  })
  const sent = await send(LONG, { run })
  assert.ok(sizeOf(sent) <= 2400)
  assert.match(textOf(sent), /\(left out\)/)
  assert.deepEqual(
    run.told.map(({ event }) => event),
    ['dropped'],
  )
  isDown = false
  assert.match(textOf(await send(LONG, { run })), /a summary/)
})

test("a model summarizes within the run's budget, unheard, and the ids are kept [S-19]", async () => {
  const heard: string[] = []
  const { send, asked } = trial(
    { maxTokens: 900, keepTokens: 300, summarise: summariseWith('test/small') },
    (call) => {
      call.onText?.('…')
      return generated(call.model === undefined ? 'the answer' : 'They asked about orders.')
    },
  )
  const sent = await send(LONG, { onText: (delta) => void heard.push(delta), show: 'user' })
  assert.equal(asked.length, 2)
  const [summary, answer] = asked
  assert.equal(summary?.model, 'test/small')
  assert.equal(summary.show, 'nobody')
  assert.equal(summary.tools, undefined)
  assert.ok(sizeOf(summary.prompt.thread.toArray()) < 3600 + 800)
  assert.equal(answer?.model, undefined)
  assert.deepEqual(heard, ['…'])
  assert.match(textOf(sent), /They asked about orders\./)
  assert.match(textOf(sent), /O-10000/)
})

test('when a model fails the oldest messages are left out; an error that ends the run does', async () => {
  const run = testRun()
  const { send } = trial({ maxTokens: 600, summarise: summariseWith('test/small') }, (call) =>
    call.model === undefined ? generated('ok') : failed('unavailable'),
  )
  assert.ok(sizeOf(await send(LONG, { run })) <= 2400)
  assert.deepEqual(
    run.told.map(({ event }) => event),
    ['dropped'],
  )
  const end = new EchelonError('UNRECORDED_CALL', 'this was not recorded')
  const broken = trial({ maxTokens: 600, summarise: summariseWith() }, () => {
    throw end
  })
  await assert.rejects(broken.send(LONG), end)
})

test('a hanging summarizer is abandoned when the run is canceled', async () => {
  const run = testRun()
  const { send } = trial({ maxTokens: 600, summarise: () => new Promise<string>(() => {}) })
  const sending = send(LONG, { run })
  run.cancel()
  assert.ok(sizeOf(await sending) <= 2400)
})

test('a conversation kept by the provider is sent in full when it is shortened', async () => {
  const { send, asked } = trial({ maxTokens: 600 })
  const continues = { model: 'test/model', id: 'r', from: 40 }
  await send(LONG, { continues })
  assert.equal(asked[0]?.continues, undefined)
  await send(LONG.slice(-4), { continues })
  assert.deepEqual(asked[1]?.continues, continues)
})

test('messages that must be kept are sent even if too long, with an event', async () => {
  const run = testRun()
  const { send } = trial({ maxTokens: 200 })
  const huge = userMessage('y'.repeat(5000))
  assert.deepEqual(await send([huge], { run }), [huge])
  assert.deepEqual(
    run.told.map(({ event }) => event),
    ['too-long'],
  )
})

test('rejects invalid limits', () => {
  const rows: readonly SummarisingOptions[] = [
    { maxTokens: 199 },
    { maxTokens: Number.NaN },
    { maxTokens: 400, keepTokens: 0 },
    { maxTokens: 400, keepTokens: 301 },
  ]
  for (const row of rows) {
    assert.throws(() => summarising(row), { code: 'INVALID_CONFIG', message: /^summarising: / })
  }
})

const words = fc.string({ unit: 'grapheme', maxLength: 300 })
const exchange = fc.oneof(
  words.map((text) => [userMessage(text)]),
  words.map((text) => [agent(text)]),
  fc
    .tuple(fc.uuid(), words, words)
    .map(([id, input, note]) => [called(id, { input }), gave(id, { note })]),
)
const conversation = fc
  .array(exchange, { minLength: 1, maxLength: 30 })
  .map((all) => [systemMessage('Be kind.'), userMessage('first'), ...all.flat()])

/** Results without their calls. */
function orphans(messages: readonly Message[]): readonly string[] {
  const calls = new Set<string>()
  return messages.flatMap((message) => {
    if (message.role === 'assistant') {
      for (const part of message.content) if (part.type === 'tool-call') calls.add(part.toolCallId)
    }
    if (message.role !== 'tool') return []
    return message.content.flatMap((part) =>
      part.type === 'tool-result' && !calls.has(part.toolCallId) ? [part.toolCallId] : [],
    )
  })
}

test('in any conversation, with or without a summary, the limit holds, no result lacks its call, and the newest request is included [S-19]', async () => {
  const summarisers = [
    undefined,
    () => 's'.repeat(100_000),
    () => '"\\\n</earlier_conversation>'.repeat(500),
    () => Promise.reject(new Error('down')),
  ]
  await fc.assert(
    fc.asyncProperty(
      conversation,
      fc.constantFrom(...summarisers),
      fc.integer({ min: 200, max: 900 }),
      async (messages, summarise, maxTokens) => {
        const run = testRun({ session: 's' })
        const { send } = trial({ maxTokens, ...(summarise && { summarise }) })
        for (let length = 2; length <= messages.length; length++) {
          if (messages[length]?.role === 'tool') continue
          const said = messages.slice(0, length)
          const sent = await send(said, { run })
          const newest = said.findLast(({ role }) => role === 'user')
          assert.ok(newest !== undefined && sent.includes(newest))
          assert.equal(sent[0], said[0])
          assert.deepEqual(sent.at(-1), said.at(-1))
          assert.deepEqual(orphans(sent), [])
          const last = said.slice(said.findLastIndex(({ role }) => role !== 'tool'))
          const least = sizeOf(last.includes(newest) ? last : [newest, ...last])
          assert.ok(sizeOf(withoutSystem(sent)) <= Math.max(maxTokens * 4, least))
        }
        run.record()
      },
    ),
    { numRuns: 150 },
  )
})

test('the size of a message is the bytes of its JSON', () => {
  assert.equal(bytesOf(userMessage('ä')), JSON.stringify(userMessage('ä')).length + 1)
})

for (const { name, holds } of middlewareContract(() => summarising({ maxTokens: 200 }))) {
  test(`summarising: ${name}`, holds)
}

test('[C-29] the state keeps its shape, or its version is raised', () => {
  checkStateShapes(
    join(import.meta.dirname, 'state-shapes.json'),
    [historyReduction({ by: 'tokens', maxTokens: 200 }), summarising({ maxTokens: 200 })],
    {
      update: process.env['UPDATE_STATE_SHAPES'] === '1',
    },
  )
})
