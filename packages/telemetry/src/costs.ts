import { daysIn } from './day.ts'
import type { UsageOfRung, UsageRecord } from './usage-record.ts'

export const COST_GROUPS = ['model', 'tier', 'day', 'run', 'outcome'] as const
export type CostGroup = (typeof COST_GROUPS)[number]

/** Usage and cost of some calls. */
export interface CostSum {
  /** Runs that made at least one of these calls; in a total, all runs. */
  readonly runs: number
  /** Attempts over the network. */
  readonly llm_calls: number
  readonly prompt_tokens: number
  readonly completion_tokens: number
  /** US dollars; null if the cost of any call is unknown. */
  readonly cost: number | null
  /** US dollars of the calls with known cost. */
  readonly known_cost: number
  /** Calls of unknown cost: their model has no price, or no usage was reported. */
  readonly unpriced_calls: number
  /** Calls charged at their worst case, because they reported no plausible usage. */
  readonly assumed_calls: number
}

export interface CostRow extends CostSum {
  /** The model, the tier, the day as 2026-11-22, the run id, or how the run ended, such as `proved`. */
  readonly key: string
}

export interface EarlierRows extends CostSum {
  /** Number of rows left out. */
  readonly rows: number
}

export interface CostTotal extends CostSum {
  /** The share of evaluation runs, which the figures below exclude. */
  readonly evaluations: CostSum
  /** The share of conversation turns, which the figures below exclude as well. */
  readonly conversations: CostSum
  /** Runs that called a model other than the cheapest. */
  readonly escalated_runs: number
  /** From 0 to 1; null if there are no such runs. */
  readonly escalated_share: number | null
  /** US dollars; null if there are no such runs, or if the cost of a call is unknown. */
  readonly mean_cost_per_run: number | null
}

export interface CostReport {
  readonly by: CostGroup
  /** IANA name of the zone that defines days. */
  readonly time_zone: string
  /** The first day included, or null for all. */
  readonly since: string | null
  /** Days in chronological order; other groups in the order of their first run. */
  readonly rows: readonly CostRow[]
  /** Sum of the rows omitted because of `last`; null if none were. */
  readonly earlier: EarlierRows | null
  readonly total: CostTotal
}

export interface CostOptions {
  readonly by: CostGroup
  /** IANA name. */
  readonly timeZone: string
  /** ISO date; earlier days are left out. */
  readonly since?: string
  /** Maximum number of rows of runs or days, the latest; default all. Earlier rows are summed. */
  readonly last?: number
}

/**
 * Sums the cost of runs. An unknown cost is never 0: the sum is then null, next to the known part and
 * the number of calls it lacks.
 *
 * The report does not claim what a cascade saves over the big model alone: the tokens that model would
 * have used without the small model's evidence in its prompt are unknown.
 * @param records one per run
 * @throws EchelonError INVALID_CONFIG for an unknown zone
 */
export function costReport(
  records: readonly UsageRecord[],
  { by, timeZone, since = '', last = Infinity }: CostOptions,
): CostReport {
  const dayOf = daysIn(timeZone)
  const counted = records.filter(({ ts }) => dayOf(ts) >= since)
  const shares = counted.flatMap((record) => sharesOf(record, by, dayOf))
  const groups = [...Map.groupBy(shares, ({ key }) => key)]
  if (by === 'day') groups.sort(([a], [b]) => (a < b ? -1 : 1))
  const left = by === 'day' || by === 'run' ? Math.max(0, groups.length - last) : 0
  return {
    by,
    time_zone: timeZone,
    since: since === '' ? null : since,
    rows: groups.slice(left).map(([key, group]) => ({ key, ...sumOf(group) })),
    earlier:
      left === 0
        ? null
        : { rows: left, ...sumOf(groups.slice(0, left).flatMap(([, group]) => group)) },
    total: totalOf(counted),
  }
}

/** The contribution of one run to a row. */
interface Share {
  readonly key: string
  readonly rungs: readonly UsageOfRung[]
}

function sharesOf(
  record: UsageRecord,
  by: CostGroup,
  dayOf: (ts: string) => string,
): readonly Share[] {
  const rungs = calledOf(record)
  if (by === 'run') return [{ key: record.run_id, rungs }]
  if (by === 'outcome') return [{ key: outcomeOf(record), rungs }]
  if (by === 'day') return [{ key: dayOf(record.ts), rungs }]
  return [...Map.groupBy(rungs, (rung) => rung[by])].map(([key, group]) => ({ key, rungs: group }))
}

/** How a run ended: proved answers apart from supported and unchecked ones. */
const outcomeOf = ({ verified, finish_reason }: UsageRecord): string =>
  verified ? 'proved' : finish_reason

/** Models that were called. */
const calledOf = ({ rungs }: Pick<UsageRecord, 'rungs'>): readonly UsageOfRung[] =>
  rungs.filter(({ llm_calls }) => llm_calls > 0)

function totalOf(records: readonly UsageRecord[]): CostTotal {
  const sum = (some: readonly UsageRecord[]): CostSum =>
    sumOf(some.map((record) => ({ rungs: calledOf(record) })))
  const conversations = records.filter(({ mode }) => mode === CONVERSATION)
  const ordinary = records.filter(
    ({ purpose, mode }) => purpose === undefined && mode !== CONVERSATION,
  )
  const escalated = ordinary.filter(
    ({ rungs }) => calledOf({ rungs: rungs.slice(1).filter(isLadder) }).length > 0,
  )
  const { runs, cost } = sum(ordinary)
  return {
    ...sum(records),
    evaluations: sum(records.filter(({ purpose }) => purpose === 'evaluation')),
    conversations: sum(conversations),
    escalated_runs: escalated.length,
    escalated_share: runs === 0 ? null : escalated.length / runs,
    mean_cost_per_run: runs === 0 || cost === null ? null : cost / runs,
  }
}

/** Not the models that verifiers ask. */
const isLadder = ({ tier }: UsageOfRung): boolean => tier !== 'opinion'

/** The mode of conversation turns, which have nothing to verify. */
const CONVERSATION = 'chat'

/** @param runs the calls of each run */
function sumOf(runs: readonly Pick<Share, 'rungs'>[]): CostSum {
  const rungs = runs.flatMap((run) => run.rungs)
  const sum = (amount: (rung: UsageOfRung) => number): number =>
    rungs.reduce((total, rung) => total + amount(rung), 0)
  const known_cost = sum((rung) => rung.known_cost)
  const unpriced_calls = sum((rung) => rung.unpriced_calls)
  return {
    runs: runs.length,
    llm_calls: sum((rung) => rung.llm_calls),
    prompt_tokens: sum((rung) => rung.prompt_tokens),
    completion_tokens: sum((rung) => rung.completion_tokens),
    cost: unpriced_calls > 0 ? null : known_cost,
    known_cost,
    unpriced_calls,
    assumed_calls: sum((rung) => rung.assumed_calls ?? 0),
  }
}
