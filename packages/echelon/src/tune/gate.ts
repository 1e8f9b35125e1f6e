import { outOfFold } from '../core/statistics/cross-validation.ts'
import { type CalibratedModel, probabilityBy } from '../verify/calibrated/calibrated-model.ts'
import { fitCalibrated, PENALTY } from '../verify/calibrated/fit-calibrated.ts'
import type { TunedAnswer, TunedTask } from './tuned-task.ts'

/** Fewest right and fewest wrong answers to fit a gate on. */
const LEAST_CASES = 10

/** A fitted score, with cross-validated scores of the answers that it was fitted on. */
export interface Gate {
  readonly model: CalibratedModel
  /** Score of each answer by a fit that has not seen it. */
  readonly scores: ReadonlyMap<TunedAnswer, number>
}

/**
 * Fits one score on the answers of all models that it is to judge.
 * @param rungs the places of these models
 * @param date of the fit, as an ISO date
 * @returns undefined with fewer than ten right or ten wrong answers that no verifier has settled
 */
export function fitGate(
  tasks: readonly TunedTask[],
  rungs: readonly number[],
  { date, seed }: { readonly date: string; readonly seed: number },
): Gate | undefined {
  const open = openAnswers(tasks, rungs)
  const { right, wrong } = countOf(open)
  if (Math.min(right, wrong) < LEAST_CASES) return undefined
  const model = fitCalibrated(
    open.map(({ features, isRight }) => ({ features, right: isRight })),
    { date },
  )
  const names = Object.keys(model.features)
  const rows = open.map(({ features, isRight }) => ({
    values: names.map((name) => features[name] ?? 0),
    outcome: isRight,
  }))
  const chances = outOfFold(rows, PENALTY, seed)
  return { model, scores: new Map(open.map((answer, at) => [answer, chances[at] ?? 0])) }
}

/** Returns the answers that no verifier has proved or refuted. */
export const openAnswers = (
  tasks: readonly TunedTask[],
  rungs: readonly number[],
): readonly TunedAnswer[] =>
  tasks.flatMap(({ answers }) =>
    rungs.flatMap((rung) => answers[rung] ?? []).filter(({ settled }) => settled === null),
  )

/** Counts right and wrong answers. */
export function countOf(answers: readonly TunedAnswer[]): {
  readonly right: number
  readonly wrong: number
} {
  const right = answers.filter(({ isRight }) => isRight).length
  return { right, wrong: answers.length - right }
}

/** The score of an answer, 0 to 1; above 1 if every threshold accepts it, and below 0 if none does. */
export type Score = (answer: TunedAnswer) => number

const ALWAYS = 2
const NEVER = -1

/** The scores by the fitted model, for tasks that it has not seen. */
export function scoreBy({ model }: Gate): Score {
  const scores = new Map<TunedAnswer, number>()
  return (answer) => {
    const before = scores.get(answer)
    if (before !== undefined) return before
    const score = settledScore(answer) ?? probabilityBy(model, answer.features) ?? NEVER
    scores.set(answer, score)
    return score
  }
}

/** The scores of the tasks that it was fitted on. */
export const scoreOutOfFold =
  ({ scores }: Gate): Score =>
  (answer) =>
    settledScore(answer) ?? scores.get(answer) ?? NEVER

function settledScore({ settled }: TunedAnswer): number | undefined {
  if (settled === 'proved') return ALWAYS
  return settled === null ? undefined : NEVER
}
