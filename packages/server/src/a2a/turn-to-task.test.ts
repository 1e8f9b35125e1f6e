import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { TaskState } from '@a2a-js/sdk'
import type { TurnEnd } from '../agents/served-agent.ts'
import type { TurnPart } from '../runs/turn-part.ts'
import { TaskView } from './task-view.ts'
import { type TaskUpdate, TurnToTask } from './turn-to-task.ts'

const END: TurnEnd = {
  status: 'finished',
  text: 'Done.',
  reason: 'stop',
  detail: null,
  usage: { input: 1, output: 2 },
  cost: 0.5,
  rungs: [],
  checked: 'proved',
  confidence: 0.9,
  escalated: false,
  needsInput: false,
  details: {},
}

const mapping = (turn = 1): TurnToTask =>
  new TurnToTask({
    task: 't',
    context: 'c',
    run: 'r',
    turn,
    fileUrl: (run, name) => `http://here/${run}/${name}`,
  })

const mapped = (parts: readonly TurnPart[], by: TurnToTask = mapping()): readonly TaskUpdate[] =>
  parts.flatMap((part) => [...by.of(part, 0)])

const block = (id: string, ...deltas: readonly string[]): readonly TurnPart[] => [
  { type: 'text-start', id },
  ...deltas.map((delta) => ({ type: 'text-delta' as const, id, delta })),
  { type: 'text-end', id },
]

const chunksOf = (updates: readonly TaskUpdate[]): readonly unknown[] =>
  updates.flatMap((update) => {
    if (update.$case !== 'artifactUpdate') return []
    const { artifact, append, lastChunk } = update.value
    const content = artifact?.parts[0]?.content
    return [[artifact?.artifactId, content?.value, append, lastChunk]]
  })

const statesOf = (updates: readonly TaskUpdate[]): readonly (TaskState | undefined)[] =>
  updates.flatMap((update) => (update.$case === 'statusUpdate' ? [update.value.status?.state] : []))

const approval = (request: string): TurnPart => ({
  type: 'approval',
  request,
  call: `call-${request}`,
  about: {
    type: 'approval',
    tool: 'send',
    call: `call-${request}`,
    input: {},
    why: 'it acts',
    choices: ['once', 'deny'],
    hash: 'h',
  },
})

describe('[DD-19] the mapping of a run to its task', () => {
  test('sends pieces of the answer, and says how sure it is with the last one', () => {
    const updates = mapped([...block('a', 'Do', 'ne.'), { type: 'end', end: END }])
    assert.deepEqual(chunksOf(updates), [
      ['answer', 'Do', false, false],
      ['answer', 'ne.', true, true],
    ])
    const [, last] = updates
    assert.ok(last?.$case === 'artifactUpdate')
    assert.deepEqual(last.value.artifact?.parts[0]?.metadata, {
      checked: 'proved',
      confidence: 0.9,
      cost: 0.5,
    })
  })

  test('replaces text that another block follows, and text that does not hold', () => {
    const dropped: TurnPart = { type: 'text-drop', id: 'b' }
    const updates = mapped([
      ...block('a', 'Let me see.'),
      ...block('b', 'Wro', 'ng'),
      dropped,
      ...block('c', 'Done.'),
      { type: 'end', end: END },
    ])
    const view = new TaskView('t', 'c', 0)
    for (const update of updates) view.apply(update)
    const [artifact] = view.task().artifacts
    assert.deepEqual(
      artifact?.parts.map(({ content }) => content?.value),
      ['Done.'],
    )
    assert.equal(view.task().artifacts.length, 1)
  })

  test('shows the answer of the end if the last text was another one', () => {
    const updates = mapped([
      ...block('a', 'Done.'),
      ...block('b', 'By the way.'),
      { type: 'end', end: END },
    ])
    assert.deepEqual(chunksOf(updates).at(-1), ['answer', 'Done.', false, true])
  })

  test('waits for all open requests, and tells afterwards what happened meanwhile', () => {
    const by = mapping()
    const first = mapped([approval('1'), approval('2')], by)
    assert.deepEqual(statesOf(first), [
      TaskState.TASK_STATE_INPUT_REQUIRED,
      TaskState.TASK_STATE_INPUT_REQUIRED,
    ])
    assert.equal(by.requests.length, 2)
    const note: TurnPart = { type: 'note', id: 'n', stage: 'gate', data: null }
    assert.deepEqual(mapped([note], by), [])
    const [still] = mapped([{ type: 'answered', request: '1', reply: 'once' }], by)
    assert.ok(still?.$case === 'statusUpdate')
    assert.equal(still.value.status?.state, TaskState.TASK_STATE_INPUT_REQUIRED)
    assert.equal(still.value.status.message?.parts.length, 2)
    const rest = mapped([{ type: 'answered', request: '2', reply: 'deny' }], by)
    assert.deepEqual(statesOf(rest), [TaskState.TASK_STATE_WORKING, TaskState.TASK_STATE_WORKING])
  })

  test('makes a question of a turn that ended with one, and no artifact', () => {
    const end = { ...END, text: 'Which order?', needsInput: true }
    const updates = mapped([...block('answer', 'Which order?'), { type: 'end', end }], mapping(2))
    const [only, ...others] = updates
    assert.deepEqual(others, [])
    assert.ok(only?.$case === 'statusUpdate')
    assert.equal(only.value.status?.state, TaskState.TASK_STATE_INPUT_REQUIRED)
    assert.deepEqual(only.value.status.message?.parts[0]?.content?.value, 'Which order?')
  })

  test('ends in the state that the end means', () => {
    const cases: readonly (readonly [Partial<TurnEnd>, TaskState])[] = [
      [{}, TaskState.TASK_STATE_COMPLETED],
      [{ checked: 'unchecked' }, TaskState.TASK_STATE_COMPLETED],
      [{ checked: 'refuted' }, TaskState.TASK_STATE_FAILED],
      [{ text: '' }, TaskState.TASK_STATE_FAILED],
      [{ text: '', output: { a: 1 } }, TaskState.TASK_STATE_COMPLETED],
      [{ status: 'failed' }, TaskState.TASK_STATE_FAILED],
      [{ status: 'canceled', needsInput: true }, TaskState.TASK_STATE_CANCELED],
    ]
    for (const [more, state] of cases) {
      const end: TurnPart = { type: 'end', end: { ...END, ...more } }
      assert.equal(statesOf(mapped([end])).at(-1), state, JSON.stringify(more))
    }
  })

  test('gives each file an artifact with an address that holds no path', () => {
    const file = {
      name: 'a.txt',
      path: '/secret/a.txt',
      mediaType: 'text/plain',
      bytes: 1,
      sha256: 'ab',
    }
    const updates = mapped([
      {
        type: 'tool-result',
        id: 'x',
        tool: 'note',
        outcome: { type: 'ok', value: null, artifacts: [file] },
      },
    ])
    assert.deepEqual(chunksOf(updates), [['file-ab', 'http://here/r/a.txt', false, true]])
    assert.ok(!JSON.stringify(updates).includes('secret'))
  })
})
