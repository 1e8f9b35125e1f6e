import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { TOOL_ERRORS } from '../../src/core/tool.ts'
import { type LogEntry, STEP_TYPES } from '../../src/agents/decide/log.ts'
import { apiError } from '../../src/testing/scripted-model.ts'
import {
  calc,
  MATH_TASK,
  planOf,
  scripted,
  type Scripts,
  STOCK_TASK,
  stockPlan,
} from './fixtures.ts'

const RIGHT = planOf(calc('15 * 23'))
const WRONG = planOf(calc('15 + 23'))

/** A case that goes wrong in every way before it goes right. */
const EVENTFUL: Scripts = {
  small: [planOf({ tool: 'rm', args: {} }, calc('fifteen'), calc('$2.value')), 'no plan', WRONG],
  big: [{ error: apiError(401, { message: 'the key is wrong' }) }, RIGHT],
}

async function eventful(): Promise<{ readonly runId: string; readonly logs: readonly LogEntry[] }> {
  const heard: LogEntry[] = []
  const result = await scripted(EVENTFUL).decider.runCase(MATH_TASK, {
    taskId: 'task-1',
    onLog: (entry) => heard.push(entry),
  })
  assert.equal(result.verified, true)
  assert.deepEqual(heard, result.logs)
  return { runId: result.run_id, logs: result.logs }
}

suite('the log of a case', () => {
  test('[R7.1, R14.1] tells every step, in order', async () => {
    const { logs } = await eventful()
    assert.deepEqual(
      logs.map(({ step_type, tier, event }) => [step_type, tier, event].join(' ').trim()),
      [
        'H_plan small plan',
        'L_exec small unknown_tool',
        'L_exec small',
        'L_exec small action_skipped',
        'verify small not_verified',
        'act small',
        'H_plan small plan_schema_error',
        'H_plan small plan',
        'L_exec small',
        'verify small not_verified',
        'act small',
        'escalate small escalate_to_big',
        'H_plan big model_failed',
        'act big',
        'H_plan big plan',
        'L_exec big',
        'verify big verified',
        'act big',
      ],
    )
  })

  test('[R11.5] has an entry escalate_to_big for an escalation, and none without', async () => {
    const { logs } = await eventful()
    const [entry, ...more] = logs.filter(({ event }) => event === 'escalate_to_big')
    assert.deepEqual(more, [])
    assert.deepEqual(
      [entry?.step_type, entry?.output_summary, entry?.details],
      ['escalate', 'no progress in 2 rounds', { to: 'offline/big' }],
    )
    const easy = await scripted({ small: [RIGHT] }).decider.runCase(MATH_TASK)
    assert.ok(easy.logs.every(({ event }) => event !== 'escalate_to_big'))
  })

  test('[R14.5, R19.1, R22.2] gives each entry its time, run, task, step and tier', async () => {
    const { runId, logs } = await eventful()
    for (const entry of logs) {
      assert.equal(entry.kind, 'log')
      assert.match(entry.ts, /^2025-09-08T07:00:00\.\d{3}\+07:00$/)
      assert.deepEqual([entry.run_id, entry.task_id], [runId, 'task-1'])
      assert.ok(entry.step_id.startsWith(runId))
      assert.ok(STEP_TYPES.includes(entry.step_type))
      assert.ok(entry.tier === entry.rung && ['small', 'big'].includes(entry.tier))
    }
    assert.equal(new Set(logs.map(({ step_id }) => step_id)).size, logs.length)
  })

  test('makes a plan the parent of what follows it', async () => {
    const { logs } = await eventful()
    let plan: string | null = null
    for (const { step_type, step_id, parent_step_id } of logs) {
      if (step_type === 'H_plan') plan = step_id
      assert.equal(parent_step_id, step_type === 'H_plan' ? null : plan)
    }
  })

  test('[DD-7] writes events in lower case and codes of errors in upper case', async () => {
    const { logs } = await eventful()
    const events = logs.flatMap(({ event }) => event ?? [])
    const codes = logs.flatMap(({ error_code }) => error_code ?? [])
    for (const event of events) assert.match(event, /^[a-z]+(_[a-z]+)*$/)
    for (const code of codes) assert.match(code, /^[A-Z]+(_[A-Z]+)*$/)
    assert.deepEqual(codes, [
      'UNKNOWN_TOOL',
      'INVALID_ARGS',
      'INVALID_ARGS',
      'PLAN_SCHEMA_ERROR',
      'AUTH',
    ])
    const ofTools = logs.filter(({ step_type }) => step_type === 'L_exec')
    for (const { error_code } of ofTools) {
      assert.ok(error_code === undefined || Object.hasOwn(TOOL_ERRORS, error_code))
    }
  })

  test('[R19.4] tells tokens, tool, arguments, result, metric and decision', async () => {
    const { logs } = await eventful()
    const last = logs.slice(-4)
    const [plan, tool, verdict, act] = last
    assert.deepEqual(plan?.token_usage, {
      prompt_tokens: 10,
      completion_tokens: 5,
      total_tokens: 15,
    })
    assert.equal(plan?.model, 'scripted/big')
    assert.deepEqual(plan?.details, {
      actions: [
        {
          kind: 'action',
          tool: 'calculator',
          args: { expr: '15 * 23' },
          metadata: { number: 1 },
        },
      ],
    })
    assert.deepEqual([tool?.tool, tool?.args], ['calculator', { expr: '15 * 23' }])
    assert.equal(tool?.output_summary, '{"value":"345","kind":"data"}')
    assert.equal(verdict?.metric, 1)
    assert.deepEqual([act?.decision, act?.metric], ['stop', 1])
    const decisions = logs.flatMap(({ decision }) => decision ?? [])
    assert.deepEqual(decisions, ['continue', 'escalate', 'continue', 'stop'])
  })

  test('is not filled by a series', async () => {
    const { decider } = scripted({ small: [stockPlan()] })
    const { logs } = await decider.runCase(STOCK_TASK)
    for (const entry of logs) assert.ok(JSON.stringify(entry).length < 1500)
  })

  test('[R19.2] hides secrets in what it tells, and not where the settings say so', async () => {
    const secret = planOf({
      tool: 'calculator',
      args: { expr: '1', api_key: 'abc', to: 'a@b.org' },
    })
    const logOf = async (redact_pii: boolean): Promise<string> => {
      const scripts = { small: [secret, RIGHT], settings: { telemetry: { redact_pii } } }
      return JSON.stringify((await scripted(scripts).decider.runCase(MATH_TASK)).logs)
    }
    const [hidden, shown] = [await logOf(true), await logOf(false)]
    for (const text of ['abc', 'a@b.org']) {
      assert.ok(!hidden.includes(text) && shown.includes(text), text)
    }
  })
})
