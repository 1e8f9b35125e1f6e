import assert from 'node:assert/strict'
import test from 'node:test'
import { CaseLog } from './case-log.ts'

const options = { runId: 'run-1', taskId: 'task-1', timeZone: 'UTC', now: () => 0 }

test('[R4.2, R7.1] a runtime retry that the agent does not see is logged with its reason and wait', () => {
  const log = new CaseLog(options)
  const place = { path: '', seq: 0 }
  log.hear({ ...place, type: 'step-start', effect: 'generate', actor: 'planner', targets: [] })
  const problem = { code: 'unavailable', message: 'down', retryable: true, attempts: 1 } as const
  log.hear({ ...place, type: 'retry-wait', problem, waitMs: 512.4 })
  assert.equal(log.entries.length, 1)
  assert.deepEqual(log.entries[0], {
    kind: 'log',
    ts: '1970-01-01T00:00:00.000+00:00',
    run_id: 'run-1',
    task_id: 'task-1',
    step_id: 'run-1:0.retry1',
    parent_step_id: null,
    tier: 'small',
    rung: 'small',
    step_type: 'H_plan',
    event: 'retry',
    error_code: 'UNAVAILABLE',
    output_summary: 'down',
    details: { attempts: 1, wait_ms: 512 },
  })
})

test('[R7.1] a retry is logged under the current rung, with its model and prompt', () => {
  const log = new CaseLog({ ...options, metadata: { mode: 'fallback_only' } })
  const problem = { code: 'timeout', message: 'late', retryable: true, attempts: 1 } as const
  const asked = { path: '', type: 'step-start', effect: 'generate', actor: 'planner' } as const
  for (const [seq, role] of ['small', 'rung2', 'big'].entries()) {
    log.hear({ ...asked, seq, targets: [], role, prompt: `p${seq}` })
    log.hear({ path: '', seq, type: 'retry-wait', problem, waitMs: 1 })
  }
  assert.deepEqual(
    log.entries.map(({ tier, rung, prompt_id, metadata }) => [tier, rung, prompt_id, metadata]),
    [
      ['small', 'small', 'p0', { mode: 'fallback_only' }],
      ['big', 'rung2', 'p1', { mode: 'fallback_only' }],
      ['big', 'big', 'p2', { mode: 'fallback_only' }],
    ],
  )
})

test("a model's warning is logged once per model", () => {
  const log = new CaseLog(options)
  const asked = { path: '', type: 'step-start', effect: 'generate', actor: 'planner' } as const
  for (const [seq, model] of ['a/small', 'a/small', 'a/big'].entries()) {
    log.hear({ ...asked, seq, targets: [model], role: model.slice(2) })
    for (const message of ['seed: unsupported', 'topP: unsupported']) {
      log.hear({ path: '', seq, type: 'model-warning', message })
    }
  }
  assert.deepEqual(
    log.entries.map((entry) => [entry.step_id, entry.event, entry.model, entry.output_summary]),
    [
      ['run-1:0.warning1', 'model_warning', 'a/small', 'seed: unsupported'],
      ['run-1:0.warning2', 'model_warning', 'a/small', 'topP: unsupported'],
      ['run-1:2.warning3', 'model_warning', 'a/big', 'seed: unsupported'],
      ['run-1:2.warning4', 'model_warning', 'a/big', 'topP: unsupported'],
    ],
  )
  assert.deepEqual(log.entries.map(({ tier }) => tier).slice(1, 3), ['small', 'big'])
})

test('[R14.1] entries after a plan name it as their parent, and every entry reaches the sink', () => {
  const heard: string[] = []
  const log = new CaseLog({ ...options, sink: ({ step_id }) => heard.push(step_id) })
  for (const [index, stage] of ['H_plan', 'L_exec', 'verify', 'H_plan', 'act'].entries()) {
    const note = { stage, data: { tier: 'small', rung: 'small' } }
    log.hear({ path: '', type: 'note', seq: index, id: `run-1:${index}.0`, at: index, note })
  }
  log.hear({ path: '', type: 'said', seq: 9, text: 'not for the log' })
  assert.deepEqual(
    log.entries.map(({ parent_step_id }) => parent_step_id),
    [null, 'run-1:0.0', 'run-1:0.0', null, 'run-1:3.0'],
  )
  assert.deepEqual(heard, ['run-1:0.0', 'run-1:1.0', 'run-1:2.0', 'run-1:3.0', 'run-1:4.0'])
})
