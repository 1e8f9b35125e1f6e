import type { Worth } from '../core/statistics/pareto.ts'
import { type Goal, measure } from './goal.ts'
import type { Policy, PolicyFigures } from './policy.ts'

/** A policy with its figures on the half to fit on. */
export interface Candidate extends Policy {
  readonly figures: PolicyFigures
}

/** Returns the cost of a policy, or if costs are unknown the share of tasks that ask the biggest model. */
export type PriceOf = (candidate: Candidate) => number

/**
 * Chooses the policy for a goal: the cheapest whose bound holds, else the cheapest whose figure does, else the one
 * nearest to it. For a cost goal: the most accurate policy within that cost.
 */
export function choosePolicy(
  candidates: readonly Candidate[],
  goal: Goal,
  priceOf: PriceOf,
): Candidate | undefined {
  const usable = candidates.filter(
    ({ figures }) => goal.kind !== 'risk' || figures.wrong_accepts.n > 0,
  )
  const checked = usable.map((candidate) => ({
    candidate,
    check: measure(candidate.figures, goal),
  }))
  const sure = checked.filter(({ check }) => check.verdict === 'PASS')
  const likely = checked.filter(({ check: { figure } }) => figure !== null && holds(figure, goal))
  const [holding] = [sure, likely].filter((each) => each.length > 0)
  if (holding === undefined) return nearest(checked, goal)
  const found = holding.map(({ candidate }) => candidate)
  return goal.kind === 'cost' ? mostAccurate(found, priceOf) : cheapest(found, priceOf)
}

const holds = (figure: number, { kind, value }: Goal): boolean =>
  kind === 'accuracy' ? figure >= value : figure <= value

function nearest(
  checked: readonly {
    readonly candidate: Candidate
    readonly check: { readonly figure: number | null }
  }[],
  { value }: Goal,
): Candidate | undefined {
  const distance = (figure: number | null): number =>
    figure === null ? Infinity : Math.abs(figure - value)
  return checked.toSorted((a, b) => distance(a.check.figure) - distance(b.check.figure))[0]
    ?.candidate
}

/** Chooses the cheapest policy of at least this accuracy, or else the most accurate one. */
export function asGoodAs(
  candidates: readonly Candidate[],
  accuracy: number,
  priceOf: PriceOf,
): Candidate | undefined {
  const good = candidates.filter(({ figures }) => accuracyOf(figures) >= accuracy - 1e-12)
  return good.length > 0 ? cheapest(good, priceOf) : mostAccurate(candidates, priceOf)
}

/**
 * Returns the middle of the thresholds that decide all tasks alike. The lowest of them would be just above the
 * score of some wrong answer, and a new one scored a little higher would pass.
 */
export function middleOfEquals(chosen: Candidate, candidates: readonly Candidate[]): Candidate {
  const figures = JSON.stringify(chosen.figures)
  const equal = candidates.filter(
    (each) => each.rungs === chosen.rungs && JSON.stringify(each.figures) === figures,
  )
  const thresholds = equal.map(({ threshold }) => threshold)
  const middle = (Math.min(...thresholds) + Math.max(...thresholds)) / 2
  const distance = ({ threshold }: Candidate): number => Math.abs(threshold - middle)
  return equal.toSorted((a, b) => distance(a) - distance(b))[0] ?? chosen
}

const accuracyOf = ({ accuracy }: PolicyFigures): number => accuracy.value ?? 0

const cheapest = (candidates: readonly Candidate[], priceOf: PriceOf): Candidate | undefined =>
  candidates.toSorted(
    (a, b) => priceOf(a) - priceOf(b) || accuracyOf(b.figures) - accuracyOf(a.figures),
  )[0]

const mostAccurate = (candidates: readonly Candidate[], priceOf: PriceOf): Candidate | undefined =>
  candidates.toSorted(
    (a, b) => accuracyOf(b.figures) - accuracyOf(a.figures) || priceOf(a) - priceOf(b),
  )[0]

/** A candidate as a point of cost and accuracy. */
export const worthOf = (candidate: Candidate, priceOf: PriceOf): Worth => ({
  cost: priceOf(candidate),
  value: accuracyOf(candidate.figures),
})
