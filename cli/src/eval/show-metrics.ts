import type { CaseOutcome, Estimate, GateVerdict, Metrics } from 'echelon/evals'
import pc from 'picocolors'
import { clean } from '../terminal/clean.ts'

/**
 * The figures of an evaluation as a person reads them.
 * @param reasons why cases went wrong, by id
 */
export function describeMetrics(metrics: Metrics, reasons: ReadonlyMap<string, string>): string {
  const { dataset, models, repeat } = metrics
  const rounds = repeat === 1 ? '' : `, each ${repeat} times`
  return [
    pc.bold(`${metrics.cases.length} cases of ${dataset.name}${rounds}: ${models.join(' → ')}`),
    '',
    ...figures(metrics),
    '',
    ...outcomeTable(metrics),
    '',
    ...categoryTable(metrics),
    ...wrongCases(metrics, reasons),
  ].join('\n')
}

/** One line for each gate, the failed ones first. */
export function describeGates(verdicts: readonly GateVerdict[]): string {
  const lines = verdicts
    .toSorted((a, b) => Number(a.passed) - Number(b.passed))
    .map(({ passed, gate, message }) =>
      passed ? `${pc.green('✓')} ${message}` : `${pc.red('✗')} ${pc.bold(gate)}: ${message}`,
    )
  const failed = verdicts.filter(({ passed }) => !passed).length
  const end =
    failed === 0 ? pc.green('all gates hold') : pc.red(`${failed} of ${verdicts.length} gates fail`)
  return ['', ...lines, end].join('\n')
}

function figures(metrics: Metrics): readonly string[] {
  const { cost, latency, refusals } = metrics
  const rows: readonly (readonly [string, string, string])[] = [
    ['success', percentOf(metrics.success_rate), interval(metrics.success_rate, percent)],
    ...(metrics.repeat === 1
      ? []
      : [
          [
            'right every time',
            percentOf(metrics.reliable_rate),
            interval(metrics.reliable_rate, percent),
          ] as const,
        ]),
    ['escalated', percentOf(metrics.escalation_rate), interval(metrics.escalation_rate, percent)],
    [
      'wrongly verified',
      percentOf(metrics.wrong_accept_rate),
      `of ${metrics.wrong_accept_rate.n} verified; the known answers were ${metrics.gold}`,
    ],
    ['rightly refused', percentOf(refusals.right_rate), `of ${refusals.cases} to be refused`],
    ['plan schema errors', percentOf(metrics.plan_schema_error_rate), ''],
    [
      'p95, easy cases',
      show(latency.easy_p95.value, seconds),
      `fallback_only, one at a time, ${latency.easy_p95.n} cases`,
    ],
    ['p95, all cases', show(latency.all_p95.value, seconds), `${metrics.concurrency} at once`],
    [
      'cost of a case',
      show(cost.mean_per_case.value, dollars),
      interval(cost.mean_per_case, dollars),
    ],
    ['cost in all', show(cost.total, dollars), paidFor(metrics)],
  ]
  return rows.map(([name, figure, note]) =>
    `${name.padEnd(20)}${figure.padStart(9)}  ${pc.dim(note)}`.trimEnd(),
  )
}

function paidFor({ cost, rungs }: Metrics): string {
  const calls = rungs.map(({ model, llm_calls: count }) => `${model} ${count}×`).join(', ')
  const latency =
    cost.latency_runs === null ? '' : `; and ${dollars(cost.latency_runs)} for latency`
  return cost.unpriced_runs > 0
    ? `${calls}; the price of ${cost.unpriced_runs} runs is unknown`
    : `${calls}${cost.latency_runs === 0 ? '' : latency}`
}

const OUTCOMES: Readonly<Record<CaseOutcome, string>> = {
  verified: 'verified',
  escalated: 'verified, escalated',
  not_checked: 'not checked',
  not_verified: 'not verified',
  no_answer: 'no answer',
}

/** What a case takes by how it ends. Right are those whose answer is the known one, verified or not. */
function outcomeTable({ outcomes }: Metrics): readonly string[] {
  const names: readonly CaseOutcome[] = [
    'verified',
    'escalated',
    'not_checked',
    'not_verified',
    'no_answer',
  ]
  const rows = names.map((name) => {
    const { runs, share, right_rate: right, ...per } = outcomes[name]
    return [
      OUTCOMES[name].padEnd(20),
      String(runs).padStart(5),
      percentOf(share).padStart(9),
      percentOf(right).padStart(9),
      orDash(per.mean_llm_calls, (count) => count.toFixed(1)).padStart(7),
      orDash(per.mean_tokens, (count) => count.toFixed(0)).padStart(8),
      (runs === 0 ? '–' : show(per.mean_cost, dollars)).padStart(10),
      orDash(per.mean_seconds, seconds).padStart(10),
    ].join('')
  })
  const head = ['outcome'.padEnd(20), ' runs', '    share', '    right', '  calls', '  tokens']
  return [pc.dim(`${head.join('')}      cost      time`), ...rows]
}

const orDash = (figure: number | null, as: (figure: number) => string): string =>
  figure === null ? '–' : as(figure)

const BAR = 20

function categoryTable({ categories }: Metrics): readonly string[] {
  const width = Math.max(8, ...Object.keys(categories).map((name) => name.length)) + 2
  const rows = Object.entries(categories).map(
    ([name, { cases, success_rate: right, escalation_rate: up }]) => {
      const full = Math.floor((right.value ?? 0) * BAR)
      const bar = pc.green('█'.repeat(full)) + pc.dim('░'.repeat(BAR - full))
      const figures = [percentOf(right).padStart(9), percentOf(up).padStart(11)].join('')
      return `${clean(name).padEnd(width)}${String(cases).padStart(5)}  ${bar}${figures}`
    },
  )
  const head = `${'category'.padEnd(width)}cases  ${' '.repeat(BAR)}  success  escalated`
  return [pc.dim(head), ...rows]
}

/** As many as a person looks through; the file has all. */
const MOST_WRONG = 15

/** As much of a reason as fits a line. */
const WIDE = 60

function wrongCases(
  { cases, repeat }: Metrics,
  reasons: ReadonlyMap<string, string>,
): readonly string[] {
  const wrong = cases.filter(({ success }) => !success)
  if (wrong.length === 0) return []
  const lines = wrong.slice(0, MOST_WRONG).map(({ id, runs }) => {
    const bad = runs.filter(({ success }) => !success)
    const often = repeat === 1 ? '' : ` (${bad.length} of ${runs.length})`
    const reason = clean(reasons.get(id) ?? bad[0]?.finish_reason ?? '')
    return `  ${id}${often}: ${reason.length <= WIDE ? reason : `${reason.slice(0, WIDE)}…`}`
  })
  const more = wrong.length > MOST_WRONG ? [`  and ${wrong.length - MOST_WRONG} more`] : []
  return ['', pc.yellow(`wrong, or not verified: ${wrong.length}`), ...lines, ...more]
}

const show = (figure: number | null, as: (figure: number) => string): string =>
  figure === null ? 'unknown' : as(figure)
const percent = (part: number): string => `${(part * 100).toFixed(1)} %`
const percentOf = ({ value }: Estimate): string => (value === null ? '–' : percent(value))
const seconds = (time: number): string =>
  time < 0.1 ? `${(time * 1000).toFixed(1)} ms` : `${time.toFixed(2)} s`
const dollars = (amount: number): string => (amount === 0 ? '$0.00' : `$${amount.toPrecision(3)}`)

const interval = ({ low, high }: Estimate, as: (figure: number) => string): string =>
  low === null || high === null || low === high ? '' : `95 % interval ${as(low)} to ${as(high)}`
