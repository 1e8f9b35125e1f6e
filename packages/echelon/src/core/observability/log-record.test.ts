import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RunEvent } from '../agent/event.ts'
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
