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

/** One turn of an experiment, once it is over: a run, or a sub-agent's part of one. */
export interface AbRun {
  readonly experiment: string
  readonly runId: string
  /** Digest of what was said: with the run's id, what the turn is known by. */
  readonly turn: string
  readonly variant: string
  /** What the judge said; `null` where it did not. */
  readonly success: boolean | null
  /** US dollars of its model calls; `null` where nobody knows that of one. */
  readonly cost: number | null
  /** In and out. */
  readonly tokens: number
  /** Milliseconds of its model calls, one after the other. */
  readonly ms: number
}

/** What came of one variant; each figure with its 95 % interval. */
export interface AbFigures {
  readonly runs: number
  /** Share of the judged runs. */
  readonly success: Estimate
  /** US dollars a run, of those whose cost is known. */
  readonly cost: Estimate
  readonly unpriced: number
  readonly tokens: Estimate
  readonly ms: Estimate
}

/** How two variants differ. Where an interval holds 0, they may as well be alike in that. */
export interface AbComparison {
  readonly success: Difference
  readonly cost: Difference
  readonly tokens: Difference
  readonly ms: Difference
}

/** Collects what came of the variants of one experiment. */
export interface AbResults {
  /** By variant, in the order in which they were first seen. */
  figures(): Readonly<Record<string, AbFigures>>
  /**
   * How much more the first has than the second.
   * @throws EchelonError INVALID_INPUT for a variant that no run has had
   */
  compare(variant: string, other: string): AbComparison
  /**
   * Takes a run in: those of `abSplit` come by themselves, those of other processes by the data of
   * its events `result`. One that is among the last 10,000 already is not counted again.
   * @throws EchelonError INVALID_INPUT for what is no such data, or of another experiment than the first
   */
  add(run: AbRun | Json): void
}

/** Figures are added up, so that an experiment takes no more room the longer it runs. */
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

/** Runs that are known again when they come a second time. */
const MOST_KNOWN = 10_000

/** A collector, to be given to `abSplit`, or filled from its events. */
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
    'this is no result of abSplit; add the data of its event result',
  )

const ofAnother = (experiment: string, first: string): EchelonError =>
  new EchelonError(
    'INVALID_INPUT',
    `this collects the results of ${first}, and not those of ${experiment}; give each experiment an abResults() of its own`,
  )

const isAmount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value)

// What comes from elsewhere would be in every figure from then on.
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
