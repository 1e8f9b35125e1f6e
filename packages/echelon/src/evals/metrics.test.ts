import assert from 'node:assert/strict'
import test from 'node:test'
import { metricsOf } from './metrics.ts'
import { readMetrics, writtenMetrics } from './metrics-file.ts'
import { asked, evaluation, facts, mixed, once, record } from './trial.ts'

test('[R7.5, R16.2, R16.4] reports success and the average use of models and tools', () => {
  const metrics = evaluation([
    once('a'),
    once('b', { llm_calls_small: 3, llm_calls_big: 1, tool_calls: 4, escalated: true }),
    once('c', { success: false }),
    once('d', { llm_calls_small: 2 }),
  ])
  assert.equal(metrics.success_rate.value, 0.75)
  assert.equal(metrics.escalation_rate.value, 0.25)
  assert.equal(metrics.avg_llm_small, 7 / 4)
  assert.equal(metrics.avg_llm_big, 1 / 4)
  assert.equal(metrics.avg_tool_calls, 7 / 4)
  assert.deepEqual(metrics.rungs[0], {
    model: 'a/small',
    llm_calls: 4,
    prompt_tokens: 400,
    completion_tokens: 80,
    cost: 0.004,
  })
})

test('[DD-14] counts a right refusal as success, and only ordinary cases for escalation and latency', () => {
  const refused = { asked: asked('r', { expect: 'refused', easy: false, category: 'hostile' }) }
  const slow = record({ escalated: true, seconds: 50 })
  const metrics = evaluation([once('a'), { ...refused, runs: [slow], latencyRuns: [] }])
  assert.equal(metrics.success_rate.value, 1)
  assert.equal(metrics.escalation_rate.value, 0)
  assert.deepEqual([metrics.escalation_rate.n, metrics.refusals.cases], [1, 1])
  assert.equal(metrics.refusals.right_rate.value, 1)
  assert.equal(metrics.latency.all_p95.value, 0.5)
  assert.equal(metrics.latency.easy_p95.value, 0.5)
  assert.equal(metrics.categories['hostile']?.escalation_rate.value, 1)
})

test('reports wrong accepts as a share of verified answers, not of all', () => {
  const wrong = { success: false, wrong_accept: true, right: false }
  const unverified = { success: false, outcome: 'not_checked', right: true } as const
  const { wrong_accept_rate: rate } = evaluation([
    ...mixed(4, 1, wrong),
    ...mixed(96, 96, unverified),
  ])
  assert.deepEqual([rate.value, rate.n], [0.25, 4])
  const none = evaluation(mixed(3, 3, unverified)).wrong_accept_rate
  assert.deepEqual([none.value, none.n], [null, 0])
})

test('[R16.4] reports share, right answers and costs of each outcome', () => {
  const [small] = record().rungs
  assert.ok(small)
  const { outcomes } = evaluation([
    once('a'),
    once('b', {
      success: false,
      outcome: 'not_checked',
      llm_calls_big: 2,
      cost: 0.01,
      seconds: 2,
      rungs: [small, { ...small, prompt_tokens: 1000, completion_tokens: 80 }],
    }),
    once('c', { success: false, outcome: 'not_checked', right: false, cost: 0.02, seconds: 4 }),
    once('d', { outcome: 'no_answer', right: null, cost: null }),
  ])
  assert.partialDeepStrictEqual(outcomes.not_checked, {
    runs: 2,
    share: { value: 0.5, n: 4 },
    right_rate: { value: 0.5, n: 2 },
    mean_llm_calls: 2,
    mean_tokens: (120 + 120 + 1080) / 2,
    mean_cost: 0.015,
    mean_seconds: 3,
  })
  assert.deepEqual(
    [outcomes.no_answer.mean_cost, outcomes.no_answer.right_rate.value],
    [null, null],
  )
  assert.deepEqual([outcomes.escalated.runs, outcomes.escalated.mean_seconds], [0, null])
  assert.equal(outcomes.verified.share.value, 0.25)
})

test('counts repeats in the rate, but not in the width of its interval', () => {
  const twice = [record(), record({ success: false })]
  const metrics = evaluation([
    { asked: asked('a'), runs: twice, latencyRuns: [] },
    { asked: asked('b'), runs: [record(), record()], latencyRuns: [] },
  ])
  assert.deepEqual([metrics.success_rate.value, metrics.success_rate.n], [0.75, 2])
  assert.equal(metrics.reliable_rate.value, 0.5)
  assert.deepEqual(
    metrics.cases.map(({ success }) => success),
    [false, true],
  )
})

test('[R20.5] reports an unknown cost if one price is unknown, and how often', () => {
  const { cost } = evaluation(mixed(10, 3, { cost: null }))
  assert.deepEqual([cost.total, cost.mean_per_case.value, cost.unpriced_runs], [null, null, 3])
  const known = evaluation(mixed(10, 0, {})).cost
  assert.ok(known.total !== null && Math.abs(known.total - 0.01) < 1e-12)
})

test('leaves cases that were not reached out of all rates', () => {
  const metrics = metricsOf(
    {
      cases: [once('a'), { asked: asked('b'), runs: [], latencyRuns: [] }],
      planned: 4,
      made: 2,
      stoppedBy: 'interrupt',
    },
    { ...facts, dataset: { ...facts.dataset, cases: 2 } },
  )
  assert.deepEqual(
    [metrics.stopped_by, metrics.cases.length, metrics.success_rate.n],
    ['interrupt', 1, 1],
  )
})

test('[R26.4] reads written metrics and rejects anything else', () => {
  const metrics = evaluation([once('a')])
  assert.deepEqual(readMetrics(writtenMetrics(metrics), 'm.json'), metrics)
  for (const text of [
    '',
    '{}',
    '[]',
    JSON.stringify({ ...metrics, version: 2 }),
    '{"kind":"metrics"}',
  ]) {
    assert.throws(
      () => readMetrics(text, 'm.json'),
      /^EchelonError: m\.json is not .*echelon eval$/,
    )
  }
})

test('[DD-28] metrics contain no user text', () => {
  const secret = asked('a', { input: 'my secret question', gold_answer: 'my secret answer' })
  const metrics = evaluation([{ asked: secret, runs: [record()], latencyRuns: [record()] }])
  assert.doesNotMatch(JSON.stringify(metrics), /my secret/)
})

test('pass^k is the chance that k runs of a case are all right', () => {
  const [right, wrong] = [record(), record({ success: false })]
  const cases = [
    { ...once('a'), runs: [right, right, right, wrong] },
    { ...once('b'), runs: [right, right, right, right] },
  ]
  const powers = evaluation(cases, { repeat: 4 }).pass_power ?? {}
  assert.deepEqual(
    Object.entries(powers).map(([k, { value, n }]) => [k, value, n]),
    [
      ['1', 0.875, 2],
      ['2', 0.75, 2],
      ['3', 0.625, 2],
      ['4', 0.5, 2],
    ],
  )
})
