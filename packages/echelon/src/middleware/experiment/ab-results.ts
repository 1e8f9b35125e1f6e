import {
  type Count,
  type Difference,
  meanDifference,
  meanOf,
  type Moments,
  NO_FIGURES,
  shareDifference,
  withFigure,
} from '../../core/statistics/difference.ts'
import { EchelonError } from '../../core/value/error.ts'
import { type Estimate, share } from '../../core/statistics/intervals.ts'
import { isRecord, type Json } from '../../core/value/json.ts'

/** One finished turn of an experiment: a run, or a sub-agent's part of one. */
export interface AbRun {
  readonly experiment: string
  readonly runId: string
  /** Digest of the input; with the run's id it identifies the turn. */
  readonly turn: string
  readonly variant: string
  /** The judge's result; `null` without one. */
  readonly success: boolean | null
  /** US dollars of its model calls; `null` if the cost of one is unknown. */
  readonly cost: number | null
  /** In and out. */
  readonly tokens: number
  /** Milliseconds of its model calls, added up. */
  readonly ms: number
}

/** The results of one variant; each figure with its 95 % interval. */
export interface AbFigures {
  readonly runs: number
  /** Share of successes among the judged runs. */
  readonly success: Estimate
  /** US dollars per run, over runs of known cost. */
  readonly cost: Estimate
  readonly unpriced: number
  readonly tokens: Estimate
  readonly ms: Estimate
}

/** The differences between two variants. One whose interval contains 0 is not significant. */
export interface AbComparison {
  readonly success: Difference
  readonly cost: Difference
  readonly tokens: Difference
  readonly ms: Difference
}

/** Collects the results of the variants of one experiment. */
export interface AbResults {
  /** By variant, in the order of their first results. */
  figures(): Readonly<Record<string, AbFigures>>
  /**
   * The difference of the first minus the second.
   * @throws EchelonError INVALID_INPUT for a variant without runs
   */
  compare(variant: string, other: string): AbComparison
  /**
   * Adds a run. `abSplit` adds its own runs; add those of other processes from the data of their `result`
   * events. One of the last 10,000 runs is not counted again.
   * @throws EchelonError INVALID_INPUT for other data, or for an experiment other than the first
   */
  add(run: AbRun | Json): void
}

/** Keeps running sums, so that memory does not grow with the experiment. */
interface Tally {
  readonly runs: number
  readonly success: Count
  readonly cost: Moments
  readonly tokens: Moments
  readonly ms: Moments
}

const NO_RUNS: Tally = {
  runs: 0,
  success: { yes: 0, of: 0 },
  cost: NO_FIGURES,
  tokens: NO_FIGURES,
  ms: NO_FIGURES,
}

/** The number of recent runs that are recognized as duplicates. */
const MOST_KNOWN = 10_000

/** Creates a collector, to pass to `abSplit` or to fill from its events. */
export function abResults(): AbResults {
  const tallies = new Map<string, Tally>()
  const known = new Set<string>()
  let experiment: string | undefined
  const tallyOf = (variant: string): Tally => {
    const tally = tallies.get(variant)
    if (tally !== undefined) return tally
    throw new EchelonError('INVALID_INPUT', `no run has had the variant ${variant} so far`)
  }
  return {
    figures: () =>
      Object.fromEntries([...tallies].map(([name, tally]) => [name, figuresOf(tally)])),
    compare: (variant, other) => compared(tallyOf(variant), tallyOf(other)),
    add(run) {
      if (!isAbRun(run)) throw noResult()
      experiment ??= run.experiment
      if (run.experiment !== experiment) throw ofAnother(run.experiment, experiment)
      const id = `${run.runId} ${run.turn}`
      if (known.has(id)) return
      known.add(id)
      for (const oldest of known) {
        if (known.size <= MOST_KNOWN) break
        known.delete(oldest)
      }
      tallies.set(run.variant, withRun(tallies.get(run.variant) ?? NO_RUNS, run))
    },
  }
}

const noResult = (): EchelonError =>
  new EchelonError(
    'INVALID_INPUT',
    'this is not a result of abSplit; add the data of its event result',
  )

const ofAnother = (experiment: string, first: string): EchelonError =>
  new EchelonError(
    'INVALID_INPUT',
    `this collects the results of ${first}, and not those of ${experiment}; give each experiment an abResults() of its own`,
  )

const isAmount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value)

// External data is checked, since it affects every later figure.
const isAbRun = (value: unknown): value is AbRun =>
  isRecord(value) &&
  ['experiment', 'runId', 'turn', 'variant'].every((field) => typeof value[field] === 'string') &&
  (value['success'] === null || typeof value['success'] === 'boolean') &&
  (value['cost'] === null || isAmount(value['cost'])) &&
  isAmount(value['tokens']) &&
  isAmount(value['ms'])

const withRun = (tally: Tally, { success, cost, tokens, ms }: AbRun): Tally => ({
  runs: tally.runs + 1,
  success:
    success === null
      ? tally.success
      : { yes: tally.success.yes + (success ? 1 : 0), of: tally.success.of + 1 },
  cost: cost === null ? tally.cost : withFigure(tally.cost, cost),
  tokens: withFigure(tally.tokens, tokens),
  ms: withFigure(tally.ms, ms),
})

const figuresOf = ({ runs, success, cost, tokens, ms }: Tally): AbFigures => ({
  runs,
  success: share(success.of === 0 ? 0 : success.yes / success.of, success.of),
  cost: meanOf(cost),
  unpriced: runs - cost.n,
  tokens: meanOf(tokens),
  ms: meanOf(ms),
})

const compared = (a: Tally, b: Tally): AbComparison => ({
  success: shareDifference(a.success, b.success),
  cost: meanDifference(a.cost, b.cost),
  tokens: meanDifference(a.tokens, b.tokens),
  ms: meanDifference(a.ms, b.ms),
})
