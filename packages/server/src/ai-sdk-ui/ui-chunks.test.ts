import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TurnEnd } from '../agents/served-agent.ts'
import { callIdOf } from '../runs/call-id.ts'
import type { TurnPart } from '../runs/turn-part.ts'
import { UiChunks } from './ui-chunks.ts'

const END: TurnEnd = {
  status: 'finished',
  text: 'Four.',
  reason: 'stop',
  detail: null,
  usage: { input: 1, output: 2 },
  cost: 0.5,
  rungs: [{ model: 'a/b', calls: 1, input: 1, output: 2, cost: 0.5 }],
  checked: 'unchecked',
  confidence: null,
  escalated: false,
  needsInput: false,
  details: {},
}

const step = (id: string, effect = 'generate'): TurnPart => ({
  type: 'step-start',
  step: id,
  depth: 0,
  effect,
  actor: 'agent',
  targets: [],
})
const said = (id: string, delta: string): readonly TurnPart[] => [
  { type: 'text-start', id },
  { type: 'text-delta', id, delta },
  { type: 'text-end', id },
]
const call = (id: string, more: { byClient?: boolean; isHeld?: true } = {}): TurnPart => ({
  type: 'tool-call',
  id,
  tool: 'sum',
  input: {},
  depth: 0,
  byClient: false,
  ...more,
})

const mapped = (parts: readonly TurnPart[]) => {
  const chunks = new UiChunks('run')
  return parts.flatMap((part, n) => chunks.of(part, { n, sub: 0 }))
}
const typesOf = (parts: readonly TurnPart[]): readonly string[] =>
  mapped(parts).map(({ type }) => type)

test('a step of a page is a model call and its tools', () => {
  const result: TurnPart = {
    type: 'tool-result',
    id: 'a',
    tool: 'sum',
    outcome: { type: 'ok', value: 4 },
  }
  assert.deepEqual(
    typesOf([
      step('0'),
      step('1', 'call-tools'),
      call('a'),
      result,
      step('2'),
      { type: 'end', end: END },
    ]),
    [
      'start-step',
      'tool-input-available',
      'tool-output-available',
      'finish-step',
      'start-step',
      'finish-step',
      'finish',
    ],
  )
})

test('text that is taken back goes away with its step, and the rest of the step comes again', () => {
  const note: TurnPart = { type: 'note', id: 'n', stage: 'promoted', data: { from: 'a', to: 'b' } }
  const chunks = mapped([
    step('0'),
    ...said('kept', 'Hm.'),
    ...said('draft', 'Five.'),
    note,
    { type: 'text-drop', id: 'draft' },
    ...said('draft', 'Four.'),
  ])
  const from = chunks.findIndex(({ type }) => type === 'reset-step')
  assert.deepEqual(
    chunks.slice(from).map(({ type, id, delta }) => [type, delta ?? id]),
    [
      ['reset-step', undefined],
      ['text-start', 'kept'],
      ['text-delta', 'Hm.'],
      ['text-end', 'kept'],
      ['data-gate', 'gate-7'],
      ['text-start', 'draft'],
      ['text-delta', 'Four.'],
      ['text-end', 'draft'],
    ],
  )
})

test("a client's calls are shown when it is its turn, in a step without calls at work", () => {
  const parts: readonly TurnPart[] = [
    step('0'),
    call('own'),
    call('a', { byClient: true }),
    call('b', { byClient: true }),
    { type: 'client-turn', request: 'r', calls: ['a', 'b'], places: [1, 2], place: 1 },
    { type: 'client-turn', request: 's', calls: ['a', 'b'], places: [1, 2], place: 2 },
  ]
  assert.deepEqual(typesOf(parts), [
    'start-step',
    'tool-input-available',
    'finish-step',
    'start-step',
    'tool-input-available',
    'tool-input-available',
  ])
  const calls = mapped(parts).filter(({ type }) => type === 'tool-input-available')
  assert.deepEqual(
    calls.map(({ toolCallId, providerExecuted }) => [toolCallId, providerExecuted]),
    [
      [callIdOf('run', 'own'), true],
      [callIdOf('run', 'a'), undefined],
      [callIdOf('run', 'b'), undefined],
    ],
  )
})

test('an end without an answer says why; a failure is an error, a cancel an abort', () => {
  const withheld = mapped([
    { type: 'end', end: { ...END, text: '', detail: 'Nothing could check it.' } },
  ])
  assert.equal(withheld[1]?.['delta'], 'Nothing could check it.')
  const failed = mapped([{ type: 'end', end: { ...END, status: 'failed', reason: 'auth' } }])
  assert.deepEqual(
    failed.map(({ type }) => type),
    ['message-metadata', 'error'],
  )
  const canceled = mapped([
    { type: 'end', end: { ...END, status: 'canceled', reason: 'canceled' } },
  ])
  assert.deepEqual(canceled, [{ type: 'abort', reason: 'canceled' }])
})

test('what a model thought is a reasoning part of its own', () => {
  const thought: TurnPart = { type: 'reasoning', id: 'reasoning-0', text: 'Hm.' }
  assert.deepEqual(typesOf([step('0'), thought]), [
    'start-step',
    'reasoning-start',
    'reasoning-delta',
    'reasoning-end',
  ])
})
