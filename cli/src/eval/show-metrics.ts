import type {
  CaseOutcome,
  Comparison,
  Estimate,
  GateVerdict,
  Metrics,
  PairedDifference,
} from 'echelon/evals'
import pc from 'picocolors'
import { clean } from '../terminal/clean.ts'

/**
 * Formats the metrics of an evaluation for the terminal.
 * @param reasons why cases failed, by id
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

/** One line for each gate, the failed ones first: whether it holds, and whether the cases show it. */
export function describeGates(verdicts: readonly GateVerdict[]): string {
  const lines = verdicts
    .toSorted((a, b) => Number(a.passed) - Number(b.passed))
    .map((each) => {
      const { passed, verdict, gate, message } = each
      const word = COLORS[verdict](verdict.padEnd(12))
      return passed
        ? `${pc.green('✓')} ${word} ${message}${openness(each)}`
        : `${pc.red('✗')} ${word} ${pc.bold(gate)}: ${message}${openness(each)}`
    })
  const failed = verdicts.filter(({ passed }) => !passed).length
  const unsure = verdicts.filter(({ verdict }) => verdict === 'INCONCLUSIVE').length
  const end =
    failed === 0 ? pc.green('all gates pass') : pc.red(`${failed} of ${verdicts.length} gates fail`)
  return ['', ...lines, unsure === 0 ? end : `${end}, ${unsure} inconclusive`].join('\n')
}

const COLORS = { PASS: pc.green, FAIL: pc.red, INCONCLUSIVE: pc.yellow } as const

/** The number of cases that an inconclusive gate needs. */
function openness({ verdict, further }: GateVerdict): string {
  if (verdict !== 'INCONCLUSIVE' || further === null) return ''
  return pc.dim(`; about ${further.toLocaleString('en-US')} more cases would show it`)
}

/** Formats the differences from the baseline; empty without shared cases. */
export function describeComparison({ cases, ...differences }: Comparison): string {
  if (cases === 0) return ''
  const { success, escalation, cost, seconds: time } = differences
  const rows: readonly (readonly [string, PairedDifference, (figure: number) => string])[] = [
    ['success', success, percent],
    ['escalated', escalation, percent],
    ['cost of a case', cost, dollars],
    ['time of a case', time, seconds],
  ]
  const lines = rows.flatMap(([name, { value, low, high }, as]) => {
    if (value === null) return []
    const bounds = boundsOf({ low, high }, as)
    return [`${name.padEnd(20)}${signed(value, as).padStart(9)}  ${pc.dim(bounds)}`.trimEnd()]
  })
  return ['', pc.bold(`against the baseline, on the ${cases} shared cases`), ...lines].join('\n')
}

function boundsOf(
  { low, high }: Pick<PairedDifference, 'low' | 'high'>,
  as: (figure: number) => string,
): string {
  if (low === null || high === null) return ''
  if (low === 0 && high === 0) return 'no case differs'
  const chance = low <= 0 && high >= 0 ? ', so it could be chance' : ''
  return `95 % interval ${signed(low, as)} to ${signed(high, as)}${chance}`
}

const signed = (figure: number, as: (figure: number) => string): string =>
  figure < 0 ? `−${as(-figure)}` : `+${as(figure)}`

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
          ...passPowers(metrics),
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

/** The chance that several runs of a case are all right. */
const passPowers = ({ pass_power: powers = {} }: Metrics) =>
  Object.entries(powers)
    .filter(([k]) => k !== '1')
    .map(([k, power]) => [`pass^${k}`, percentOf(power), interval(power, percent)] as const)

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
  supported: 'supported',
  not_checked: 'not checked',
  not_verified: 'not verified',
  no_answer: 'no answer',
}

/** Cost and time of cases by outcome. A case is right if its answer is the known one, verified or not. */
function outcomeTable({ outcomes }: Metrics): readonly string[] {
  const names: readonly CaseOutcome[] = [
    'verified',
    'escalated',
    'supported',
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

/** Most failed cases to list; the file has all. */
const MOST_WRONG = 15

/** Most characters of a reason. */
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
