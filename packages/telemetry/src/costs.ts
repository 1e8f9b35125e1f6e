import { daysIn } from './day.ts'
import type { UsageOfRung, UsageRecord } from './usage-record.ts'

export const COST_GROUPS = ['model', 'tier', 'day', 'run'] as const
export type CostGroup = (typeof COST_GROUPS)[number]

/** What some calls took. */
export interface CostSum {
  /** Runs that made one of these calls; in a total, all of them. */
  readonly runs: number
  /** Attempts on the wire. */
  readonly llm_calls: number
  readonly prompt_tokens: number
  readonly completion_tokens: number
  /** US dollars; null where the cost of a call is unknown. */
  readonly cost: number | null
  /** US dollars of the calls whose cost is known. */
  readonly known_cost: number
  /** Calls whose cost is unknown: their model has no price, or no usage was reported. */
  readonly unpriced_calls: number
  /** Calls that are charged at their worst case: they reported no usage that can be true. */
  readonly assumed_calls: number
}

export interface CostRow extends CostSum {
  /** The model, the tier, the day as 2026-11-22, or the run's id. */
  readonly key: string
}

export interface EarlierRows extends CostSum {
  /** How many rows were left out. */
  readonly rows: number
}

export interface CostTotal extends CostSum {
  /** The part of it that runs of evaluations took, which the figures below leave out. */
  readonly evaluations: CostSum
  /** The part of it that turns of conversations took: of these too the figures below tell nothing. */
  readonly conversations: CostSum
  /** Runs in which another model than the cheapest was called. */
  readonly escalated_runs: number
  /** From 0 to 1; null without such runs. */
  readonly escalated_share: number | null
  /** US dollars; null without such runs, or where the cost of a call is unknown. */
  readonly mean_cost_per_run: number | null
}

export interface CostReport {
  readonly by: CostGroup
  /** IANA name of the zone that days are meant in. */
  readonly time_zone: string
  /** The first day that counts, or null for all. */
  readonly since: string | null
  /** Days in their order; else in the order of the first run. */
  readonly rows: readonly CostRow[]
  /** What came before these rows, and was left out for `last`; null if nothing was. */
  readonly earlier: EarlierRows | null
  readonly total: CostTotal
}

export interface CostOptions {
  readonly by: CostGroup
  /** IANA name. */
  readonly timeZone: string
  /** ISO date; days before it are left out. */
  readonly since?: string
  /** How many rows of runs or of days, the last; default all. Those before them are one sum. */
  readonly last?: number
}

/**
 * Adds up what runs took. An unknown cost is never 0: where one is, the cost is null, and what is
 * known stands beside the number of calls that it lacks.
 *
 * What a cascade saves against the big model alone is not told: nobody knows how many tokens the
 * big model would have taken without the small one's evidence in its prompt.
 * @param records one of each run
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
    rows: groups.slice(left).map(([key, own]) => ({ key, ...sumOf(own) })),
    earlier:
      left === 0 ? null : { rows: left, ...sumOf(groups.slice(0, left).flatMap(([, own]) => own)) },
    total: totalOf(counted),
  }
}

/** What one run adds to a row. */
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
  if (by === 'day') return [{ key: dayOf(record.ts), rungs }]
  return [...Map.groupBy(rungs, (rung) => rung[by])].map(([key, own]) => ({ key, rungs: own }))
}

/** Models that were called. */
const calledOf = ({ rungs }: Pick<UsageRecord, 'rungs'>): readonly UsageOfRung[] =>
  rungs.filter(({ llm_calls }) => llm_calls > 0)

function totalOf(records: readonly UsageRecord[]): CostTotal {
  const sum = (some: readonly UsageRecord[]): CostSum =>
    sumOf(some.map((record) => ({ rungs: calledOf(record) })))
  const talked = records.filter(({ mode }) => mode === CONVERSATION)
  const ordinary = records.filter(
    ({ purpose, mode }) => purpose === undefined && mode !== CONVERSATION,
  )
  const escalated = ordinary.filter(({ rungs }) => calledOf({ rungs: rungs.slice(1) }).length > 0)
  const { runs, cost } = sum(ordinary)
  return {
    ...sum(records),
    evaluations: sum(records.filter(({ purpose }) => purpose === 'evaluation')),
    conversations: sum(talked),
    escalated_runs: escalated.length,
    escalated_share: runs === 0 ? null : escalated.length / runs,
    mean_cost_per_run: runs === 0 || cost === null ? null : cost / runs,
  }
}

/** The mode of turns that are no cases to be proved. */
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
