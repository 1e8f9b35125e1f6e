import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { z } from 'zod'
import {
  defineTool,
  type Tool,
  TOOL_ERRORS,
  ToolError,
} from '../../packages/echelon/src/core/tool/tool.ts'
import { type LogEntry, STEP_TYPES } from '../../packages/echelon/src/agents/decide/case/log.ts'
import { apiError } from '../../packages/echelon/src/testing/scripted-model.ts'
import {
  calc,
  MATH_TASK,
  planOf,
  scripted,
  type Scripts,
  STOCK_TASK,
  stockPlan,
  TOOLS,
  toolsWith,
} from './fixtures.ts'

const RIGHT = planOf(calc('15 * 23'))
const WRONG = planOf(calc('15 + 23'))

/** A case that fails in every way before it succeeds. */
const EVENTFUL: Scripts = {
  small: [planOf({ tool: 'rm', args: {} }, calc('fifteen'), calc('$2.value')), 'no plan', WRONG],
  big: [{ error: apiError(400, { message: 'the request is odd' }) }, RIGHT],
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
  test('[R7.1, R14.1] holds every step, in order', async () => {
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

  test('[DD-7] writes events in lower case and error codes in upper case', async () => {
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
      'INVALID_REQUEST',
    ])
    const ofTools = logs.filter(({ step_type }) => step_type === 'L_exec')
    for (const { error_code } of ofTools) {
      assert.ok(error_code === undefined || Object.hasOwn(TOOL_ERRORS, error_code))
    }
  })

  test('[R19.4] holds tokens, tool, arguments, result, metric and decision', async () => {
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

  test('[DD-11] names the prompt of each plan, and the same prompt by the same name', async () => {
    const { logs } = await eventful()
    const again = await eventful()
    const plans = logs.filter(({ step_type }) => step_type === 'H_plan')
    const ids = plans.flatMap(({ prompt_id }) => prompt_id ?? [])
    // Also for a model that failed and an answer that was not a plan.
    assert.deepEqual(
      plans.map(({ event }) => event),
      ['plan', 'plan_schema_error', 'plan', 'model_failed', 'plan'],
    )
    assert.equal(ids.length, plans.length)
    assert.equal(new Set(ids).size, ids.length)
    assert.ok(logs.every(({ step_type, prompt_id }) => step_type === 'H_plan' || !prompt_id))
    const heard = again.logs.flatMap(({ prompt_id }) => prompt_id ?? [])
    assert.deepEqual(heard, ids)
  })

  test("[DD-11] holds mode, round and the rung's model with each step", async () => {
    const { logs } = await eventful()
    const told = new Set(logs.map(({ metadata }) => JSON.stringify(metadata)))
    const mode = 'hrm_small_then_escalate'
    const expected = ['offline/small', 'offline/big'].flatMap((rung_model) =>
      [0, 1, 2].map((round) => JSON.stringify({ mode, rung_model, round })),
    )
    assert.deepEqual([...told], expected)
  })

  test('[R7.2] counts each model call under its tier, failed ones too', async () => {
    const { decider, small, big } = scripted(EVENTFUL)
    const { counters } = await decider.runCase(MATH_TASK)
    assert.deepEqual([small.calls.length, big.calls.length], [3, 2])
    assert.deepEqual([counters.llm_calls_small, counters.llm_calls_big], [3, 2])
  })

  test('[R7.3] counts each tool call made, and no skipped one', async () => {
    const made: string[] = []
    const counting = TOOLS.map((tool) => ({
      ...tool,
      run: (...given: Parameters<typeof tool.run>) => {
        made.push(tool.name)
        return tool.run(...given)
      },
    }))
    const checks = { budget: { max_checks: 0 } }
    const { decider } = scripted({ ...EVENTFUL, tools: counting, settings: checks })
    const { counters, logs } = await decider.runCase(MATH_TASK, { goldAnswer: '345' })
    assert.equal(counters.tool_calls, made.length)
    const skipped = logs.filter(
      ({ event }) => event === 'unknown_tool' || event === 'action_skipped',
    )
    assert.equal(logs.filter(({ tool }) => tool !== undefined).length - skipped.length, made.length)
    assert.ok(skipped.length === 2 && made.length === 3)
  })

  test('[R14.4, R19.5] holds the cause of every failure, with secrets hidden', async () => {
    const url = 'https://ann:hunter2@db.example.org/prices'
    const failing = (error: Error): readonly Tool[] =>
      toolsWith(
        defineTool({
          name: 'calculator',
          description: 'Fails.',
          input: z.record(z.string(), z.json()),
          run() {
            throw error
          },
        }),
      )
    const shownUrl = 'https://[redacted:credentials]@db.example.org/prices'
    const causes: readonly (readonly [scripts: Scripts, cause: string])[] = [
      [{ small: ['{"cannot":"it needs a map"}'] }, 'it needs a map'],
      [{ small: [`see ${url}`] }, `see ${shownUrl}`],
      [{ small: [{ error: apiError(401, { message: `no entry to ${url}` }) }] }, shownUrl],
      [{ small: [planOf(calc('1 + x'))] }, '1 + x is not arithmetic'],
      [{ small: [planOf({ tool: 'rm', args: {} })] }, 'UNKNOWN_TOOL'],
      [{ small: [WRONG] }, '"decision":"continue"'],
      [
        { small: [RIGHT], tools: failing(new Error(`no answer of ${url}`)) },
        `no answer of ${shownUrl}`,
      ],
      [{ small: [RIGHT], tools: failing(new ToolError('RATE_LIMIT', url)) }, 'RATE_LIMIT'],
      [{ small: [RIGHT], settings: { budget: { max_tool_calls: 0 } } }, 'the limit of tools'],
      [{ settings: { budget: { max_llm_calls_small: 0 } } }, 'the limit of calls.small'],
    ]
    for (const [scripts, cause] of causes) {
      const { decider } = scripted(scripts)
      const log = JSON.stringify((await decider.runOutcome(MATH_TASK)).logs)
      assert.ok(log.includes(cause), `${cause} is not in ${log}`)
      assert.doesNotMatch(log, /hunter2/)
    }
  })

  test('is not filled by a series', async () => {
    const { decider } = scripted({ small: [stockPlan()] })
    const { logs } = await decider.runCase(STOCK_TASK)
    for (const entry of logs) assert.ok(JSON.stringify(entry).length < 1500)
  })

  test('[R19.2] hides the fields that the settings name, except those they keep', async () => {
    const args = { patient: 'Ann', ward: 'seven', contact: 'ann@example.org' }
    const scripts = { small: [planOf({ tool: 'calculator', args }), RIGHT] }
    const telemetry = { redact_fields: ['patient', 'ward'], keep_fields: ['WARD', 'contact'] }
    const { logs } = await scripted({ ...scripts, settings: { telemetry } }).decider.runCase(
      MATH_TASK,
    )
    const shown = logs.flatMap((entry) => (entry.step_type === 'L_exec' ? [entry.args] : []))
    assert.deepEqual(shown[0], { ...args, patient: '[redacted]' })
  })

  test('[R19.2] hides secrets, unless the settings turn that off', async () => {
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
