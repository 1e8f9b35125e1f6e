import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import type { ModelCall } from '../../core/extension/middleware.ts'
import { type Message, systemMessage, Thread, userMessage } from '../../core/message/thread.ts'
import { framed } from '../../core/message/untrusted-text.ts'
import { middlewareContract } from '../../testing/contract/middleware-contract.ts'
import { generated, modelCall, type TestRun, testRun } from '../../testing/middleware-run.ts'
import { historyAnswer } from './history-read.ts'
import { historyReduction, type HistoryReductionOptions } from './history-reduction.ts'
import { sizeOf } from './message-text.ts'

type Ways = HistoryReductionOptions['by']
const WAYS: readonly Ways[] = ['tokens', 'summary', 'tool-results']

const agent = (text: string): Message => ({ role: 'assistant', content: [{ type: 'text', text }] })
const called = (id: string): Message => ({
  role: 'assistant',
  content: [{ type: 'tool-call', toolCallId: id, toolName: 'look_up', input: { id } }],
})
const gave = (id: string, value: string): Message => ({
  role: 'tool',
  content: [
    { type: 'tool-result', toolCallId: id, toolName: 'look_up', output: { type: 'text', value } },
  ],
})

function trial(options: HistoryReductionOptions) {
  const middleware = historyReduction(options)
  const asked: ModelCall[] = []
  const send = async (
    messages: readonly Message[],
    { run = testRun({ session: 's' }), ...more }: Partial<ModelCall> & { run?: TestRun } = {},
  ): Promise<readonly Message[]> => {
    const prompt = { head: [], thread: Thread.of(messages), tail: [] }
    const next = async (call: ModelCall) => {
      asked.push(call)
      return generated('ok')
    }
    await middleware.generate?.({ ...modelCall({ ...more, prompt }) }, next, run)
    return asked.at(-1)?.prompt.thread.toArray() ?? []
  }
  const read = async (input: object, run: TestRun): Promise<string> => {
    const call = { id: 'c', tool: 'history_read', input: JSON.parse(JSON.stringify(input)) }
    const passed = async () => ({ type: 'ok', value: call.input }) as const
    return JSON.stringify(await middleware.tool?.(call, passed, run))
  }
  return { asked, send, read, middleware }
}

const LONG = Array.from({ length: 10 }, (_, turn) => [
  userMessage(`Question ${turn + 1} about order O-${turn + 1}.`),
  called(`c${turn}`),
  gave(`c${turn}`, `start ${turn + 1} ${'figures '.repeat(200)} end ${turn + 1}`),
  agent(`Answer ${turn + 1}.`),
]).flat()
const ASKED = [systemMessage('Be kind.'), ...LONG, userMessage('And now?')]

const textOf = (messages: readonly Message[]): string => JSON.stringify(messages)

test('[C-17] by tokens: leaves out the oldest exchanges and says how many', async () => {
  const run = testRun({ session: 's' })
  const { send } = trial({ by: 'tokens', maxTokens: 2000 })
  const sent = await send(ASKED, { run })
  assert.ok(sizeOf(sent.slice(1)) <= 8000)
  assert.match(textOf(sent), /earlier messages are left out here; history_read gives them/)
  assert.doesNotMatch(textOf(sent), /Question 1 /)
  assert.match(textOf(sent), /Question 10 .*And now\?/)
  assert.deepEqual(
    run.told.map(({ event }) => event),
    ['dropped'],
  )
})

test('[C-17] keeps the cut until the limit is reached again, after a restart too', async () => {
  const { send } = trial({ by: 'tokens', maxTokens: 2000 })
  const first = testRun({ session: 's' })
  const before = await send(ASKED, { run: first })
  const second = testRun({ session: 's', saved: first.record() })
  const after = await send([...ASKED, agent('Now this.'), userMessage('Then?')], { run: second })
  assert.deepEqual(after.slice(0, before.length), before)
  assert.deepEqual(second.told, [])
})

test('[C-17] cuts older results to head and tail, keeps the newest whole, and drops nothing', async () => {
  const run = testRun({ session: 's' })
  const { send } = trial({ by: 'tool-results', maxTokens: 3500, head: 40, tail: 20 })
  const sent = await send(ASKED, { run })
  assert.equal(sent.length, ASKED.length)
  assert.ok(sizeOf(sent.slice(1)) <= 14_000)
  const [oldest, newest] = [textOf(sent.slice(3, 4)), textOf(sent.slice(-3, -2))]
  assert.match(oldest, /start 1 figures.*\[… \d+ characters are left out here; .* end 1/s)
  assert.equal(newest, textOf(ASKED.slice(-3, -2)))
  assert.deepEqual(
    run.told.map(({ event }) => event),
    ['trimmed'],
  )
})

test('[C-17] a cut untrusted result stays framed', async () => {
  const { send } = trial({ by: 'tool-results', maxTokens: 1500, head: 40, tail: 0 })
  const text = framed('page '.repeat(2000), 'the web')
  const sent = await send([
    userMessage('read'),
    called('a'),
    gave('a', text),
    ...LONG.slice(0, 8),
    userMessage('so?'),
  ])
  assert.match(textOf(sent), /<untrusted_text origin=.{1,2}the web.*left out.*<\/untrusted_text>/s)
})

test('[C-17] left-out messages can be read back in pieces, by turn and by words', async () => {
  for (const by of WAYS) {
    const run = testRun({ session: 's' })
    const { send, read } = trial({ by, maxTokens: 2000 })
    await send(ASKED, { run })
    const first = await read({ turn: 1 }, run)
    assert.match(first, /"turns":11.*Question 1 about.*look_up gave start 1 .*end 1.*Answer 1/s)
    assert.match(await read({ query: 'O-3. order' }, run), /"turn":3,"excerpt":"[^"]*Question 3/)
    assert.match(await read({ turn: 12 }, run), /there are 11 turns/)
  }
  const run = testRun({ session: 's' })
  const { send, read } = trial({ by: 'tokens', maxTokens: 2000 })
  await send(
    [userMessage('x'), called('a'), gave('a', `${'y'.repeat(9000)}z`), userMessage('so?')],
    { run },
  )
  assert.match(await read({ turn: 1 }, run), /"next":8000/)
  assert.match(await read({ turn: 1, from: 8000 }, run), /yz"\}\}$/)
})

test('[C-17] untrusted text is framed when it is read back', async () => {
  const run = testRun({ session: 's' })
  const { send, read } = trial({ by: 'tokens', maxTokens: 200 })
  const page = framed(`hats ${'page '.repeat(3000)}`, 'the web')
  await send([userMessage('read'), called('a'), gave('a', page), userMessage('so?')], { run })
  for (const input of [{ turn: 1, from: 8000 }, { query: 'hats' }]) {
    assert.match(
      await read(input, run),
      /<untrusted_text origin=.{1,2}the web.*<\/untrusted_text>/s,
    )
  }
})

test('[C-17] a resumed turn can read what was said before it', async () => {
  const run = testRun({ session: 's' })
  const { middleware, read } = trial({ by: 'tokens', maxTokens: 200 })
  const end = { status: 'finished', reason: 'stop', text: '' } as const
  const turn = { history: Thread.of(LONG), messages: [userMessage('And now?')] }
  await middleware.turn?.(turn, async () => end, run)
  assert.match(await read({ query: 'O-7.' }, run), /"turn":7/)
})

test('[C-17] untrusted tool results are framed when a resumed turn reads them back', () => {
  const from = (tool: string): string | undefined => (tool === 'look_up' ? 'the web' : undefined)
  for (const asked of [{ turn: 1 }, { query: 'figures' }]) {
    const outcome = JSON.stringify(historyAnswer(LONG, asked, from))
    assert.match(outcome, /<untrusted_text origin=.{1,2}the web.*figures.*<\/untrusted_text>/)
  }
})

const words = fc.string({ unit: 'grapheme', maxLength: 2000 })
const exchange = fc.oneof(
  words.map((text) => [userMessage(text)]),
  words.map((text) => [agent(text)]),
  fc.tuple(fc.uuid(), words).map(([id, note]) => [called(id), gave(id, note)]),
)
const conversation = fc
  .array(exchange, { minLength: 1, maxLength: 20 })
  .map((all) => [systemMessage('Be kind.'), userMessage('first'), ...all.flat()])

const callsIn = (messages: readonly Message[]): readonly string[] =>
  messages.flatMap((message) =>
    message.role === 'assistant'
      ? message.content.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : []))
      : [],
  )
const resultsIn = (messages: readonly Message[]): readonly string[] =>
  messages.flatMap((message) =>
    message.role === 'tool'
      ? message.content.flatMap((part) => (part.type === 'tool-result' ? [part.toolCallId] : []))
      : [],
  )

test('[C-17] any conversation stays within the limit, with calls and results paired and the newest request included, and reducing twice changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(
      conversation,
      fc.constantFrom(...WAYS),
      fc.integer({ min: 200, max: 1500 }),
      async (messages, by, maxTokens) => {
        const run = testRun({ session: 's' })
        const { send } = trial({ by, maxTokens })
        for (let length = 2; length <= messages.length; length++) {
          if (messages[length]?.role === 'tool') continue
          const said = messages.slice(0, length)
          const sent = await send(said, { run })
          const newest = said.findLast(({ role }) => role === 'user')
          assert.ok(newest !== undefined && sent.includes(newest))
          assert.equal(sent[0], said[0])
          assert.deepEqual(sent.at(-1), said.at(-1), 'the newest result stays whole')
          assert.deepEqual(callsIn(sent), resultsIn(sent))
          const last = said.slice(said.findLastIndex(({ role }) => role !== 'tool'))
          const least = sizeOf(last.includes(newest) ? last : [newest, ...last])
          const size = sizeOf(sent.slice(1))
          assert.ok(size <= Math.max(maxTokens * 4, least), `${size} of ${maxTokens * 4}`)
          assert.deepEqual(await send(said, { run }), sent, 'the same again')
          if (size <= maxTokens * 4) assert.deepEqual(await send(sent), sent)
        }
        run.record()
      },
    ),
    { numRuns: 120 },
  )
})

test('a conversation kept by the provider is sent in full when it is shortened, and otherwise continued', async () => {
  const continues = { model: 'm', id: 'r1', from: 4 }
  const { asked, send } = trial({ by: 'tool-results', maxTokens: 2000 })
  await send([userMessage('short')], { continues })
  await send(ASKED, { continues })
  assert.deepEqual(
    asked.map((call) => call.continues),
    [continues, undefined],
  )
})

test('historyReduction rejects invalid options', () => {
  const refused = (options: object): void => {
    assert.throws(() => historyReduction(JSON.parse(JSON.stringify(options))), {
      code: 'INVALID_CONFIG',
      message: /^historyReduction: /,
    })
  }
  for (const by of WAYS) refused({ by, maxTokens: 10 })
  refused({ by: 'luck', maxTokens: 1000 })
  refused({ by: 'tool-results', maxTokens: 1000, head: -1 })
})

for (const by of WAYS) {
  for (const { name, holds } of middlewareContract(() =>
    historyReduction({ by, maxTokens: 200 }),
  )) {
    test(`[C-26] historyReduction by ${by}: ${name}`, holds)
  }
}
