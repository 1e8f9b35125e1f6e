import { agree } from '../../../packages/echelon/src/verify/agree/agree.ts'
import { inWords } from '../../../packages/echelon/src/verify/agree/way.ts'
import { call } from '../../../packages/echelon/src/verify/call/call.ts'
import type { Judgment, Verifier } from '../../../packages/echelon/src/verify/verifier.ts'
import { loadPrices } from '../../../packages/echelon/src/providers/prices.ts'
import { standardErrors } from './bootstrap.ts'
import { throughCascade } from './call-ladder.ts'
import { CALLERS, type CallRow, CALLS_FILE, readCalls } from './call-rows.ts'
import { outOfFold } from './cross-validation.ts'
import { Goals } from './goals.ts'
import { judgeByRecord, recorded } from './observed.ts'
import { type Line, printLines, printPercent, printShare } from './table.ts'

const COLUMNS = ['accuracy', 'escalated', 'cost', 'cost at .904']
const SEEDS: readonly number[] = [1, 2, 3, 4, 5, 6, 7, 8]
/** Of the cost of the big model alone. */
const BUDGET = 0.6
const WANTED = 0.904

interface Priced {
  readonly small: number
  readonly opinion: number
  readonly big: number
}

interface Case {
  readonly smallRight: boolean
  readonly bigRight: boolean
  readonly cost: Priced
}

/**
 * Measures when to accept tool calls of GPT-3.5 and when to escalate to GPT-4o: by the calls' own evidence, and with
 * the calls of GPT-4o mini as a second opinion. The score is a logistic regression by ten-fold cross-validation; the
 * cases with the lowest scores are escalated as long as the whole costs at most .6 of GPT-4o alone. Cost is the
 * recorded tokens at list prices, the second opinion included.
 */
export async function callFigures(folder: string, goals: Goals = new Goals()): Promise<string> {
  const rows = await readCalls(folder)
  if (rows === undefined) return `${CALLS_FILE}: absent: skipped`
  const cases = await priced(rows)
  const opinion = agree({ ways: [inWords('opinion')], atMost: 1, need: 2 })
  const own = rows.map((row) => judge(row, [call()]))
  const both = rows.map((row) => judge(row, [call(), opinion]))
  const ours = orderLine('call, agree (GPT-4o mini), fitted', cases, fitted(rows, both), {
    note: `goal: accuracy ≥ ${printShare(WANTED)} at cost ≤ ${printShare(BUDGET)}`,
  })
  const big = rows.filter((row) => row.big.right).length / rows.length
  goals.add({
    data: 'BFCL tool calls, GPT-3.5 → GPT-4o, GPT-4o mini as second opinion',
    ours: `${ours.cells['accuracy']} at ${ours.cells['cost']} of GPT-4o's cost`,
    goal: '≥ .904 at ≤ .600',
    reached: ours.figures.accuracy >= WANTED && ours.figures.cost <= BUDGET,
    anchors: `disagreement alone .910 at 36 % escalated; GPT-4o alone ${printShare(big)} on these rows`,
  })
  return printLines(COLUMNS, [
    ours,
    orderLine('agree (GPT-4o mini) alone', cases, [rows.map((row) => scoreOf(row, opinion))]),
    orderLine('call alone, fitted', cases, fitted(rows, own), { withOpinion: false }),
    orderLine('call alone, not fitted', cases, [rows.map((row) => scoreOf(row, call()))], {
      withOpinion: false,
    }),
    orderLine('ideal verifier', cases, [cases.map(({ smallRight }) => Number(smallRight))], {
      withOpinion: false,
    }),
    await throughCascade(rows),
    ...aloneLines(rows, cases),
  ])
}

const fitted = (
  rows: readonly CallRow[],
  features: readonly Judgment['features'][],
): readonly (readonly number[])[] => {
  const judged = rows.map(({ small }, at) => ({ features: features[at] ?? {}, right: small.right }))
  return SEEDS.map((seed) => outOfFold(judged, seed))
}

const judge = (row: CallRow, verifiers: readonly Verifier[]): Judgment['features'] =>
  Object.assign({}, ...verifiers.map((verifier) => judgedRow(row, verifier).features))

const scoreOf = (row: CallRow, verifier: Verifier): number => judgedRow(row, verifier).score

const judgedRow = ({ attempt, opinion }: CallRow, verifier: Verifier): Judgment =>
  judgeByRecord(verifier, attempt, () => recorded(CALLERS.opinion, '', opinion.calls)).judgment

async function priced(rows: readonly CallRow[]): Promise<readonly Case[]> {
  const prices = await loadPrices()
  const costOf = (model: string, usage: CallRow['small']['tokens']): number => {
    const cost = prices.priceOf('openai', model)(usage)
    if (cost === null) throw new Error(`the price list has no ${model}`)
    return cost
  }
  return rows.map(({ small, opinion, big }) => ({
    smallRight: small.right,
    bigRight: big.right,
    cost: {
      small: costOf(CALLERS.small, small.tokens),
      opinion: costOf(CALLERS.opinion, opinion.tokens),
      big: costOf(CALLERS.big, big.tokens),
    },
  }))
}

interface Point {
  readonly accuracy: number
  readonly escalated: number
  /** As a share of the cost of the big model alone. */
  readonly cost: number
}

/** The cascade with none escalated, one, and so on, lowest scores first. */
function curveOf(
  cases: readonly (Case & { readonly score: number })[],
  withOpinion: boolean,
): readonly Point[] {
  const all = sum(cases.map(({ cost }) => cost.big))
  const first = sum(cases.map(({ cost }) => cost.small + (withOpinion ? cost.opinion : 0)))
  let right = cases.filter(({ smallRight }) => smallRight).length
  let spent = first
  const points = [{ accuracy: right / cases.length, escalated: 0, cost: spent / all }]
  for (const [at, one] of cases.toSorted((a, b) => a.score - b.score).entries()) {
    right += Number(one.bigRight) - Number(one.smallRight)
    spent += one.cost.big
    points.push({
      accuracy: right / cases.length,
      escalated: (at + 1) / cases.length,
      cost: spent / all,
    })
  }
  return points
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

type Figures = Point & { readonly reached: number }

/** The last point within the budget, and the cost of the first point that is as accurate as wanted. */
function figuresOf(points: readonly Point[]): Figures {
  const within = points.findLast(({ cost }) => cost <= BUDGET)
  const reached = points.find(({ accuracy }) => accuracy >= WANTED)
  const none = Number.NaN
  const { accuracy = none, escalated = none, cost = none } = within ?? {}
  return { accuracy, escalated, cost, reached: reached?.cost ?? none }
}

function orderLine(
  name: string,
  cases: readonly Case[],
  runs: readonly (readonly number[])[],
  { withOpinion = true, note }: { readonly withOpinion?: boolean; readonly note?: string } = {},
): Line & { readonly figures: Figures } {
  const measured = (drawn: readonly number[]): Figures => {
    const all = runs.map((scores) =>
      figuresOf(
        curveOf(
          drawn.flatMap((at) => {
            const [one, score] = [cases[at], scores[at]]
            return one === undefined || score === undefined ? [] : [{ ...one, score }]
          }),
          withOpinion,
        ),
      ),
    )
    const mean = (of: (figures: Figures) => number): number => sum(all.map(of)) / all.length
    return {
      accuracy: mean(({ accuracy }) => accuracy),
      escalated: mean(({ escalated }) => escalated),
      cost: mean(({ cost }) => cost),
      reached: mean(({ reached }) => reached),
    }
  }
  const errors = standardErrors(cases.length, (drawn) => ({ ...measured(drawn) }))
  const figures = measured([...cases.keys()])
  const { accuracy, escalated, cost, reached } = figures
  return {
    figures,
    name,
    cells: {
      accuracy: printShare(accuracy, errors['accuracy']),
      escalated: printPercent(escalated, errors['escalated']),
      cost: printShare(cost),
      'cost at .904': Number.isNaN(reached) ? '-' : printShare(reached, errors['reached']),
    },
    ...(note === undefined ? {} : { note }),
  }
}

function aloneLines(rows: readonly CallRow[], cases: readonly Case[]): readonly Line[] {
  const all = sum(cases.map(({ cost }) => cost.big))
  return (['small', 'opinion', 'big'] as const).map((who) => ({
    name: `${CALLERS[who]} alone`,
    cells: {
      accuracy: printShare(rows.filter((row) => row[who].right).length / rows.length),
      cost: printShare(sum(cases.map(({ cost }) => cost[who])) / all),
    },
  }))
}
