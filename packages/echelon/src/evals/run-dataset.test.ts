import assert from 'node:assert/strict'
import test from 'node:test'
import type { CaseOptions } from '../agents/decide/case/case-options.ts'
import type { CaseResult } from '../agents/decide/case/case-result.ts'
import type { LogEntry } from '../agents/decide/case/log.ts'
import { EchelonError } from '../core/value/error.ts'
import type { ProblemCode } from '../core/model/problem.ts'
import { plannedRuns, runDataset } from './run-dataset.ts'
import { asked } from './trial.ts'

const rung = { model: 'a/small', llm_calls: 1, prompt_tokens: 1, completion_tokens: 1, cost: 0.01 }

const result = (given: Partial<CaseResult> = {}): CaseResult => ({
  run_id: 'run-1',
  answer: '1',
  checked: 'verified',
  verified: true,
  finish_reason: 'success',
  limit: null,
  explanation: 'Verified.',
  problem: null,
  logs: [],
  artifacts: {},
  counters: { llm_calls_small: 1, llm_calls_big: 0, tool_calls: 1, act_steps: 1 },
  token_usage: { small_model: rung, big_model: rung, total_tokens: 4 },
  cost: 0.01,
  rungs: [rung],
  confidence: null,
  opinions: [],
  ...given,
})

const entry = (given: Partial<LogEntry>): LogEntry => ({
  kind: 'log',
  ts: '2026-11-22T00:00:00.000Z',
  run_id: 'run-1',
  task_id: 'task-1',
  step_id: 'step-1',
  parent_step_id: null,
  tier: 'small',
  step_type: 'H_plan',
  rung: 'small',
  ...given,
})

const options = { mode: 'hrm_small_then_escalate', repeat: 1, concurrency: 1 } as const
const clock = { now: () => 0 }

test('[DD-24] runs easy cases once more in fallback_only, after all others', () => {
  const cases = [asked('a'), asked('b', { easy: false }), asked('r', { expect: 'refused' })]
  const runs = plannedRuns(cases, { mode: 'hrm_small_then_escalate', repeat: 2 })
  assert.deepEqual(
    runs.map(({ asked: { id }, mode, round, purpose }) => `${id} ${round} ${mode} ${purpose}`),
    [
      'a 1 hrm_small_then_escalate success',
      'b 1 hrm_small_then_escalate success',
      'r 1 hrm_small_then_escalate success',
      'a 2 hrm_small_then_escalate success',
      'b 2 hrm_small_then_escalate success',
      'r 2 hrm_small_then_escalate success',
      'a 1 fallback_only latency',
    ],
  )
})

test('[R16.2] passes a case’s options to its run, with a separate seed per round', async () => {
  const received: (readonly [string, CaseOptions])[] = []
  const given = asked('a', { easy: false, today: '2025-09-08', timezone: 'Asia/Bangkok' })
  await runDataset([given], {
    ...options,
    repeat: 2,
    clock,
    async decide(input, { signal, ...more }) {
      assert.ok(signal instanceof AbortSignal)
      received.push([input, more])
      return result()
    },
  })
  const says = {
    mode: 'hrm_small_then_escalate',
    expectedTools: ['calculator'],
    goldAnswer: '1',
    today: '2025-09-08',
    timeZone: 'Asia/Bangkok',
  }
  assert.deepEqual(received, [
    ['input of a', { ...says, seed: 1 }],
    ['input of a', { ...says, seed: 2 }],
  ])
})

test('runs as many cases at once as configured, and latency runs one at a time', async () => {
  let running = 0
  const most: Record<string, number> = {}
  await runDataset(
    Array.from({ length: 12 }, (_, index) => asked(`c-${index}`)),
    {
      ...options,
      concurrency: 4,
      clock,
      async decide(_, { mode = '' }) {
        most[mode] = Math.max(most[mode] ?? 0, ++running)
        await new Promise((resolve) => setImmediate(resolve))
        running--
        return result()
      },
    },
  )
  assert.deepEqual(most, { hrm_small_then_escalate: 4, fallback_only: 1 })
})

test('measures the seconds between request and result', async () => {
  let now = 0
  const { cases } = await runDataset([asked('a', { easy: false })], {
    ...options,
    clock: { now: () => now },
    decide: async () => ((now += 1500), result()),
  })
  assert.equal(cases[0]?.runs[0]?.seconds, 1.5)
})

test('keeps the results of an interrupted evaluation and marks it incomplete', async () => {
  const controller = new AbortController()
  let calls = 0
  const run = await runDataset([asked('a'), asked('b'), asked('c')], {
    ...options,
    clock,
    signal: controller.signal,
    async decide(_, { signal }) {
      if (++calls === 2) controller.abort()
      return result(signal?.aborted === true ? { finish_reason: 'canceled' } : {})
    },
  })
  assert.deepEqual(
    run.cases.map(({ runs }) => runs.length),
    [1, 0, 0],
  )
  assert.equal(run.stoppedBy, 'interrupt')
})

test('starts no run after the cost limit', async () => {
  let calls = 0
  const run = await runDataset(
    Array.from({ length: 9 }, (_, index) => asked(`c-${index}`)),
    { ...options, clock, stopAtCost: 0.025, decide: async () => (calls++, result()) },
  )
  assert.deepEqual([calls, run.stoppedBy], [3, 'cost'])
})

test('starts no run after one of unknown cost if there is a cost limit', async () => {
  const cases = Array.from({ length: 9 }, (_, index) => asked(`c-${index}`))
  const decide = async (): Promise<CaseResult> => result({ cost: null })
  const limited = await runDataset(cases, { ...options, clock, stopAtCost: 5, decide })
  assert.deepEqual([limited.made, limited.stoppedBy], [1, 'unknown cost'])
  const free = await runDataset(cases, { ...options, clock, decide })
  assert.deepEqual([free.made, free.stoppedBy], [18, null])
})

test('ends with the reason on a wrong key, account or name', async () => {
  const cases = Array.from({ length: 9 }, (_, index) => asked(`c-${index}`))
  const failing = (code: ProblemCode): Partial<CaseResult> => ({
    answer: null,
    verified: false,
    finish_reason: 'big_fail',
    problem: { code, message: 'no', model: 'a/small', retryable: false, attempts: 1 },
  })
  for (const code of ['auth', 'quota', 'not-found'] as const) {
    let calls = 0
    const run = await runDataset(cases, {
      ...options,
      clock,
      async decide() {
        calls++
        return result(calls === 3 ? failing(code) : {})
      },
    })
    assert.deepEqual([calls, run.made, run.stoppedBy], [3, 2, 'model'])
    assert.match(run.stoppedSince ?? '', /^a\/small: .+; (?:set|add|check) /)
  }
  const down = async (): Promise<CaseResult> => result(failing('unavailable'))
  const run = await runDataset(cases, { ...options, clock, decide: down })
  assert.deepEqual([run.made, run.stoppedBy, run.stoppedSince], [18, null, undefined])
})

test('[DD-8] withholds answers from the run but judges it by them', async () => {
  const golds: unknown[] = []
  const { cases } = await runDataset([asked('a', { easy: false, gold_answer: '2.50' })], {
    ...options,
    repeat: 2,
    clock,
    withoutGold: true,
    async decide(_, { goldAnswer }) {
      golds.push(goldAnswer)
      return result({ answer: golds.length === 1 ? '2.5' : '3' })
    },
  })
  assert.deepEqual(golds, [null, null])
  assert.deepEqual(
    cases[0]?.runs.map(({ success, wrong_accept: wrong }) => [success, wrong]),
    [
      [true, false],
      [false, true],
    ],
  )
})

test('a run ends verified, escalated, not checked, not verified or without an answer', async () => {
  const big = { llm_calls_small: 1, llm_calls_big: 1, tool_calls: 1, act_steps: 2 }
  const open = { verified: false, finish_reason: 'big_fail' } as const
  const [math, unread] = ['What is 1 + 1?', 'Who is right?']
  for (const [input, gold_answer, withoutGold, given, expected] of [
    [math, '3', true, {}, ['verified', true]],
    [math, '2', true, {}, ['verified', false]],
    [math, '3', true, { counters: big }, ['escalated', true]],
    [math, '3', true, open, ['not_verified', true]],
    [unread, '3', true, open, ['not_checked', true]],
    [unread, '2', true, open, ['not_checked', false]],
    // Any question with a known answer can be checked.
    [unread, '2', false, open, ['not_verified', false]],
    [unread, null, false, open, ['not_checked', null]],
    [unread, '3', true, { ...open, answer: null }, ['no_answer', false]],
  ] as const) {
    const { cases } = await runDataset([asked('a', { input, gold_answer, easy: false })], {
      ...options,
      clock,
      withoutGold,
      canCheck: (question) => question === math,
      decide: async () => result({ answer: '3', ...given }),
    })
    const [run] = cases[0]?.runs ?? []
    assert.deepEqual([run?.outcome, run?.right], expected, JSON.stringify([input, gold_answer]))
  }
})

test('[R12.2, R20.5] a record contains the figures of its result', async () => {
  const { cases } = await runDataset([asked('a', { easy: false })], {
    ...options,
    clock,
    decide: async () =>
      result({
        counters: { llm_calls_small: 3, llm_calls_big: 2, tool_calls: 4, act_steps: 5 },
        logs: [entry({ event: 'plan_schema_error' })],
        rungs: [rung, { ...rung, model: 'a/big' }],
        cost: 0.5,
      }),
  })
  assert.deepEqual(cases[0]?.runs[0], {
    run_id: 'run-1',
    mode: 'hrm_small_then_escalate',
    success: true,
    wrong_accept: false,
    outcome: 'escalated',
    right: true,
    finish_reason: 'success',
    checked: 'verified',
    answered: true,
    escalated: true,
    seconds: 0,
    cost: 0.5,
    plan_schema_errors: 1,
    llm_calls_small: 3,
    llm_calls_big: 2,
    tool_calls: 4,
    rungs: [rung, { ...rung, model: 'a/big' }],
  })
})

test('ends with the name of a case that cannot be started', async () => {
  const decide = (): Promise<CaseResult> =>
    Promise.reject(new EchelonError('INVALID_INPUT', 'there is no tool abacus'))
  const running = runDataset([asked('a-7')], { ...options, clock, decide })
  await assert.rejects(running, /^EchelonError: case a-7: there is no tool abacus$/)
  let calls = 0
  const many = runDataset(
    [asked('bad'), ...Array.from({ length: 30 }, (_, i) => asked(`c-${i}`))],
    {
      ...options,
      concurrency: 2,
      clock,
      async decide(input) {
        if (input.includes('bad')) throw new EchelonError('INVALID_INPUT', 'no')
        await new Promise((resolve) => setImmediate(resolve))
        calls++
        return result()
      },
    },
  )
  await assert.rejects(many)
  await new Promise((resolve) => setTimeout(resolve, 20))
  assert.ok(calls <= 2, `${calls} runs were made after it`)
})

const REFUSALS: readonly (readonly [string, boolean, Partial<CaseResult>])[] = [
  ['every model declined', true, { logs: [entry({ event: 'declined' })] }],
  [
    'a tool found its arguments invalid',
    true,
    { logs: [entry({ step_type: 'L_exec', error_code: 'INVALID_ARGS' })] },
  ],
  [
    'one of two models declined',
    false,
    { logs: [entry({ event: 'declined' })], rungs: [rung, rung] },
  ],
  [
    'the only model that was asked declined',
    true,
    { logs: [entry({ event: 'declined' })], rungs: [rung, { ...rung, llm_calls: 0 }] },
  ],
  ['a model was down', false, { logs: [entry({ event: 'model_failed' })] }],
  [
    'a tool found its arguments invalid before a model was down',
    false,
    { logs: [entry({ error_code: 'INVALID_ARGS' }), entry({ event: 'model_failed' })] },
  ],
  ['a limit was reached', false, { limit: 'seconds', logs: [entry({ event: 'declined' })] }],
  ['there is an answer', false, { answer: '7', logs: [entry({ event: 'declined' })] }],
  ['it is verified', false, { verified: true, logs: [entry({ event: 'declined' })] }],
]

for (const [what, success, given] of REFUSALS) {
  test(`[DD-14] to be refused, and ${what}: ${success ? 'right' : 'wrong'}`, async () => {
    const { cases } = await runDataset([asked('r', { expect: 'refused', easy: false })], {
      ...options,
      clock,
      decide: async () =>
        result({ answer: null, verified: false, finish_reason: 'big_fail', ...given }),
    })
    assert.equal(cases[0]?.runs[0]?.success, success)
  })
}

test('[R14.2] passes a run’s log to its trace as it is written, and its end', async () => {
  const received: unknown[] = []
  await runDataset([asked('a', { easy: false })], {
    ...options,
    clock,
    traceOf: ({ asked: { id }, round }) => ({
      write: ({ event }) => received.push([id, round, event]),
      end: ({ success, plan_schema_errors: errors }) => received.push([id, success, errors]),
    }),
    async decide(_, { onLog }) {
      const logs = [entry({ event: 'plan_schema_error' }), entry({ event: 'plan' })]
      for (const each of logs) onLog?.(each)
      return result({ logs })
    },
  })
  assert.deepEqual(received, [
    ['a', 1, 'plan_schema_error'],
    ['a', 1, 'plan'],
    ['a', true, 1],
  ])
})
