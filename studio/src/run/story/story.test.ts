import assert from 'node:assert/strict'
import test from 'node:test'
import type { RunEvent, RunEventView } from 'echelon/client'
import { storyOf } from './story.ts'

const told = (...events: readonly RunEvent[]): readonly RunEventView[] =>
  events.map((event, index) => ({ id: String(index + 1), at: 1000 + index, event }))

const place = (seq: number) => ({ path: '', seq })
const note = (seq: number, stage: string, data: object): RunEvent => ({
  type: 'note',
  ...place(seq),
  id: `run:${seq}`,
  at: 0,
  note: { stage, data: JSON.parse(JSON.stringify(data)) },
})
const asked = (seq: number, model: string): RunEvent => ({
  type: 'step-start',
  ...place(seq),
  effect: 'generate',
  actor: 'planner',
  targets: [model],
  role: 'small',
})
const answered = (seq: number, model: string, text: string): RunEvent => ({
  type: 'step-end',
  ...place(seq),
  seen: {
    type: 'generated',
    text,
    calls: [],
    finish: 'stop',
    model,
    usage: { input: 10, output: 2 },
    cost: 0.25,
  },
})

test('a proved answer of the small model: plan, tool, verdict, and why it was accepted', () => {
  const call = { id: '1', tool: 'calculator', input: { expr: '15 * 23' } }
  const tools = (seq: number, actor: string): readonly RunEvent[] => [
    { type: 'step-start', ...place(seq), effect: 'call-tools', actor, targets: ['calculator'] },
    { type: 'tool-start', ...place(seq), call },
    { type: 'tool-end', ...place(seq), call, outcome: { type: 'ok', value: '345' } },
  ]
  const story = storyOf(
    told(
      asked(0, 'a/small'),
      answered(0, 'a/small', '{"actions":[{"tool":"calculator","args":{}}]}'),
      note(0, 'H_plan', { event: 'plan' }),
      ...tools(1, 'executor'),
      ...tools(2, 'verifier'),
      note(2, 'verify', { event: 'verified', metric: 1, output_summary: 'both readings agree' }),
      note(2, 'act', { decision: 'stop', metric: 1, output_summary: 'verified' }),
    ),
  )
  assert.deepEqual(
    story.map(({ type, title, tone }) => [type, title, tone]),
    [
      ['model', 'a/small plans: calculator.', 'plain'],
      ['tools', 'Uses calculator.', 'plain'],
      ['tools', 'Checks the answer on its own.', 'plain'],
      ['verdict', 'Verified: both readings agree.', 'good'],
      ['gate', 'Accepted: both readings agree, score 1.00.', 'good'],
    ],
  )
  const [model, uses] = story
  assert.ok(model?.type === 'model' && model.cost === 0.25 && model.usage?.input === 10)
  assert.ok(uses?.type === 'tools')
  assert.deepEqual(uses.calls[0]?.outcome, { type: 'ok', value: '345' })
})

test('a promotion of the decision agent names both models, and its prompt tells what is passed on', () => {
  const story = storyOf(
    told(
      asked(0, 'a/small'),
      answered(0, 'a/small', '{"cannot":"I do not know"}'),
      note(0, 'act', { decision: 'escalate', metric: 0, output_summary: 'declined' }),
      note(0, 'escalate', { event: 'escalate_to_big', details: { to: 'a/big' } }),
      asked(1, 'a/big'),
    ),
  )
  assert.deepEqual(
    story.map(({ title, model }) => [title, model]),
    [
      ['a/small says that it cannot.', 'a/small'],
      ['Promoted: the model said that it cannot do it.', 'a/small'],
      ['The task goes from a/small to a/big.', 'a/big'],
      ['a/big is asked …', 'a/big'],
    ],
  )
  assert.ok(story[2]?.type === 'promotion' && story[2].isInPrompt)
})

test('the gate of a cascade compares the score with the threshold', () => {
  const data = {
    status: 'unsupported',
    confidence: 0.31,
    accept: 0.8,
    evidence: 'two drafts differ',
  }
  const story = storyOf(
    told(
      {
        type: 'middleware',
        middleware: 'cascade',
        event: 'promoted',
        data: { ...data, from: 'a/small', to: 'a/big', told: '(An earlier draft …)' },
      },
      {
        type: 'middleware',
        middleware: 'cascade',
        event: 'answered',
        data: {
          ...data,
          status: 'supported',
          confidence: 0.98,
          model: 'a/big',
          evidence: 'two agree',
        },
      },
    ),
  )
  assert.deepEqual(
    story.map(({ title }) => title),
    [
      'Promoted: two drafts differ, score 0.31 < 0.80.',
      'The task goes from a/small to a/big.',
      'Accepted: two agree, score 0.98 ≥ 0.80.',
    ],
  )
  assert.ok(story[1]?.type === 'promotion' && story[1].told === '(An earlier draft …)')
})

test('a step of a cascade is told in order: the draft, why it was promoted, and the bigger model', () => {
  const data = {
    evidence: 'two drafts differ',
    status: 'unsupported',
    confidence: 0.31,
    accept: 0.8,
  }
  const middleware = (event: string, more: object): RunEvent => ({
    type: 'middleware',
    middleware: 'cascade',
    event,
    data: JSON.parse(JSON.stringify({ ...data, ...more })),
  })
  const took = [
    { model: 'a/small', usage: { input: 1, output: 1 }, cost: 0.1 },
    { model: 'a/big', usage: { input: 2, output: 2 }, cost: 0.7 },
  ]
  const end = answered(0, 'a/big', 'Paris')
  const story = storyOf(
    told(
      asked(0, 'a/small'),
      middleware('promoted', { from: 'a/small', to: 'a/big' }),
      { type: 'text-delta', ...place(0), delta: 'Pa' },
      middleware('answered', { model: 'a/big', promotions: 1 }),
      end.type === 'step-end' && end.seen.type === 'generated'
        ? { ...end, seen: { ...end.seen, took } }
        : end,
    ),
  )
  assert.deepEqual(
    story.map(({ title, model }) => [title, model]),
    [
      ['a/small gives a draft, which is not shown.', 'a/small'],
      ['Promoted: two drafts differ, score 0.31 < 0.80.', 'a/small'],
      ['The task goes from a/small to a/big.', 'a/big'],
      ['a/big answers.', 'a/big'],
      ['Returned, since no bigger model is left: two drafts differ, score 0.31 < 0.80.', 'a/big'],
    ],
  )
  assert.deepEqual(
    story.flatMap((moment) => (moment.type === 'model' ? [[moment.text, moment.cost]] : [])),
    [
      ['', 0.1],
      ['Paris', 0.7],
    ],
  )
})

test('streamed text grows, is taken back, and the whole text replaces it', () => {
  const delta = (text: string): RunEvent => ({ type: 'text-delta', ...place(0), delta: text })
  const textAfter = (...events: readonly RunEvent[]) => {
    const [moment] = storyOf(told(asked(0, 'a/small'), ...events))
    return moment?.type === 'model' ? moment.text : undefined
  }
  assert.equal(textAfter(delta('Hel'), delta('lo')), 'Hello')
  assert.equal(textAfter(delta('Hel'), { type: 'text-drop', ...place(0) }, delta('Bye')), 'Bye')
  assert.equal(textAfter(delta('Hel'), answered(0, 'a/small', 'Hello!')), 'Hello!')
})

test('a request waits until its reply, and is told once although a resumed run asks again', () => {
  const open: RunEvent = {
    type: 'request-open',
    ...place(1),
    request: 'r',
    about: { tool: 'refund' },
  }
  const waiting = storyOf(told(open, open))
  assert.equal(waiting.length, 1)
  assert.ok(waiting[0]?.type === 'person' && waiting[0].reply === undefined)
  const [answered] = storyOf(
    told(open, { type: 'request-close', ...place(1), request: 'r', reply: { choice: 'once' } }),
  )
  assert.equal(answered?.title, 'A person answered.')
})

test('a failed model call, an unknown note and a message of the runtime are told in words', () => {
  const story = storyOf(
    told(
      asked(0, 'a/small'),
      {
        type: 'step-end',
        ...place(0),
        seen: {
          type: 'refused',
          by: 'budget',
          limit: 'money',
          message: 'the call could cost $2, and $1 is left',
        },
      },
      note(1, 'some-new-stage', { level: 'warning', payload: { a: 1 } }),
      { type: 'log', level: 'error', message: 'the store is full' },
    ),
  )
  assert.deepEqual(
    story.map(({ title, tone }) => [title, tone]),
    [
      ['It was refused: the call could cost $2, and $1 is left.', 'bad'],
      ['Some new stage.', 'bad'],
      ['The store is full.', 'bad'],
    ],
  )
})
