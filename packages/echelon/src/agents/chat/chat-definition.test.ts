import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import type { Meter, Note, StartContext } from '../../core/agent/agent.ts'
import type { Effect, Finish } from '../../core/agent/effect.ts'
import { EchelonError } from '../../core/value/error.ts'
import type { Generated, Observation } from '../../core/agent/observation.ts'
import type { Problem, ProblemCode } from '../../core/model/problem.ts'
import { type Message, NOTHING_SAID, type Thread } from '../../core/message/thread.ts'
import type { ToolOutcome } from '../../core/tool/tool.ts'
import { ChatDefinition } from './chat-definition.ts'
import type { ChatSettings } from './chat-settings.ts'
import type { ChatState } from './chat-state.ts'
import type { ChatInput, ChatResult } from './input/chat-input.ts'
import { checkMessages } from './input/message-check.ts'

const METER: Meter = { at: 0, spent: {}, limits: {} }

const context = (history: Thread = NOTHING_SAID): StartContext => ({
  at: 0,
  seed: 1,
  runId: 'r',
  timeZone: 'UTC',
  limits: {},
  history,
})

const agent = (settings: Partial<ChatSettings> = {}): ChatDefinition =>
  new ChatDefinition({ name: 'chat', tools: ['add', 'read'], ...settings })

const generated = (more: Partial<Generated> = {}): Generated => ({
  type: 'generated',
  text: '',
  calls: [],
  finish: 'stop',
  model: 'p/m',
  usage: { input: 1, output: 1 },
  cost: 0,
  ...more,
})

const call = (id: string, tool = 'add') => ({ id, tool, input: {} })
const ok = (value: number | string): ToolOutcome => ({ type: 'ok', value })
const asks = (...ids: readonly string[]): Generated =>
  generated({ finish: 'tools', calls: ids.map((id) => call(id)) })
const failed = (code: ProblemCode): Observation => ({
  type: 'failed',
  error: { code, message: 'no luck', retryable: false, attempts: 1 },
})
const called = (...outcomes: readonly ToolOutcome[]): Observation => ({
  type: 'tools-called',
  outcomes,
})

interface Played {
  readonly state: ChatState
  readonly next: Effect | Finish<ChatResult>
  readonly notes: readonly Note[]
}

/** The engine fed with observations: no clock, no model, no tool. */
function play(
  definition: ChatDefinition,
  seen: readonly Observation[],
  input: ChatInput = 'hi',
  history?: Thread,
): Played {
  let { state } = definition.start(input, context(history))
  const notes: Note[] = []
  for (const observation of seen) {
    definition.next(state)
    const moved = definition.observe(state, observation, METER)
    notes.push(...(moved.notes ?? []))
    state = moved.state
  }
  return { state, next: definition.next(state), notes }
}

function finishOf({ next }: Played): Finish<ChatResult> {
  assert.equal(next.type, 'finish')
  assert.ok(next.type === 'finish')
  return next
}

const last = ({ state }: Played): Message | undefined => state.messages.at(-1)

function outputs(message: Message | undefined): readonly unknown[] {
  assert.ok(message?.role === 'tool')
  return message.content.map((part) => (part.type === 'tool-result' ? part.output : part))
}

describe('[C-7] the engine decides without I/O, clock or randomness', () => {
  test('[C-6] a turn starts with a model call that has the user message and the tools', () => {
    const { next, state } = play(agent({ instructions: 'be kind' }), [])
    assert.deepEqual(
      { ...next, messages: undefined },
      {
        type: 'generate',
        actor: 'agent',
        role: 'main',
        show: 'user',
        tools: ['add', 'read'],
        messages: undefined,
      },
    )
    assert.deepEqual(state.messages.toArray(), [
      { role: 'system', content: 'be kind' },
      { role: 'user', content: [{ type: 'text', text: 'hi' }] },
    ])
  })

  test('sends the model settings with each model call', () => {
    const sampling = { temperature: 0 }
    const { next } = play(agent({ timeoutMs: 5, maxTokens: 7, sampling, tools: [] }), [])
    assert.ok(next.type === 'generate')
    const { timeoutMs, maxTokens, tools } = next
    assert.deepEqual([timeoutMs, maxTokens, next.sampling, tools], [5, 7, sampling, undefined])
  })

  test('alternates between model and tools until the answer', () => {
    const turn = agent({ maxParallelTools: 3 })
    const asked = play(turn, [asks('a', 'b')])
    assert.deepEqual(asked.next, {
      type: 'call-tools',
      actor: 'agent',
      calls: [call('a'), call('b')],
      atOnce: 3,
    })
    const told = play(turn, [asks('a', 'b'), called(ok(3), ok('four'))])
    assert.equal(told.next.type, 'generate')
    assert.deepEqual(outputs(last(told)), [
      { type: 'json', value: 3 },
      { type: 'text', value: 'four' },
    ])
    const done = play(turn, [
      asks('a', 'b'),
      called(ok(3), ok('four')),
      generated({ text: 'it is 3' }),
    ])
    assert.deepEqual(finishOf(done), {
      type: 'finish',
      reason: 'stop',
      result: { text: 'it is 3', detail: null },
    })
    assert.equal(done.state.messages.length, 4)
  })

  test('[C-11] reports a failed call to the model, which can correct it', () => {
    const outcomes: readonly ToolOutcome[] = [
      { type: 'error', code: 'INVALID_ARGS', message: 'a: expected number' },
      { type: 'denied', reason: 'not on Sundays' },
      { type: 'refused', limit: 'tools' },
      { type: 'unknown', message: 'it was cut' },
    ]
    const told = play(agent(), [asks('a', 'b', 'c', 'd'), called(...outcomes)])
    assert.deepEqual(outputs(last(told)), [
      { type: 'error-text', value: 'INVALID_ARGS: a: expected number' },
      { type: 'execution-denied', reason: 'not on Sundays' },
      {
        type: 'error-text',
        value: 'not run: the limit of tools is used up; answer with what there is',
      },
      { type: 'error-text', value: 'it is not known whether this was done: it was cut' },
    ])
    assert.equal(told.next.type, 'generate')
  })

  test('[C-11] reports an unknown tool to the model and runs the other calls', () => {
    const seen = generated({
      finish: 'tools',
      calls: [call('a', 'rm'), call('b'), call('c', 'ls')],
    })
    const asked = play(agent(), [seen])
    assert.ok(asked.next.type === 'call-tools')
    assert.deepEqual(asked.next.calls, [call('b')])
    const told = outputs(last(play(agent(), [seen, called(ok(3))])))
    const none = (tool: string) => ({
      type: 'error-text',
      value: `UNKNOWN_TOOL: there is no tool ${tool}; there are add, read`,
    })
    assert.deepEqual(told, [none('rm'), { type: 'json', value: 3 }, none('ls')])
    const alone = play(agent({ tools: [] }), [asks('a')])
    assert.equal(alone.next.type, 'generate')
    assert.match(JSON.stringify(outputs(last(alone))), /there are none/)
  })

  test('[C-9] keeps reasoning that the provider needs back, but no blank lines next to it', () => {
    const thought = {
      type: 'reasoning' as const,
      text: '',
      providerOptions: { openai: { cipher: 'x' } },
    }
    const asked = {
      type: 'tool-call' as const,
      toolCallId: 'a',
      toolName: 'add',
      input: {},
    }
    const seen = { ...asks('a'), content: [thought, { type: 'text' as const, text: '\n' }, asked] }
    const kept = play(agent(), [seen]).state.messages.at(-1)
    assert.deepEqual(kept, { role: 'assistant', content: [thought, asked] })
  })

  test('[C-14] keeps text that middleware replaced, next to what the provider needs back', () => {
    const thought = { type: 'reasoning' as const, text: 'hm' }
    const asked = { type: 'tool-call' as const, toolCallId: 'a', toolName: 'add', input: {} }
    const said = (text: string) => ({ type: 'text' as const, text })
    for (const content of [
      [thought, said('my secret'), said(' is 5'), asked],
      [thought, asked],
    ]) {
      const seen = { ...asks('a'), text: 'it is hidden', content }
      assert.deepEqual(play(agent(), [seen]).state.messages.at(-1), {
        role: 'assistant',
        content: [thought, said('it is hidden'), asked],
      })
    }
  })

  test('a file that the model made survives the journal unchanged', () => {
    const url = new URL('https://example.com/a.png')
    const file = {
      type: 'file' as const,
      mediaType: 'image/png',
      data: { type: 'url' as const, url },
    }
    const seen = generated({ content: [file] })
    const live = play(agent(), [seen]).state
    const replayed = play(agent(), [JSON.parse(JSON.stringify(seen))]).state
    assert.deepEqual(live.messages.toArray(), replayed.messages.toArray())
    assert.deepEqual(live.messages.at(-1), { role: 'assistant', content: [file] })
  })

  test('a truncated answer ends with that reason and leaves no call open', () => {
    for (const finish of ['length', 'filter'] as const) {
      const plain = finishOf(play(agent(), [generated({ text: 'it is', finish })]))
      assert.equal(plain.reason, finish)
      assert.equal(plain.result.text, 'it is')
      assert.ok(plain.result.detail !== null)
      const open = play(agent(), [generated({ finish, calls: [call('a')] })])
      assert.equal(finishOf(open).reason, finish)
      assert.match(JSON.stringify(outputs(last(open))), /not run/)
    }
  })

  test('a blocked turn names its reason, and the conversation stays complete', () => {
    const badKey: Problem = { code: 'auth', message: 'bad key', retryable: false, attempts: 1 }
    const table: readonly (readonly [Observation, string, string, Problem?])[] = [
      [
        { type: 'refused', by: 'budget', limit: 'money', message: 'no money' },
        'budget:money',
        'no money',
      ],
      [
        { type: 'refused', by: 'policy', limit: 'turn', message: 'not you' },
        'policy:turn',
        'not you',
      ],
      [{ type: 'failed', error: badKey }, 'auth', 'bad key', badKey],
      [{ type: 'canceled', by: 'user' }, 'canceled', 'the run was canceled'],
    ]
    for (const [seen, reason, detail, problem] of table) {
      const early = play(agent(), [seen])
      assert.deepEqual(finishOf(early).result, { text: '', detail, ...(problem && { problem }) })
      assert.equal(early.state.messages.length, 1)
      const late = play(agent(), [{ ...asks('a'), text: 'let me see' }, seen])
      assert.equal(finishOf(late).reason, reason)
      assert.equal(finishOf(late).result.text, 'let me see')
      assert.deepEqual(outputs(last(late)), [{ type: 'error-text', value: `not run: ${detail}` }])
    }
  })

  test('takes user text before pending calls, which all get a result', () => {
    const heard = play(agent(), [asks('a'), { type: 'heard', text: 'stop, use 5' }])
    assert.equal(heard.next.type, 'generate')
    const [, , results, spoken] = heard.state.messages.toArray()
    assert.deepEqual(outputs(results), [
      { type: 'error-text', value: 'not run: the user spoke first' },
    ])
    assert.deepEqual(spoken?.content, [{ type: 'text', text: 'stop, use 5' }])
    const silent = play(agent(), [asks('a'), { type: 'heard', text: ' ' }])
    assert.equal(silent.next.type, 'call-tools')
  })

  test('the last allowed model call ends the turn with a reason', () => {
    const seen = [asks('a'), called(ok(1)), { ...asks('b'), text: 'not yet' }]
    const ended = play(agent({ maxIterations: 2 }), seen)
    const { reason, result } = finishOf(ended)
    assert.equal(reason, 'max-iterations')
    assert.equal(result.text, 'not yet')
    assert.match(result.detail ?? '', /2 times.*maxIterations/)
    assert.deepEqual(ended.notes, [{ stage: 'max-iterations', data: { iterations: 2 } }])
    assert.match(JSON.stringify(outputs(last(ended))), /not run/)
    const done = play(agent({ maxIterations: 2 }), [...seen.slice(0, 2), generated({ text: 'x' })])
    assert.equal(finishOf(done).reason, 'stop')
  })

  test('at the limit it can ask for more, and then gets as many calls again', () => {
    const asking = agent({ maxIterations: 1, atLimit: 'ask' })
    const asked = play(asking, [asks('a')])
    assert.ok(asked.next.type === 'ask')
    assert.deepEqual(asked.next.schema, { type: 'boolean' })
    const more: readonly Observation[] = [asks('a'), { type: 'answered', reply: true }]
    assert.equal(play(asking, more).next.type, 'call-tools')
    assert.equal(play(asking, [...more, called(ok(1)), asks('b')]).next.type, 'ask')
    const refusals: readonly Observation[] = [
      { type: 'answered', reply: false },
      { type: 'answered', reply: 'yes' },
      { type: 'unanswered' },
    ]
    for (const seen of refusals) {
      assert.equal(finishOf(play(asking, [asks('a'), seen])).reason, 'max-iterations')
    }
    const spoke = play(asking, [asks('a'), { type: 'heard', text: 'go on, with 5' }])
    assert.equal(spoke.next.type, 'generate')
  })

  test('a turn can override the instructions and the call limit', () => {
    const input = {
      messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
      instructions: 'be short',
      maxIterations: 1,
    }
    const ended = play(agent({ instructions: 'be kind' }), [asks('a')], input)
    assert.equal(finishOf(ended).reason, 'max-iterations')
    assert.deepEqual(ended.state.messages.at(0), { role: 'system', content: 'be short' })
  })

  test('middleware can read and change a turn', () => {
    const { turns } = agent()
    const said = turns.messagesOf('hi')
    const other = turns.withMessages('hi', [...said, ...said])
    assert.deepEqual(turns.messagesOf(other), [...said, ...said])
    const result = turns.withText({ text: 'a', detail: null }, 'b')
    assert.equal(turns.textOf(result), 'b')
    const kept = turns.withMessages({ messages: [], maxIterations: 3 }, said)
    assert.deepEqual(kept, { messages: said, maxIterations: 3 })
  })
})

describe('a conversation', () => {
  test('continues in the same thread without repeating the instructions', () => {
    const chat = agent({ instructions: 'be kind' })
    const { messages } = play(chat, [generated({ text: 'hello' })]).state
    const second = play(chat, [], 'and now?', messages).state
    assert.ok(second.messages.extends(messages))
    assert.equal(second.messages.length, 4)
    const again = play(agent({ instructions: 'be kind' }), [], 'x', second.messages).state
    assert.ok(again.messages.extends(second.messages))
  })

  test('is rewritten only when the instructions change', () => {
    const { messages } = play(agent({ instructions: 'be kind' }), []).state
    const other = play(agent({ instructions: 'be short' }), [], 'x', messages).state.messages
    assert.ok(!other.extends(messages))
    assert.deepEqual(other.at(0), { role: 'system', content: 'be short' })
    assert.equal(other.length, 3)
    const { messages: bare } = play(agent(), []).state
    const now = play(agent({ instructions: 'be kind' }), [], 'x', bare).state.messages
    assert.deepEqual(
      now.toArray().map(({ role }) => role),
      ['system', 'user', 'user'],
    )
  })

  test('[C-9] kept by a provider is named in the next call, until another model answers', () => {
    const kept = { ...asks('a'), conversation: 'resp_1' }
    const going = play(agent(), [kept, called(ok(1))])
    assert.ok(going.next.type === 'generate')
    assert.deepEqual(going.next.continues, { model: 'p/m', id: 'resp_1', from: 2 })
    const gone = play(agent(), [kept, called(ok(1)), { ...asks('b'), model: 'q/n' }])
    assert.equal(gone.state.continues, null)
  })

  test('[C-9] forgotten by the provider is sent in full, once', () => {
    const kept = { ...asks('a'), conversation: 'resp_1' }
    const gone = failed('not-found')
    const again = play(agent(), [kept, called(ok(1)), gone])
    assert.ok(again.next.type === 'generate')
    assert.equal(again.next.continues, undefined)
    assert.equal(again.next.messages.length, 3)
    assert.equal(play(agent(), [kept, called(ok(1)), gone, gone]).next.type, 'finish')
    // Anything else that fails has nothing to do with it.
    const { next, state } = play(agent(), [kept, called(ok(1)), failed('unavailable')])
    assert.equal(next.type, 'finish')
    assert.equal(state.continues?.id, 'resp_1')
    assert.equal(play(agent(), [gone]).next.type, 'finish')
  })

  test('[C-9] kept by a provider continues in the next turn, unless the instructions change', () => {
    const chat = agent({ instructions: 'be kind' })
    const { messages } = play(chat, [generated({ text: 'hello' })]).state
    const continues = { model: 'p/m', id: 'resp_1', from: 3 }
    const said = [{ role: 'user', content: [{ type: 'text', text: 'x' }] }]
    const second = play(chat, [], { messages: said, continues }, messages)
    assert.ok(second.next.type === 'generate')
    assert.deepEqual(second.next.continues, continues)
    const told = { messages: said, continues, instructions: 'be short' }
    assert.equal(play(chat, [], told, messages).state.continues, null)
  })
})

describe('a stored state', () => {
  test('survives a reload unchanged', () => {
    const kept = { ...asks('a'), conversation: 'c' }
    for (const seen of [[], [kept], [kept, called(ok(1))], [generated({ text: 'x' })]]) {
      const { state } = play(agent(), seen)
      const loaded = agent().load(JSON.parse(JSON.stringify(state)))
      assert.deepEqual(JSON.parse(JSON.stringify(loaded)), JSON.parse(JSON.stringify(state)))
    }
  })

  test('may lack the field for answer repair', () => {
    const { state } = play(agent(), [asks('a')])
    const { repaired: _, ...older } = JSON.parse(JSON.stringify(state))
    assert.equal(agent().load(older).repaired, false)
  })

  test('is refused with advice when it is invalid', () => {
    const { state } = play(agent(), [asks('a')])
    const stored = JSON.parse(JSON.stringify(state))
    const spoiled = [
      null,
      {},
      { ...stored, most: -1 },
      { ...stored, text: null },
      { ...stored, repaired: 1 },
      { ...stored, pending: [{}] },
      { ...stored, continues: {} },
      { ...stored, ended: { reason: 'x' } },
    ]
    for (const snapshot of spoiled) {
      assert.throws(
        () => agent().load(snapshot),
        (error) => error instanceof EchelonError && error.code === 'STATE_REFUSED',
      )
    }
    assert.throws(() => agent().load({ ...stored, pending: [] }), /without a result/)
  })
})

test('refuses invalid numbers', () => {
  for (const wrong of [{ maxIterations: 0 }, { maxParallelTools: 1.5 }, { maxIterations: NaN }]) {
    assert.throws(() => agent(wrong), /give a whole number from 1 on/)
  }
})

const anyCall = fc.record({
  id: fc.constantFrom('', 'a', 'a', 'b', ' ', 'call-0', 'call-1'),
  tool: fc.constantFrom('add', 'read', 'rm', '', ' '),
  input: fc.jsonValue().map((value): string => JSON.stringify(value)),
})

const anyContent = fc.option(
  fc.array(
    fc.oneof(
      fc.record({ type: fc.constant('text' as const), text: fc.constantFrom('', ' ', 'hello') }),
      fc.constant({ type: 'text' as const, text: '', providerOptions: { p: { sign: 'x' } } }),
      fc.constant({
        type: 'file' as const,
        mediaType: 'image/png',
        data: { type: 'url' as const, url: new URL('https://example.com/a.png') },
      }),
      fc.record({ type: fc.constant('reasoning' as const), text: fc.constantFrom('', 'hm') }),
      fc.record({
        type: fc.constant('tool-call' as const),
        toolCallId: fc.constantFrom('', 'a', 'b'),
        toolName: fc.constantFrom('add', ''),
        input: fc.constant({}),
        providerExecuted: fc.boolean(),
      }),
    ),
    { maxLength: 4 },
  ),
  { nil: undefined },
)

const anyObservation: fc.Arbitrary<Observation> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .record({
        text: fc.constantFrom('', ' \n', 'hello'),
        calls: fc.array(anyCall, { maxLength: 4 }),
        content: anyContent,
        finish: fc.constantFrom('stop', 'length', 'tools', 'filter'),
      })
      .map(({ content, ...more }) => generated({ ...more, ...(content && { content }) })),
  },
  fc
    .array(fc.constantFrom<ToolOutcome>(ok(1), ok(''), { type: 'denied', reason: '' }), {
      maxLength: 5,
    })
    .map((outcomes) => called(...outcomes)),
  fc.constantFrom('', 'wait').map((text): Observation => ({ type: 'heard', text })),
  fc.boolean().map((reply): Observation => ({ type: 'answered', reply })),
  fc.constant<Observation>({ type: 'canceled', by: 'user' }),
  fc.constant<Observation>({ type: 'refused', by: 'budget', limit: 'steps', message: 'no steps' }),
)

/** Whether the observation answers the engine's last effect. */
function fits(asked: Effect | Finish<ChatResult>, { type }: Observation): boolean {
  if (type === 'heard' || type === 'canceled' || type === 'refused') return true
  const answers = { generate: 'generated', 'call-tools': 'tools-called', ask: 'answered' }
  return Object.entries(answers).some(([wish, answer]) => asked.type === wish && type === answer)
}

test('[C-7, C-10] any sequence of observations leaves a conversation that can continue', () => {
  const anySettings = fc.record({
    maxIterations: fc.integer({ min: 1, max: 3 }),
    atLimit: fc.constantFrom('end', 'ask'),
  })
  fc.assert(
    fc.property(anySettings, fc.array(anyObservation, { maxLength: 30 }), (settings, all) => {
      const chat = agent(settings)
      let { state } = chat.start('hi', context())
      for (const seen of all) {
        const asked = chat.next(state)
        if (asked.type === 'finish') break
        if (!fits(asked, seen)) continue
        const before = state.messages
        state = chat.observe(state, seen, METER).state
        assert.ok(state.messages.extends(before), 'a conversation is never written anew')
        checkMessages(state.messages.toArray(), { open: state.pending.map(({ id }) => id) })
      }
      if (chat.next(state).type !== 'finish') {
        state = chat.observe(state, { type: 'canceled', by: 'user' }, METER).state
      }
      assert.equal(chat.next(state).type, 'finish')
      checkMessages(chat.transcript(state))
    }),
    { numRuns: 2000 },
  )
})
