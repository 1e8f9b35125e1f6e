import assert from 'node:assert/strict'
import test from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import type { LogEntry } from 'echelon/decide'
import { describeEntry, errorIn } from './show-case.ts'

const entry = (fields: Partial<LogEntry>): LogEntry => ({
  kind: 'log',
  ts: '2025-09-08T00:00:00.000+00:00',
  run_id: 'r',
  task_id: 't',
  step_id: 'r:0.0',
  parent_step_id: null,
  tier: 'small',
  step_type: 'H_plan',
  rung: 'small',
  ...fields,
})

const shown = (fields: Partial<LogEntry>): string | undefined => {
  const line = describeEntry(entry(fields))
  return line === undefined ? undefined : stripVTControlCharacters(line)
}

test('formats a plan, a decline and an invalid plan', () => {
  const model = 'offline/small'
  assert.equal(
    shown({ event: 'plan', model, output_summary: 'calculator' }),
    'plan     offline/small: calculator',
  )
  assert.equal(
    shown({ event: 'declined', model, output_summary: 'no idea' }),
    'plan     offline/small declines',
  )
  assert.equal(
    shown({ event: 'plan_schema_error', model, details: { error: 'there is no JSON' } }),
    'plan     offline/small returned no plan: there is no JSON',
  )
  assert.equal(
    shown({ event: 'model_failed', model, output_summary: 'Incorrect API key provided' }),
    'plan     offline/small: Incorrect API key provided',
  )
})

test('a model warning is one line', () => {
  const said = 'temperature: not supported for reasoning models'
  assert.equal(
    shown({ event: 'model_warning', model: 'openai/gpt-5', output_summary: said }),
    `warning  openai/gpt-5: ${said}`,
  )
})

test('shows results without braces and errors as sentences, and cuts long ones', () => {
  const run = (output_summary: string): string | undefined =>
    shown({ step_type: 'L_exec', tool: 'calculator', args: { expr: '1' }, output_summary })
  assert.match(run('{"value":"345","kind":"data"}') ?? '', /→ 345$/)
  assert.match(run('{"error":"say it clearly","code":"INVALID_ARGS"}') ?? '', /→ say it clearly$/)
  assert.ok((run(`{"value":"${'7'.repeat(400)}"`) ?? '').length < 200)
})

test('an error that is on the screen is not repeated', () => {
  const error = 'it divides by zero'
  const ran = entry({ step_type: 'L_exec', output_summary: JSON.stringify({ error }) })
  assert.equal(errorIn(ran), error)
  assert.equal(errorIn(entry({ step_type: 'verify', output_summary: error })), undefined)
  const after = (fields: Partial<LogEntry>): string =>
    stripVTControlCharacters(
      describeEntry(entry({ ...fields, output_summary: error }), error) ?? '',
    )
  assert.equal(after({ step_type: 'verify' }), 'verify   ✗ nothing to check')
  assert.equal(after({ step_type: 'act', decision: 'stop' }), 'gate     stop')
})

test('model output cannot control the terminal or break the line', () => {
  const line = describeEntry(
    entry({ event: 'model_failed', output_summary: 'a\u001b]0;title\u0007\u001b[2Jb\r\nc' }),
  )
  assert.ok(line !== undefined)
  assert.doesNotMatch(stripVTControlCharacters(line), /\p{Cc}/u)
  assert.ok(!line.includes('\u001b[2J') && !line.includes('\u001b]0;'))
})

test('an escalation is one line, not two', () => {
  assert.equal(shown({ step_type: 'act', decision: 'escalate' }), undefined)
  assert.equal(
    shown({
      step_type: 'escalate',
      event: 'escalate_to_big',
      output_summary: 'declined',
      details: { to: 'x/y' },
    }),
    'escalate ▲ to x/y: declined',
  )
})
