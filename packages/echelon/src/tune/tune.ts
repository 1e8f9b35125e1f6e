import { frontierOf } from '../core/statistics/pareto.ts'
import { digestText } from '../core/value/digest.ts'
import { EchelonError } from '../core/value/error.ts'
import type { CalibratedModel } from '../verify/calibrated/calibrated-model.ts'
import {
  asGoodAs,
  type Candidate,
  choosePolicy,
  middleOfEquals,
  type PriceOf,
  worthOf,
} from './choose.ts'
import { checkGoal, type Goal } from './goal.ts'
import { type Halves, type TunedLadder, tuneLadder } from './ladder.ts'
import type { FrontierPoint, ModelReport, Proposal, TuneReport } from './report.ts'
import type { TunedTask } from './tuned-task.ts'

/** Each further model doubles the ladders. */
const MOST_MODELS = 6

export interface TuneOptions {
  /** From small to big, as in `TunedTask.answers`; 2 to 6. */
  readonly models: readonly string[]
  /** Goal of the cascade. Default: the accuracy of the best model. */
  readonly goal?: Goal
  /** Determines the halves, the folds and the draws; default 1. */
  readonly seed?: number
  /** The day of the fit, as an ISO date. */
  readonly date: string
  /** Called after each ladder; the next ladder waits for it. */
  readonly onLadder?: (done: number, all: number) => Promise<void> | void
}

/** The report of a tuning and the fitted score of the proposed policy. */
export interface Tuned {
  readonly report: TuneReport
  /** Undefined if a single model or nothing is proposed. */
  readonly gate: CalibratedModel | undefined
}

/**
 * Fits a score on one half of recorded tasks, chooses ladder and threshold by that half alone, and reports on the
 * other half, so that the figures of the proposal are those of tasks that it has not seen. Tasks of one group are in
 * the same half.
 * @throws EchelonError INVALID_INPUT unless there are 2 to 6 models
 */
export async function tune(
  tasks: readonly TunedTask[],
  { models, goal, seed = 1, date, onLadder }: TuneOptions,
): Promise<Tuned> {
  checkModels(models)
  const halves = halvesOf(tasks, seed)
  const all = laddersOf(models, halves)
  const ladders: TunedLadder[] = []
  for (const rungs of all) {
    ladders.push(tuneLadder(halves, rungs, { models, date, seed }))
    // Each ladder waits: a program that shows progress has to draw it.
    // oxlint-disable-next-line no-await-in-loop
    await onLadder?.(ladders.length, all.length)
  }
  const last = models.length - 1
  const isPriced = ladders.every(({ tested, candidates }) =>
    [...tested, ...candidates].every(({ figures }) => figures.cost.value !== null),
  )
  if (goal?.kind === 'cost' && !isPriced && tasks.length > 0) throw unpriced()
  const priceOf: PriceOf = ({ rungs, figures }) =>
    isPriced ? (figures.cost.value ?? 0) : rungs.at(-1) === last ? figures.asked_last : 0
  const chosen = choose(ladders, goal, priceOf)
  const proposal = chosen && proposalOf(chosen, ladders, models)
  return {
    gate: chosen && ladderOf(chosen, ladders)?.gate?.model,
    report: {
      kind: 'tune',
      version: 1,
      date,
      seed,
      halves: { fit: sizeOf(halves.fit), test: sizeOf(halves.test) },
      price: isPriced ? 'cost' : 'asked_last',
      models: models.map((model, at) => modelReport(model, ladders[at])),
      ladders: ladders.map(({ report }) => report),
      frontier: frontier(ladders, models, priceOf),
      proposal: proposal ?? null,
      goal:
        goal === undefined
          ? null
          : { ...goal, check: proposal ? checkGoal(proposal.test, goal) : null },
    },
  }
}

function checkModels(models: readonly string[]): void {
  if (models.length >= 2 && models.length <= MOST_MODELS) return
  throw new EchelonError(
    'INVALID_INPUT',
    `a cascade is tuned for 2 to ${MOST_MODELS} models; there are ${models.length}: ${models.join(', ')}`,
  )
}

const unpriced = (): EchelonError =>
  new EchelonError(
    'INVALID_INPUT',
    'a cost goal needs the cost of every answer; add `cost` to the traces, or give the cost of an answer for each model',
  )

function halvesOf(tasks: readonly TunedTask[], seed: number): Halves {
  const isFit = ({ group }: TunedTask): boolean => digestText(`${seed} ${group}`) % 2 === 0
  return { fit: tasks.filter(isFit), test: tasks.filter((task) => !isFit(task)) }
}

const sizeOf = (tasks: readonly TunedTask[]): TuneReport['halves']['fit'] => ({
  tasks: tasks.length,
  groups: new Set(tasks.map(({ group }) => group)).size,
})

/**
 * Each model alone, then the ladders of more, by their length. Ladders that lead to a model that is less often right
 * on the half to fit on are left out.
 */
function laddersOf(models: readonly string[], { fit }: Halves): readonly (readonly number[])[] {
  const places = Array.from(models.keys())
  const right = places.map(
    (at) => fit.filter(({ answers }) => answers[at]?.isRight === true).length,
  )
  const rises = (rungs: readonly number[]): boolean =>
    rungs.every((rung, at) => at === 0 || (right[rung] ?? 0) >= (right[rungs[at - 1] ?? 0] ?? 0))
  return Array.from({ length: 2 ** models.length - 1 }, (_, at) =>
    places.filter((place) => (((at + 1) >> place) & 1) === 1),
  )
    .filter(rises)
    .toSorted((a, b) => a.length - b.length || (a[0] ?? 0) - (b[0] ?? 0))
}

function choose(
  ladders: readonly TunedLadder[],
  goal: Goal | undefined,
  priceOf: PriceOf,
): Candidate | undefined {
  const candidates = ladders.flatMap((ladder) => ladder.candidates)
  const isFew = ladders.some(({ report }) => report.too_few !== null)
  if (isFew && !ladders.some(({ gate }) => gate !== undefined)) return undefined
  const chosen =
    goal === undefined
      ? asGoodAs(candidates, bestAlone(candidates), priceOf)
      : choosePolicy(candidates, goal, priceOf)
  return chosen && middleOfEquals(chosen, candidates)
}

/** Returns the accuracy of the best single model. */
function bestAlone(candidates: readonly Candidate[]): number {
  const alone = candidates.filter(({ rungs }) => rungs.length === 1)
  return Math.max(...alone.map(({ figures }) => figures.accuracy.value ?? 0))
}

const ladderOf = ({ rungs }: Candidate, ladders: readonly TunedLadder[]): TunedLadder | undefined =>
  ladders.find((ladder) => ladder.rungs === rungs)

function proposalOf(
  chosen: Candidate,
  ladders: readonly TunedLadder[],
  models: readonly string[],
): Proposal | undefined {
  const { threshold, figures } = chosen
  const tested = ladderOf(chosen, ladders)?.tested.find((each) => each.threshold === threshold)
  if (tested === undefined || tested.figures.tasks === 0) return undefined
  return { ...named(chosen, models), fit: figures, test: tested.figures }
}

const named = (
  { rungs, threshold }: Candidate,
  models: readonly string[],
): Pick<Proposal, 'models' | 'threshold'> => ({
  models: rungs.map((rung) => models[rung] ?? ''),
  threshold: rungs.length === 1 ? null : threshold,
})

function modelReport(model: string, alone: TunedLadder | undefined): ModelReport {
  const none = { value: null, low: null, high: null, n: 0 }
  const figures = alone?.tested[0]?.figures
  return {
    model,
    accuracy: figures?.accuracy ?? none,
    cost: figures?.cost ?? none,
    p95_latency: figures?.p95_latency ?? none,
  }
}

function frontier(
  ladders: readonly TunedLadder[],
  models: readonly string[],
  priceOf: PriceOf,
): readonly FrontierPoint[] {
  const points = ladders.flatMap(({ tested }) =>
    tested
      .filter(({ figures }) => figures.tasks > 0)
      .map((candidate) => ({ candidate, ...worthOf(candidate, priceOf) })),
  )
  return frontierOf(points).map(({ candidate, cost, value }) => ({
    ...named(candidate, models),
    price: cost,
    accuracy: value,
  }))
}
