import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ChatDefinition } from '../../packages/echelon/src/agents/chat/chat-definition.ts'
import type { ChatState } from '../../packages/echelon/src/agents/chat/chat-state.ts'
import type {
  ChatInput,
  ChatResult,
} from '../../packages/echelon/src/agents/chat/input/chat-input.ts'
import type { Json } from '../../packages/echelon/src/core/value/json.ts'
import { explore } from '../../packages/echelon/src/testing/explore.ts'
import type { ExploreOptions } from '../../packages/echelon/src/testing/explore/explore-options.ts'
import { SOUND } from '../../packages/echelon/src/testing/explore/finding.ts'

type ChatOptions = ExploreOptions<ChatInput, ChatState, ChatResult>

const call = (id: string, tool: string) => ({ id, tool, input: {} })

/** Everything that a later decision depends on; messages only grow. */
const keyOf = ({ pending, iterations, most, asking, continues, ended }: ChatState): Json => [
  pending.map(({ id, tool }) => [id, tool]),
  most - iterations,
  asking,
  continues === null,
  ended === null ? null : ended.reason,
]

const OPTIONS: ChatOptions = {
  inputs: ['hi'],
  observations: {
    models: [
      'done',
      '',
      { text: 'cut', finish: 'length' },
      { text: 'kept', conversation: 'c1' },
      { calls: [call('a', 'add')] },
      { calls: [call('a', 'add'), call('b', 'none')], text: 'and', conversation: 'c2' },
      { calls: [call('b', 'none')] },
      { calls: [call('a', 'add')], finish: 'filter' },
    ],
    tools: () => [
      { type: 'ok', value: 1 },
      { type: 'error', code: 'TOOL_ERROR', message: 'no' },
      { type: 'denied', reason: 'no' },
      { type: 'refused', limit: 'tools' },
      { type: 'unknown', message: 'who knows' },
    ],
    failures: ['unavailable', 'not-found'],
  },
  keyOf,
  invariants: {
    'a turn that ends leaves no call without its result': ({ after }) =>
      after.ended === null || after.pending.length === 0,
    'every call on record has one result': ({ after: { messages, pending } }) => {
      const parts = messages
        .toArray()
        .flatMap(({ content }) => (typeof content === 'string' ? [] : [...content]))
      const calls = parts.filter(({ type }) => type === 'tool-call').length
      const results = parts.filter(({ type }) => type === 'tool-result').length
      return calls === results + pending.length
    },
    'what is not a whole answer says why': ({ after: { ended } }) =>
      ended === null || (ended.reason === 'stop') === (ended.result.detail === null),
  },
}

const chat = (atLimit: 'end' | 'ask' = 'end'): ChatDefinition =>
  new ChatDefinition({ name: 'chat', tools: ['add'], maxIterations: 3, atLimit })

describe('[C-7] the chat engine, explored', () => {
  test('halts under any budget, for any models, tools and user replies', () => {
    const found = explore(chat(), { ...OPTIONS, heard: ['wait', 'and?'], loads: true })
    found.assertSound()
    assert.ok(found.states > 50)
    assert.deepEqual(
      [...found.reasons].toSorted(),
      'budget:calls.main budget:money budget:seconds budget:steps budget:tokens canceled filter length max-iterations not-found stop unavailable'.split(
        ' ',
      ),
    )
  })

  test('continues as long as the user grants more calls, within the limits', () => {
    const endless = explore(chat('ask'), OPTIONS)
    assert.deepEqual(
      endless.findings.map(({ rule }) => rule),
      [SOUND.halts],
    )
    assert.match(endless.toString(), /↻ agent asks the user .* → the reply is true/)
    explore(chat('ask'), {
      ...OPTIONS,
      limits: { 'calls.main': 8, tools: 3, money: 1, seconds: 1 },
      keyOf: (state, spent) => [
        keyOf(state),
        spent['calls.main'] ?? 0,
        spent['tools'] ?? 0,
        spent['money'] ?? 0,
        spent['seconds'] ?? 0,
      ],
    }).assertSound()
  })

  test('the checks detect a lost result, and an engine that continues after a refusal', () => {
    const lost = chat()
    const loses = {
      name: 'chat',
      version: 1,
      actors: lost.actors,
      load: lost.load.bind(lost),
      start: lost.start.bind(lost),
      next: lost.next.bind(lost),
      observe: (...[state, seen, meter]: Parameters<ChatDefinition['observe']>) =>
        seen.type === 'tools-called'
          ? { state: { ...state, pending: [] } }
          : lost.observe(state, seen, meter),
    }
    assert.deepEqual(
      explore(loses, OPTIONS).findings.map(({ rule }) => rule),
      ['every call on record has one result'],
    )
    const stubborn = {
      ...loses,
      observe: (...[state, seen, meter]: Parameters<ChatDefinition['observe']>) =>
        seen.type === 'refused' ? { state } : lost.observe(state, seen, meter),
    }
    assert.deepEqual(
      explore(stubborn, OPTIONS).findings.map(({ rule }) => rule),
      [SOUND.refused],
    )
  })
})
