import type { CaseRunRecord } from './case-run-record.ts'
import type { EvalCase } from './dataset.ts'
import { type EvaluationFacts, type Metrics, metricsOf } from './metrics.ts'
import type { CaseRuns, DatasetRun } from './run-dataset.ts'

/** Sample evaluations for tests. */
export const asked = (id: string, given: Partial<EvalCase> = {}): EvalCase => ({
  id,
  input: `input of ${id}`,
  expected_tools: ['calculator'],
  gold_answer: '1',
  expect: 'answered',
  category: 'arithmetic',
  easy: true,
  today: null,
  timezone: null,
  ...given,
})

export const record = (given: Partial<CaseRunRecord> = {}): CaseRunRecord => ({
  run_id: 'run-1',
  mode: 'hrm_small_then_escalate',
  success: true,
  wrong_accept: false,
  outcome: 'verified',
  right: true,
  finish_reason: 'success',
  checked: 'verified',
  answered: true,
  escalated: false,
  seconds: 0.5,
  cost: 0.001,
  plan_schema_errors: 0,
  llm_calls_small: 1,
  llm_calls_big: 0,
  tool_calls: 1,
  rungs: [
    { model: 'a/small', llm_calls: 1, prompt_tokens: 100, completion_tokens: 20, cost: 0.001 },
    { model: 'a/big', llm_calls: 0, prompt_tokens: 0, completion_tokens: 0, cost: 0 },
  ],
  ...given,
})

export const facts: EvaluationFacts = {
  created: '2026-11-22T00:00:00.000Z',
  dataset: { name: 'trial.json', sha256: 'abc', cases: 0 },
  models: ['a/small', 'a/big'],
  mode: 'hrm_small_then_escalate',
  repeat: 1,
  concurrency: 1,
  gold: 'given',
  machine: { cpu: 'one', cores: 2, node: '24' },
}

/** A case with one run, also measured for latency. */
export const once = (id: string, given: Partial<CaseRunRecord> = {}): CaseRuns => ({
  asked: asked(id),
  runs: [record(given)],
  latencyRuns: [record(given)],
})

export const evaluation = (
  cases: readonly CaseRuns[],
  { stoppedBy = null, ...given }: Partial<EvaluationFacts & Pick<DatasetRun, 'stoppedBy'>> = {},
): Metrics => {
  const dataset = { ...facts.dataset, cases: cases.length }
  const made = cases.flatMap(({ runs, latencyRuns }) => [...runs, ...latencyRuns]).length
  return metricsOf(
    { cases, made, planned: stoppedBy === null ? made : made + 1, stoppedBy },
    { ...facts, dataset, ...given },
  )
}

/** This many cases, of which the first `some` are as given. */
export const mixed = (
  total: number,
  some: number,
  given: Partial<CaseRunRecord>,
): readonly CaseRuns[] =>
  Array.from({ length: total }, (_, index) => once(`c-${index}`, index < some ? given : {}))
