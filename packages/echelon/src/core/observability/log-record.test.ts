import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RunEvent } from '../agent/event.ts'
import type { Observation } from '../agent/observation.ts'
import type { LogRecord } from './log.ts'
import { logRecordOf } from './log-record.ts'
import type { Problem } from '../model/problem.ts'

/** A user's text, also in the form that a model might use for a name. */
const SAID = 'the lamp is at 7 Rose Yard'

const at = { path: '', seq: 1 } as const
const problem: Problem = { code: 'unknown', message: SAID, retryable: true, attempts: 1 }
const call = { id: SAID, tool: SAID, input: { code: 'hunter2', to: SAID } }
const usage = { input: 1, output: 2 }

/** Each kind of event, with text wherever a model, a tool, a provider or a user can put some. */
const WORDY: readonly RunEvent[] = [
  { ...at, type: 'step-start', effect: 'call-tools', actor: 'agent', targets: [SAID] },
  {
    ...at,
    type: 'step-end',
    seen: {
      type: 'generated',
      text: SAID,
      calls: [call],
      finish: 'tools',
      model: 'a/b',
      usage,
      cost: 1,
    },
  },
  { ...at, type: 'step-end', seen: { type: 'failed', error: problem } },
  { ...at, type: 'step-end', seen: { type: 'heard', text: SAID } },
  {
    ...at,
    type: 'step-end',
    seen: { type: 'tools-called', outcomes: [{ type: 'denied', reason: SAID }] },
  },
  { ...at, type: 'note', id: 'n', at: 0, note: { stage: 'L_exec', data: { args: call.input } } },
  {
    ...at,
    type: 'note',
    id: 'n',
    at: 0,
    note: { stage: 'verify', data: { event: SAID, [SAID]: 1 } },
  },
  { ...at, type: 'retry-wait', problem, waitMs: 1 },
  { ...at, type: 'model-warning', message: `left out: ${SAID}` },
  { ...at, type: 'tool-end', call, outcome: { type: 'ok', value: SAID } },
  { ...at, type: 'tool-end', call, outcome: { type: 'error', code: 'TOOL_ERROR', message: SAID } },
  {
    ...at,
    type: 'request-open',
    request: 'r1',
    about: { type: 'approval', tool: SAID, call: SAID, input: SAID, why: SAID },
  },
  { ...at, type: 'request-open', request: 'r1', about: { type: 'question', text: SAID } },
  { ...at, type: 'request-close', request: 'r1', reply: SAID },
  { type: 'middleware', middleware: 'own', event: 'told', data: { message: SAID, reason: SAID } },
  { type: 'middleware', middleware: 'own', event: 'told', data: SAID },
  { type: 'log', level: 'warning', message: 'a listener threw', detail: SAID },
  { type: 'run-end', status: 'finished', reason: SAID, spent: { steps: 1 } },
]

const recordsOf = (content: boolean): readonly (LogRecord | undefined)[] =>
  WORDY.map((event) => logRecordOf(event, content))

test('[C-24] a record contains no text of users, models, tools or providers', () => {
  for (const record of recordsOf(false)) {
    assert.ok(record)
    assert.doesNotMatch(JSON.stringify(record), /lamp|Rose|hunter2/)
  }
})

test('[C-24] with the option content it does', () => {
  const said = recordsOf(true).filter((record) => /lamp|hunter2/.test(JSON.stringify(record)))
  // All except events with names only, and requests, which are addressed to the user.
  assert.equal(said.length, WORDY.length - 4)
})

const CHANGED: RunEvent = {
  type: 'schema-changed',
  isUpgrade: false,
  before: 'a@1',
  now: 'a@2',
  migrated: [{ key: 'a', from: 1, to: 2 }],
}

test('[C-24] what the agent decided and what went wrong has a record, of this name and level', () => {
  const seen = (one: Observation): RunEvent => ({ ...at, type: 'step-end', seen: one })
  const rows: readonly (readonly [RunEvent, event: string, level: LogRecord['level']])[] = [
    [{ type: 'run-start', runId: 'r1', agent: 'decide' }, 'run.start', 'info'],
    [{ ...at, type: 'run-suspended', requests: ['r1'], wakeAt: null }, 'run.suspend', 'info'],
    [{ type: 'model-switch', path: '', role: 'main', model: 'a/b' }, 'model.switch', 'info'],
    [CHANGED, 'states.change', 'warning'],
    [{ ...at, type: 'text-drop' }, 'text.drop', 'warning'],
    [{ ...at, type: 'request-close', request: 'r1', reply: null }, 'request.close', 'info'],
    [seen({ type: 'refused', by: 'budget', limit: 'usd', message: 'm' }), 'model.end', 'warning'],
    [seen({ type: 'canceled', by: 'user' }), 'run.cancel', 'info'],
  ]
  for (const [event, name, level] of rows) {
    const record = logRecordOf(event, false)
    assert.equal(record?.event, name)
    assert.equal(record.level, level)
  }
})

test('[C-24] what only repeats or shows progress has no record', () => {
  const quiet: readonly RunEvent[] = [
    { ...at, type: 'text-delta', delta: 'a' },
    { ...at, type: 'said', text: 'a' },
    { ...at, type: 'tool-start', call },
    { ...at, type: 'tool-progress', call: 'c', data: 1 },
    ...(
      [
        { type: 'answered', reply: SAID },
        { type: 'unanswered' },
        { type: 'said' },
        { type: 'woke' },
        { type: 'recalled', value: SAID, version: 1 },
        { type: 'remembered', version: 1 },
        { type: 'together', observations: [] },
        { type: 'tools-called', outcomes: [{ type: 'ok', value: 1 }] },
      ] satisfies readonly Observation[]
    ).map((one): RunEvent => ({ ...at, type: 'step-end', seen: one })),
  ]
  for (const event of quiet) assert.equal(logRecordOf(event, true), undefined)
})
