import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type LogEntry, redactEntry, summarize, trimEdge } from './log.ts'

const ENTRY: LogEntry = {
  kind: 'log',
  ts: '2025-09-08T00:00:00.000+00:00',
  run_id: 'run-1',
  task_id: 'task-1',
  step_id: 'run-1:0.0',
  parent_step_id: null,
  step_type: 'L_exec',
  tier: 'small',
  rung: 'small',
  model: 'offline/small',
  token_usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  tool: 'lookup',
  args: { customer: 'Ann', list: [{ Customer: 'Bob', n: 1 }] },
  output_summary: '{"customer":"Ann","n":2}',
  metric: 1,
  decision: 'stop',
  details: { customer: 'Ann' },
  metadata: { mode: 'fallback_only' },
}

test('[DD-11] entries can redact further fields, at any depth and in JSON text', () => {
  const left = redactEntry(ENTRY, ['customer'])
  assert.deepEqual(left, {
    ...ENTRY,
    args: { customer: '[redacted]', list: [{ Customer: '[redacted]', n: 1 }] },
    output_summary: '{"customer":"[redacted]","n":2}',
    details: { customer: '[redacted]' },
  })
  assert.equal(JSON.stringify(ENTRY).includes('Ann'), true)
})

test('[DD-11] fields that cannot hold redacted text are left out, and entries stay correlated', () => {
  const every = Object.keys(ENTRY)
  const { token_usage: _t, metric: _m, decision: _d, details: _e, metadata: _a, ...rest } = ENTRY
  assert.deepEqual(redactEntry(ENTRY, every), {
    ...rest,
    model: '[redacted]',
    tool: '[redacted]',
    args: '[redacted]',
    output_summary: '[redacted]',
  })
  assert.deepEqual(redactEntry(ENTRY, []), ENTRY)
})

test('truncated text loses its edge, which may hold half a secret', () => {
  const whole = 'x'.repeat(4000)
  assert.equal(summarize(whole), whole)
  assert.equal(trimEdge(summarize(whole)), whole)
  const torn = trimEdge(summarize(`${'x'.repeat(3990)}ann@example.org`))
  assert.match(torn, /^x+\u2026$/)
  assert.equal(trimEdge('still working\u2026'), 'still working\u2026')
})
