import { bootstrap, type PairedDifference, pairedDifference } from '../core/statistics/bootstrap.ts'
import { quantile } from '../core/statistics/intervals.ts'
import type { CaseMetrics, Metrics } from './metrics.ts'

/** A case in two evaluations. */
export interface CasePair {
  readonly now: CaseMetrics
  readonly before: CaseMetrics
}

/** Pairs the shared cases. A case whose question or right answer changed is not shared. */
export function pairsOf(now: Metrics, before: Metrics): readonly CasePair[] {
  const earlier = new Map(before.cases.map((each) => [each.id, each]))
  return now.cases.flatMap((each) => {
    const then = earlier.get(each.id)
    return then?.digest === each.digest ? [{ now: each, before: then }] : []
  })
}

/**
 * Differences between two evaluations on their shared cases, the later minus the earlier, with 95 % intervals by a
 * paired bootstrap over the cases. A difference has no value if a figure is unknown.
 */
export interface Comparison {
  readonly cases: number
  /** Shares of runs. */
  readonly success: PairedDifference
  /** Of the cases to be answered. */
  readonly escalation: PairedDifference
  /** US dollars a run. */
  readonly cost: PairedDifference
  /** Seconds a run. */
  readonly seconds: PairedDifference
}

/** Compares two evaluations case by case. */
export function compareRuns(now: Metrics, before: Metrics): Comparison {
  const pairs = pairsOf(now, before)
  const ordinary = pairs.filter((pair) => pair.now.expect === 'answered')
  return {
    cases: pairs.length,
    success: differenceOf(pairs, successOf),
    escalation: differenceOf(ordinary, escalationOf),
    cost: differenceOf(pairs, costOf),
    seconds: differenceOf(pairs, ({ runs }) => meanOf(runs, (run) => run.seconds)),
  }
}

/** Has no value if one figure is unknown. */
export function differenceOf(
  pairs: readonly CasePair[],
  figure: (each: CaseMetrics) => number | null,
): PairedDifference {
  const figures = pairs.flatMap((pair) => {
    const [now, before] = [figure(pair.now), figure(pair.before)]
    return now === null || before === null ? [] : [{ now, before }]
  })
  return pairedDifference(figures.length === pairs.length ? figures : [])
}

export const meanOf = <Item>(items: readonly Item[], figure: (item: Item) => number): number =>
  items.reduce((sum, item) => sum + figure(item), 0) / items.length

export const successOf = ({ runs }: CaseMetrics): number =>
  meanOf(runs, (run) => Number(run.success))
export const escalationOf = ({ runs }: CaseMetrics): number =>
  meanOf(runs, (run) => Number(run.escalated))

/** Mean cost of a run of the case; null when one is unknown. */
export function costOf({ runs }: CaseMetrics): number | null {
  const known = runs.flatMap(({ cost }) => (cost === null ? [] : [cost]))
  return known.length === runs.length ? meanOf(known, (cost) => cost) : null
}

interface RatioInterval {
  readonly low: number | null
  readonly high: number | null
}

/** The 95 % interval of a ratio of two figures of the same cases, by a bootstrap over the cases. */
export function ratioInterval(
  pairs: readonly { readonly now: number; readonly before: number }[],
  figure: (values: readonly number[]) => number,
): RatioInterval {
  if (pairs.length < 3) return { low: null, high: null }
  const of = (side: 'now' | 'before', drawn: readonly number[]): number =>
    figure(drawn.map((at) => pairs[at]?.[side] ?? 0))
  const spread = bootstrap(pairs.length, (drawn) => ({
    ratio: of('now', drawn) / of('before', drawn),
  })).get('ratio')
  return { low: spread?.low ?? null, high: spread?.high ?? null }
}

export const sumOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0)

export const p95Of = (values: readonly number[]): number => quantile(values, 0.95).value ?? 0
