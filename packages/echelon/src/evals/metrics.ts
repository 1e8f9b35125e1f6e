import { digestText } from '../core/value/digest.ts'
import type { CaseOutcome, CaseRunRecord } from './case-run-record.ts'
import { type Estimate, mean, quantile, share } from '../core/statistics/intervals.ts'
import { meanPassPower } from '../core/statistics/pass-k.ts'
import type { CaseRuns, DatasetRun } from './run-dataset.ts'

/**
 * The conditions of an evaluation. Two evaluations are compared only if the relevant ones match.
 */
export interface EvaluationFacts {
  /** ISO 8601. */
  readonly created: string
  readonly dataset: { readonly name: string; readonly sha256: string; readonly cases: number }
  /** Cheapest first. */
  readonly models: readonly string[]
  readonly mode: string
  readonly repeat: number
  readonly concurrency: number
  /** Whether verification used the known answers, or they were withheld from the runs. */
  readonly gold: 'given' | 'withheld'
  /** Latencies of different machines are not compared. */
  readonly machine: { readonly cpu: string; readonly cores: number; readonly node: string }
}

/** The figures of one category. */
export interface CategoryMetrics {
  readonly cases: number
  readonly success_rate: Estimate
  readonly escalation_rate: Estimate
}

/** The runs with one outcome. Means are per run, and null without runs. */
export interface OutcomeMetrics {
  readonly runs: number
  /** Share of all runs. */
  readonly share: Estimate
  /** Of the runs with a known answer: the share that gave it, verified or not. */
  readonly right_rate: Estimate
  readonly mean_llm_calls: number | null
  readonly mean_tokens: number | null
  /** US dollars; null also if a price is unknown. */
  readonly mean_cost: number | null
  readonly mean_seconds: number | null
}

/** The share of one model in the work. */
export interface RungMetrics {
  readonly model: string
  readonly llm_calls: number
  readonly prompt_tokens: number
  readonly completion_tokens: number
  /** US dollars; null if a price is unknown. */
  readonly cost: number | null
}

export interface CaseMetrics {
  readonly id: string
  /** Digest of question and right answer. A case with another digest is a different case. */
  readonly digest: number
  readonly category: string
  readonly expect: 'answered' | 'refused'
  /** Whether its latency is measured. */
  readonly easy: boolean
  /** Whether every run was right. */
  readonly success: boolean
  /** Tokens and cost of each model are in the trace. */
  readonly runs: readonly Omit<CaseRunRecord, 'rungs'>[]
  /** Null if the latency of the case was not measured. */
  readonly latency_seconds: number | null
}

/**
 * `metrics.json`: figures with 95 % intervals, comparable between evaluations, without user text.
 */
export interface Metrics extends EvaluationFacts {
  readonly kind: 'metrics'
  readonly version: 1
  readonly runs: { readonly planned: number; readonly made: number }
  /** Why some runs were not made; null if all were. */
  readonly stopped_by: DatasetRun['stoppedBy']
  /** success@1: the share of runs that were right, including correct refusals. */
  readonly success_rate: Estimate
  /** The share of cases whose every run was right. */
  readonly reliable_rate: Estimate
  /**
   * pass^k for k from 1 up to the runs of a case, at most 10: the chance that k runs of a case are all right, by
   * `k`. Absent in files of earlier releases.
   */
  readonly pass_power?: Readonly<Record<string, Estimate>>
  /** Of the runs of answerable cases: the share that asked a bigger model. */
  readonly escalation_rate: Estimate
  /** Share of model answers that were not valid plans. */
  readonly plan_schema_error_rate: Estimate
  /** Share of runs that ended with an unchecked answer. */
  readonly not_checked_rate: Estimate
  /** Share of verified answers that differ from the known one; null if none was verified. */
  readonly wrong_accept_rate: Estimate
  readonly refusals: { readonly cases: number; readonly right_rate: Estimate }
  /** Seconds from the question to the result. */
  readonly latency: {
    /** Easy cases in `fallback_only`, one at a time. */
    readonly easy_p50: Estimate
    readonly easy_p95: Estimate
    /** Share of these that were right, since a failure can be fast. */
    readonly easy_right_rate: Estimate
    /** Answerable cases, in the evaluation's mode and with its concurrency. */
    readonly all_p50: Estimate
    readonly all_p95: Estimate
  }
  /** US dollars; null if a price is unknown. The cost of latency runs is listed separately. */
  readonly cost: {
    readonly total: number | null
    readonly latency_runs: number | null
    readonly mean_per_case: Estimate
    /** Runs with an unknown price. */
    readonly unpriced_runs: number
  }
  /** The runs by outcome, with their mean costs and times. */
  readonly outcomes: Readonly<Record<CaseOutcome, OutcomeMetrics>>
  readonly avg_llm_small: number
  readonly avg_llm_big: number
  readonly avg_tool_calls: number
  readonly rungs: readonly RungMetrics[]
  readonly categories: Readonly<Record<string, CategoryMetrics>>
  readonly cases: readonly CaseMetrics[]
}

/** Computes the figures of an evaluation. */
export function metricsOf(ran: DatasetRun, facts: EvaluationFacts): Metrics {
  const { cases, planned, made, stoppedBy } = ran
  const tried = cases.filter(({ runs }) => runs.length > 0)
  const ordinary = tried.filter(({ asked }) => asked.expect === 'answered')
  const refusals = tried.filter(({ asked }) => asked.expect === 'refused')
  const runs = tried.flatMap((each) => each.runs)
  const latencyRuns = cases.flatMap((each) => each.latencyRuns)
  return {
    kind: 'metrics',
    version: 1,
    ...facts,
    runs: { planned, made },
    stopped_by: stoppedBy,
    success_rate: shareOf(tried, (run) => run.success),
    reliable_rate: share(ratio(tried.filter(isReliable).length, tried.length), tried.length),
    pass_power: passPowers(tried, facts.repeat),
    escalation_rate: shareOf(ordinary, (run) => run.escalated),
    plan_schema_error_rate: schemaErrorRate(runs),
    not_checked_rate: shareOf(tried, (run) => run.answered && run.checked === 'not_checked'),
    wrong_accept_rate: wrongAcceptRate(tried),
    refusals: { cases: refusals.length, right_rate: shareOf(refusals, (run) => run.success) },
    latency: {
      easy_p50: quantile(latencyRuns.map(secondsOf), 0.5),
      easy_p95: quantile(latencyRuns.map(secondsOf), 0.95),
      easy_right_rate: share(
        ratio(latencyRuns.filter(({ success }) => success).length, latencyRuns.length),
        latencyRuns.length,
      ),
      ...latencyOf(ordinary.flatMap((each) => each.runs)),
    },
    cost: costOf(runs, latencyRuns),
    outcomes: outcomesOf(tried),
    avg_llm_small: average(runs, (run) => run.llm_calls_small),
    avg_llm_big: average(runs, (run) => run.llm_calls_big),
    avg_tool_calls: average(runs, (run) => run.tool_calls),
    rungs: facts.models.map((model, index) => rungOf(model, index, runs)),
    categories: categoriesOf(tried),
    cases: tried.map(caseMetrics),
  }
}

const secondsOf = ({ seconds }: CaseRunRecord): number => seconds

const ratio = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole)

const isReliable = ({ runs }: CaseRuns): boolean => runs.every(({ success }) => success)

/** More runs of each case than this are seldom made. */
const MOST_POWERS = 10

function passPowers(
  cases: readonly CaseRuns[],
  repeat: number,
): NonNullable<Metrics['pass_power']> {
  const tries = cases.map(({ runs }) => ({
    right: runs.filter(({ success }) => success).length,
    of: runs.length,
  }))
  const powers = Array.from({ length: Math.min(repeat, MOST_POWERS) }, (_, at) => at + 1)
  return Object.fromEntries(powers.map((k) => [k, meanPassPower(tries, k)]))
}

/** The share of all runs; its interval rests on the number of cases, not of their repeats. */
function shareOf(cases: readonly CaseRuns[], has: (run: CaseRunRecord) => boolean): Estimate {
  const runs = cases.flatMap((each) => each.runs)
  return share(ratio(runs.filter(has).length, runs.length), cases.length)
}

const isVerified = ({ outcome }: CaseRunRecord): boolean =>
  outcome === 'verified' || outcome === 'escalated'

/**
 * Share of the verified answers, so that an evaluation that verifies little cannot hide a wrong
 * answer.
 */
function wrongAcceptRate(cases: readonly CaseRuns[]): Estimate {
  const verified = cases
    .map((each) => ({ ...each, runs: each.runs.filter(isVerified) }))
    .filter(({ runs }) => runs.length > 0)
  return shareOf(verified, (run) => run.wrong_accept)
}

function outcomesOf(cases: readonly CaseRuns[]): Metrics['outcomes'] {
  return {
    verified: outcomeOf(cases, 'verified'),
    escalated: outcomeOf(cases, 'escalated'),
    supported: outcomeOf(cases, 'supported'),
    not_checked: outcomeOf(cases, 'not_checked'),
    not_verified: outcomeOf(cases, 'not_verified'),
    no_answer: outcomeOf(cases, 'no_answer'),
  }
}

function outcomeOf(cases: readonly CaseRuns[], outcome: CaseOutcome): OutcomeMetrics {
  const runs = cases.flatMap((each) => each.runs.filter((run) => run.outcome === outcome))
  const known = runs.filter(({ right }) => right !== null)
  const per = (total: number | null): number | null =>
    total === null || runs.length === 0 ? null : total / runs.length
  const tokens = (run: CaseRunRecord): number =>
    sum(run.rungs, (rung) => rung.prompt_tokens + rung.completion_tokens)
  return {
    runs: runs.length,
    share: shareOf(cases, (run) => run.outcome === outcome),
    right_rate: share(
      ratio(known.filter(({ right }) => right === true).length, known.length),
      known.length,
    ),
    mean_llm_calls: per(sum(runs, (run) => run.llm_calls_small + run.llm_calls_big)),
    mean_tokens: per(sum(runs, tokens)),
    mean_cost: per(addUp(runs.map(({ cost }) => cost))),
    mean_seconds: per(sum(runs, secondsOf)),
  }
}

function schemaErrorRate(runs: readonly CaseRunRecord[]): Estimate {
  const answers = sum(runs, (run) => run.llm_calls_small + run.llm_calls_big)
  return share(
    ratio(
      sum(runs, (run) => run.plan_schema_errors),
      answers,
    ),
    answers,
  )
}

function latencyOf(
  runs: readonly CaseRunRecord[],
): Pick<Metrics['latency'], 'all_p50' | 'all_p95'> {
  const seconds = runs.map(secondsOf)
  return { all_p50: quantile(seconds, 0.5), all_p95: quantile(seconds, 0.95) }
}

function costOf(
  runs: readonly CaseRunRecord[],
  latencyRuns: readonly CaseRunRecord[],
): Metrics['cost'] {
  const priced = runs.flatMap(({ cost }) => (cost === null ? [] : [cost]))
  const isKnown = priced.length === runs.length
  return {
    total: isKnown ? priced.reduce((total, cost) => total + cost, 0) : null,
    latency_runs: addUp(latencyRuns.map(({ cost }) => cost)),
    mean_per_case: isKnown ? mean(priced) : { value: null, low: null, high: null, n: runs.length },
    unpriced_runs: runs.length - priced.length,
  }
}

/** Null if any part is unknown. */
const addUp = (costs: readonly (number | null)[]): number | null =>
  costs.reduce<number | null>(
    (total, cost) => (total === null || cost === null ? null : total + cost),
    0,
  )

function rungOf(model: string, index: number, runs: readonly CaseRunRecord[]): RungMetrics {
  const rungs = runs.flatMap((run) => run.rungs[index] ?? [])
  return {
    model,
    llm_calls: sum(rungs, (rung) => rung.llm_calls),
    prompt_tokens: sum(rungs, (rung) => rung.prompt_tokens),
    completion_tokens: sum(rungs, (rung) => rung.completion_tokens),
    cost: addUp(rungs.map(({ cost }) => cost)),
  }
}

function categoriesOf(cases: readonly CaseRuns[]): Metrics['categories'] {
  const names = [...new Set(cases.map(({ asked }) => asked.category))]
  return Object.fromEntries(
    names.map((name) => {
      const those = cases.filter(({ asked }) => asked.category === name)
      return [
        name,
        {
          cases: those.length,
          success_rate: shareOf(those, (run) => run.success),
          escalation_rate: shareOf(those, (run) => run.escalated),
        },
      ]
    }),
  )
}

const caseMetrics = ({ asked, runs, latencyRuns }: CaseRuns): CaseMetrics => ({
  id: asked.id,
  digest: digestText(JSON.stringify(asked)),
  category: asked.category,
  expect: asked.expect,
  easy: asked.easy && asked.expect === 'answered',
  success: runs.every(({ success }) => success),
  runs: runs.map(({ rungs: _rungs, ...record }) => record),
  latency_seconds: latencyRuns[0]?.seconds ?? null,
})

function sum<Item>(items: readonly Item[], figure: (item: Item) => number): number {
  return items.reduce((total, item) => total + figure(item), 0)
}

const average = <Item>(items: readonly Item[], figure: (item: Item) => number): number =>
  ratio(sum(items, figure), items.length)
