import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AGUIEvent, EventType } from '@ag-ui/core'
import type { TurnEnd } from '../agents/served-agent.ts'
import type { TurnPart } from '../runs/turn-part.ts'
import { AgUiEvents, type AgUiEventsOptions } from './ag-ui-events.ts'

const END: TurnEnd = {
  status: 'finished',
  text: 'Hello.',
  reason: 'stop',
  detail: null,
  usage: { input: 3, output: 2 },
  cost: 0.5,
  rungs: [{ model: 'openai/gpt-5', calls: 1, input: 3, output: 2, cost: 0.5 }],
  checked: 'unchecked',
  confidence: null,
  escalated: false,
  needsInput: false,
  details: {},
}

const events = (options: Partial<AgUiEventsOptions> = {}): AgUiEvents =>
  new AgUiEvents({
    threadId: 't',
    runId: 'r',
    run: 'run',
    agent: 'chat',
    ladder: [],
    knows1: true,
    messages: [],
    ...options,
  })

const shown = (mapped: AgUiEvents, parts: readonly TurnPart[]): AGUIEvent[] => [
  ...mapped.begin(),
  ...parts.flatMap((part) => [...mapped.of(part)]),
]

const text = (delta: string): TurnPart[] => [
  { type: 'text-start', id: 'text-0' },
  { type: 'text-delta', id: 'text-0', delta },
  { type: 'text-end', id: 'text-0' },
]

test('a text that was taken back is gone, and the next one has an id of its own', () => {
  const all = shown(events(), [
    ...text('Wrong'),
    { type: 'text-drop', id: 'text-0' },
    ...text('Right'),
    { type: 'end', end: END },
  ])
  const ids = all.flatMap((event) =>
    event.type === EventType.TEXT_MESSAGE_START ? [event.messageId] : [],
  )
  assert.deepEqual(ids, ['run:text-0', 'run:text-0:2'])
  const snapshot = all.find(({ type }) => type === EventType.MESSAGES_SNAPSHOT)
  assert.deepEqual(snapshot, { type: EventType.MESSAGES_SNAPSHOT, messages: [] })
})

test('nothing comes after the end', () => {
  const mapped = events()
  shown(mapped, [{ type: 'end', end: END }])
  assert.ok(mapped.isOver)
  assert.deepEqual([...mapped.of({ type: 'warning', message: 'late' })], [])
  assert.deepEqual([...mapped.fail('late', 'late')], [])
})

test('an end without an answer says why, in words', () => {
  const end = { ...END, text: '', detail: 'the budget is spent' }
  const all = shown(events(), [{ type: 'end', end }])
  assert.ok(
    all.some(
      (event) =>
        event.type === EventType.TEXT_MESSAGE_CONTENT && event.delta === 'the budget is spent',
    ),
  )
})

test('a canceled run ends with an outcome that only clients of 1.0 know', () => {
  const part: TurnPart = { type: 'end', end: { ...END, status: 'canceled' } }
  for (const knows1 of [true, false]) {
    const last = shown(events({ knows1 }), [part]).at(-1)
    assert.ok(last?.type === EventType.RUN_FINISHED)
    assert.deepEqual(last.outcome, knows1 ? { type: 'cancelled' } : undefined)
    assert.deepEqual(last.usage, [
      { provider: 'openai', model: 'gpt-5', inputTokens: 3, outputTokens: 2, totalTokens: 5 },
    ])
  }
})

test('what a stream skipped is in its first state, and its open steps are opened again', () => {
  const mapped = events()
  const step = { step: '2', depth: 0, effect: 'call-tools', actor: 'agent', targets: ['x'] }
  assert.deepEqual([...mapped.of({ type: 'note', id: 'n', stage: 'gate', data: { a: 1 } })], [])
  assert.deepEqual([...mapped.of({ type: 'step-start', ...step })], [])
  const [, snapshot, started] = mapped.begin()
  assert.ok(snapshot?.type === EventType.STATE_SNAPSHOT)
  assert.partialDeepStrictEqual(snapshot.snapshot, { echelon: { stage: 'gate' } })
  assert.deepEqual(started, { type: EventType.STEP_STARTED, stepName: 'agent:2' })
})

test('a state never holds a key that clients refuse in a patch', () => {
  const data = JSON.parse('{"__proto__":{"a":1},"constructor":1,"ok":2}')
  const all = shown(events(), [{ type: 'note', id: 'n', stage: 's', data }])
  assert.doesNotMatch(JSON.stringify(all), /__proto__|constructor/)
  assert.match(JSON.stringify(all), /"ok":2/)
})
