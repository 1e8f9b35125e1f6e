import type { Estimate } from '../core/statistics/intervals.ts'
import { EchelonError } from '../core/value/error.ts'
import { lowerBound, upperBound } from '../core/statistics/share-bound.ts'
import {
  furtherCases,
  type Interval,
  type Side,
  type Verdict,
  verdictOf,
} from '../core/statistics/verdict.ts'
import type { PolicyFigures } from './policy.ts'

const KINDS = ['accuracy', 'cost', 'risk'] as const

/** A goal for a cascade. */
export interface Goal {
  /**
   * `accuracy`: the share of tasks that it gets right, at least. `cost`: the mean cost of a task in US dollars, at
   * most. `risk`: the share of the accepted answers that are wrong, at most.
   */
  readonly kind: (typeof KINDS)[number]
  readonly value: number
}

/**
 * Reads a goal as `accuracy=0.9`, `cost=0.002` or `risk=0.02`.
 * @throws EchelonError INVALID_INPUT for anything else
 */
export function readGoal(text: string): Goal {
  const [name, written = ''] = text.split('=')
  const kind = KINDS.find((each) => each === name?.trim())
  const value = written.trim() === '' ? Number.NaN : Number(written)
  const isInRange = kind === 'cost' ? value > 0 && Number.isFinite(value) : value > 0 && value < 1
  if (kind !== undefined && isInRange) return { kind, value }
  throw new EchelonError(
    'INVALID_INPUT',
    `${JSON.stringify(text)} is not a goal; write accuracy=0.9, risk=0.02 (shares between 0 and 1) or cost=0.002 (dollars a task)`,
  )
}

/** A figure of a policy against a goal. */
export interface Measured extends Interval {
  readonly figure: number | null
  /** Cases that the figure rests on: groups of tasks, and for a risk those of accepted answers. */
  readonly n: number
  readonly verdict: Verdict
}

/** A policy measured against a goal, with the number of cases that are missing. */
export interface GoalCheck extends Measured {
  /**
   * Number of further cases that would pass the goal if the figure stays; 0 if decided, null if the figure misses
   * the goal or lies too near to it.
   */
  readonly further: number | null
}

/**
 * Compares the figures of a policy with a goal. Shares have the one-sided 95 % bounds of Clopper and Pearson (1934), one to
 * each side; a cost has the 95 % interval of its mean.
 */
export function measure(figures: PolicyFigures, goal: Goal): Measured {
  const { value: figure, n, low, high } = figureOf(figures, goal)
  // Without a single case a share could be anything.
  const interval =
    figure === null
      ? { low: null, high: null }
      : goal.kind === 'cost'
        ? { low, high }
        : boundsOf(figure, n)
  return { figure, n, ...interval, verdict: verdictOf(interval, sideOf(goal), goal.value) }
}

/** Like `measure`, with the number of further cases needed. */
export function checkGoal(figures: PolicyFigures, goal: Goal): GoalCheck {
  const measured = measure(figures, goal)
  const isOpen = measured.verdict === 'INCONCLUSIVE'
  return { ...measured, further: isOpen ? (furtherFor(measured, goal) ?? null) : 0 }
}

const figureOf = (figures: PolicyFigures, { kind }: Goal): Estimate =>
  kind === 'risk' ? figures.wrong_accepts : figures[kind]

const sideOf = ({ kind }: Goal): Side => (kind === 'accuracy' ? 'at least' : 'at most')

const boundsOf = (share: number, n: number): Interval => ({
  low: lowerBound(share * n, n),
  high: upperBound(share * n, n),
})

function furtherFor({ figure, n, high }: Measured, goal: Goal): number | undefined {
  const passes = (interval: Interval): boolean =>
    verdictOf(interval, sideOf(goal), goal.value) === 'PASS'
  if (goal.kind !== 'cost') return furtherCases(n, (more) => passes(boundsOf(figure ?? 0, more)))
  if (figure === null || high === null) return undefined
  const atWith = (more: number): number => figure + (high - figure) * Math.sqrt(n / more)
  return furtherCases(n, (more) => passes({ low: null, high: atWith(more) }))
}
