import { type Estimate, mean, quantile, share } from '../core/statistics/intervals.ts'
import type { Score } from './gate.ts'
import { sumOf } from './judge-recorded.ts'
import type { TunedTask } from './tuned-task.ts'

/** A ladder of models, and the score from which an answer on it is accepted. */
export interface Policy {
  /** Places of its models, from small to big. */
  readonly rungs: readonly number[]
  /** 0 to 1; without meaning on a ladder of one model. */
  readonly threshold: number
}

/** The result of a task under a policy. */
interface Outcome {
  readonly isRight: boolean
  /** Number of models asked. */
  readonly asked: number
  /** True if a gate accepted the answer; the last model's answer has no gate. */
  readonly isAccepted: boolean
  /** True if a right answer was promoted. */
  readonly isNeedless: boolean
  readonly cost: number | null
  readonly latency: number | null
}

/** The figures of a policy on some tasks. Shares are 0 to 1, money is in US dollars. */
export interface PolicyFigures {
  readonly tasks: number
  readonly accuracy: Estimate
  /** Mean cost of a task; no value if a cost is unknown. */
  readonly cost: Estimate
  /** Cost of all tasks divided by the number of solved tasks; null if unknown or if no task is solved. */
  readonly cost_per_solved: number | null
  /** Share of the tasks that asked more than the first model. */
  readonly escalated: Estimate
  /** Share of the tasks that asked the last model. */
  readonly asked_last: number
  /** Seconds; no value if a latency is unknown. */
  readonly p95_latency: Estimate
  /** Share of the accepted answers that are wrong; `n` counts the accepted answers. */
  readonly wrong_accepts: Estimate
  /** Share of the escalated tasks in which a smaller model's answer was right. */
  readonly needless: Estimate
}

const UNKNOWN: Estimate = { value: null, low: null, high: null, n: 0 }

/** Computes the figures of a policy on recorded tasks. */
export function figuresOf(
  tasks: readonly TunedTask[],
  policy: Policy,
  score: Score,
): PolicyFigures {
  const outcomes = tasks.map((task) => ({ group: task.group, ...outcomeOf(task, policy, score) }))
  const escalated = outcomes.filter(({ asked }) => asked > 1)
  const accepted = outcomes.filter(({ isAccepted }) => isAccepted)
  const solved = outcomes.filter(({ isRight }) => isRight)
  const costs = known(outcomes.map(({ cost }) => cost))
  const latencies = known(outcomes.map(({ latency }) => latency))
  const total = costs?.reduce((sum, cost) => sum + cost, 0)
  return {
    tasks: tasks.length,
    accuracy: shareOf(outcomes, ({ isRight }) => isRight),
    cost: costs === undefined ? UNKNOWN : mean(costs),
    cost_per_solved: total === undefined || solved.length === 0 ? null : total / solved.length,
    escalated: shareOf(outcomes, ({ asked }) => asked > 1),
    asked_last:
      outcomes.filter(({ asked }) => asked === policy.rungs.length).length /
      Math.max(1, tasks.length),
    p95_latency: latencies === undefined ? UNKNOWN : quantile(latencies, 0.95),
    wrong_accepts: shareOf(accepted, ({ isRight }) => !isRight),
    needless: shareOf(escalated, ({ isNeedless }) => isNeedless),
  }
}

function outcomeOf(task: TunedTask, { rungs, threshold }: Policy, score: Score): Outcome {
  const costs: (number | null)[] = []
  const latencies: (number | null)[] = []
  let isNeedless = false
  for (const [at, rung] of rungs.entries()) {
    const answer = task.answers[rung]
    if (answer === undefined) continue
    const isLast = at === rungs.length - 1
    costs.push(answer.answerCost, ...(isLast ? [] : [answer.cost]))
    latencies.push(answer.answerLatency, ...(isLast ? [] : [answer.latency]))
    const isAccepted = !isLast && score(answer) >= threshold
    if (isAccepted || isLast) {
      return {
        isRight: answer.isRight,
        asked: at + 1,
        isAccepted,
        isNeedless,
        cost: sumOf(costs),
        latency: sumOf(latencies),
      }
    }
    isNeedless ||= answer.isRight
  }
  throw new RangeError('a ladder has at least one model of the task')
}

/** Returns undefined if one value is unknown. */
function known(values: readonly (number | null)[]): readonly number[] | undefined {
  const found = values.filter((value) => value !== null)
  return found.length === values.length ? found : undefined
}

interface Grouped {
  readonly group: string
}

/** A share whose interval rests on the number of groups, since tasks of one group are not independent. */
function shareOf<Row extends Grouped>(rows: readonly Row[], has: (row: Row) => boolean): Estimate {
  const groups = new Set(rows.map(({ group }) => group)).size
  return share(rows.length === 0 ? 0 : rows.filter(has).length / rows.length, groups)
}
