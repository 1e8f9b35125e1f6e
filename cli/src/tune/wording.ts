import type { Estimate, Goal, GoalCheck, LadderReport, TuneReport } from 'echelon/evals'
import { clean } from '../terminal/clean.ts'

/** With one decimal, and more if it would read as 0 or 100 %. */
export function percent(part: number): string {
  const least = Math.min(part, 1 - part)
  const places = least > 0 && least < 0.001 ? Math.min(6, Math.ceil(-Math.log10(least)) - 1) : 1
  return `${(part * 100).toFixed(places)} %`
}
export const money = (amount: number): string =>
  amount === 0 ? '$0' : `$${Number(amount.toPrecision(3))}`
export const seconds = (time: number): string =>
  time < 0.1 ? `${(time * 1000).toFixed(0)} ms` : `${time.toFixed(2)} s`

export const shownBy = (value: number | null, as: (value: number) => string): string =>
  value === null ? '–' : as(value)

export const intervalOf = ({ low, high }: Estimate, as: (value: number) => string): string =>
  low === null || high === null ? '–' : `${as(low)} – ${as(high)}`

/** A ladder, as `small → big`. */
export const ladderName = (models: readonly string[]): string => models.map(clean).join(' → ')

/** Title of the horizontal axis. */
export const priceName = ({ price }: TuneReport): string =>
  price === 'cost' ? 'cost of a task' : 'share that asks the biggest model'

export const showPrice = ({ price }: TuneReport): ((value: number) => string) =>
  price === 'cost' ? money : percent

/** Explains why a ladder has no gate. */
export function tooFew({ models, too_few: few }: LadderReport): string | undefined {
  if (few === null) return undefined
  const rare = Math.min(few.right, few.wrong)
  const what = few.wrong < few.right ? 'wrong' : 'right'
  return `${ladderName(models)}: not enough cases: the half to fit on has ${rare} ${what} answers to tell apart, and 10 are needed`
}

const WHAT: Readonly<Record<Goal['kind'], string>> = {
  accuracy: 'accuracy',
  cost: 'cost of a task',
  risk: 'error rate of the accepted answers',
}

/** One sentence: the goal, the figure with its bound, and what they say. */
export function describeGoal(
  goal: NonNullable<TuneReport['goal']>,
  moreTasks: number | undefined,
): string {
  const { kind, value, check } = goal
  const as = kind === 'cost' ? money : percent
  const side = kind === 'accuracy' ? 'at least' : 'at most'
  const wanted = `${WHAT[kind]} ${side} ${as(value)}`
  if (check === null) return `INCONCLUSIVE: ${wanted}: not enough cases`
  if (check.figure === null) {
    return `INCONCLUSIVE: ${wanted}: no answer was accepted; it takes at least ${check.further ?? 'more'} that are all right`
  }
  const bound = kind === 'accuracy' ? check.low : check.high
  const figure = `${as(check.figure)} of ${check.n} cases, ${side} ${shownBy(bound, as)} with 95 % confidence`
  return `${check.verdict}: ${wanted}: it is ${figure}${moreOf(check, moreTasks)}`
}

function moreOf({ verdict, further }: GoalCheck, moreTasks: number | undefined): string {
  if (verdict !== 'INCONCLUSIVE') return ''
  return further === null
    ? '; more cases like these would not show it'
    : `; not enough cases: about ${(moreTasks ?? further).toLocaleString('en-US')} more tasks would show it, if the figure stays`
}

/**
 * About how many more tasks the traces need: half of them are fitted on, and of the others those count that the
 * figure rests on.
 */
export function moreTasks({ goal, halves }: TuneReport): number | undefined {
  const check = goal?.check
  if (!check || check.further === null || check.n === 0) return undefined
  const { fit, test } = halves
  return Math.ceil((check.further * (fit.tasks + test.tasks)) / check.n)
}

/** Where the lines of a tuning belong. */
export const CONFIG = 'In config.yaml, for the command decide and createDecider:'
export const PROGRAM =
  'In a program, as middleware of a chat agent; cascadeModel of echelon/verify takes the same arguments:'
