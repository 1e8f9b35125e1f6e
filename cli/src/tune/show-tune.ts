import type { CurvePoint, LadderReport, Proposal, TuneReport } from 'echelon/evals'
import pc from 'picocolors'
import { clean } from '../terminal/clean.ts'
import { type PlottedPoint, textPlot } from './text-plot.ts'
import {
  intervalOf,
  ladderName,
  money,
  percent,
  priceName,
  seconds,
  shownBy,
  showPrice,
  tooFew,
} from './wording.ts'

/** Formats the report for the terminal. */
export function describeTune(report: TuneReport, file: string): string {
  const { fit, test } = report.halves
  const head = `${fit.tasks + test.tasks} tasks of ${clean(file)}: fitted on ${fit.tasks}, reported on the other ${test.tasks}`
  const dependent =
    test.groups < test.tasks ? [`${test.groups} groups of dependent tasks count as cases`] : []
  return [
    pc.bold(head),
    ...dependent,
    '',
    ...modelTable(report),
    '',
    ...orders(report),
    ...picture(report),
    ...proposalTable(report),
  ]
    .join('\n')
    .trimEnd()
}

function modelTable({ models }: TuneReport): readonly string[] {
  const rows = table(
    ['model', 'accuracy', '95 % interval', 'cost of a task', 'p95'],
    models.map(({ model, accuracy, cost, p95_latency: p95 }) => [
      clean(model),
      shownBy(accuracy.value, percent),
      intervalOf(accuracy, percent),
      shownBy(cost.value, money),
      shownBy(p95.value, seconds),
    ]),
  )
  const isUnpriced = models.some((one) => one.accuracy.value !== null && one.cost.value === null)
  return isUnpriced ? [...rows, pc.dim(UNPRICED)] : rows
}

const UNPRICED =
  'a cost is unknown: record cost or tokens of a listed model, or give --cost MODEL=DOLLARS'

/** Lists the order figures of each pair of models, and the ladders with too few cases. */
function orders({ ladders }: TuneReport): readonly string[] {
  const rows = ladders.flatMap(({ models, order }) =>
    order === null
      ? []
      : [
          [
            ladderName(models),
            `${order.apgr.value.toFixed(3)} ± ${order.apgr.error.toFixed(3)}`,
            `${percent(order.cpt50.value)} ± ${(100 * order.cpt50.error).toFixed(1)}`,
            `${percent(order.cpt80.value)} ± ${(100 * order.cpt80.error).toFixed(1)}`,
          ],
        ],
  )
  const few = ladders.flatMap((ladder) => tooFew(ladder) ?? []).map((line) => pc.yellow(line))
  const lines =
    rows.length === 0
      ? []
      : [...table(['order of escalation', 'APGR', 'CPT50', 'CPT80'], rows), pc.dim(ORDER_NOTE)]
  return [...lines, ...few, '']
}

const ORDER_NOTE =
  'APGR: mean share of the gap between the models that is recovered; CPT50, CPT80: share to escalate to recover 50, 80 % of it'

const FIELD = { width: 60, height: 13 }

/** Accuracy against cost: every threshold of every ladder, and those that nothing beats. */
function picture(report: TuneReport): readonly string[] {
  const { ladders, frontier, proposal } = report
  const points = ladders.flatMap(({ curve, models }) =>
    curve.flatMap(({ figures }): readonly PlottedPoint[] =>
      figures.accuracy.value === null
        ? []
        : [{ x: priceOf(report, models, figures), y: figures.accuracy.value, sign: '·' }],
    ),
  )
  if (points.length === 0) return []
  const best = frontier.map(({ price, accuracy }) => ({ x: price, y: accuracy, sign: '●' }))
  const proposed =
    proposal === null
      ? []
      : [
          {
            x: priceOf(report, proposal.models, proposal.test),
            y: proposal.test.accuracy.value ?? 0,
            sign: '◆',
          },
        ]
  return [
    pc.bold(`accuracy against ${priceName(report)}`),
    ...textPlot([...points, ...best, ...proposed], {
      ...FIELD,
      showX: showPrice(report),
      showY: percent,
    }),
    pc.dim('  ● none is better and cheaper   · the other thresholds   ◆ proposed'),
    '',
  ]
}

function priceOf(
  { price, models }: TuneReport,
  ladder: readonly string[],
  figures: CurvePoint['figures'],
): number {
  if (price === 'cost') return figures.cost.value ?? 0
  return ladder.at(-1) === models.at(-1)?.model ? figures.asked_last : 0
}

/** Most thresholds to list; the file has all. */
const MOST_ROWS = 12

function proposalTable({ proposal, ladders }: TuneReport): readonly string[] {
  if (proposal === null) return []
  const ladder = ladders.find((each) => ladderName(each.models) === ladderName(proposal.models))
  if (ladder === undefined) return []
  const rows = thinned(ladder, proposal).map((point) => {
    const { threshold, figures } = point
    return [
      `${threshold === proposal.threshold ? '◆' : ' '} ${shownBy(threshold, (value) => value.toFixed(4))}`,
      shownBy(figures.escalated.value, percent),
      shownBy(figures.accuracy.value, percent),
      intervalOf(figures.accuracy, percent),
      shownBy(figures.cost.value, money),
      shownBy(figures.cost_per_solved, money),
      shownBy(figures.p95_latency.value, seconds),
      shownBy(figures.wrong_accepts.value, percent),
      shownBy(figures.needless.value, percent),
    ]
  })
  return [pc.bold(ladderName(proposal.models)), ...table(COLUMNS, rows), pc.dim(NOTE)]
}

const COLUMNS = [
  '  accept',
  'escalated',
  'accuracy',
  '95 % interval',
  'cost',
  'a solved one',
  'p95',
  'wrong accepts',
  'needless',
]
const NOTE =
  'wrong accepts: of the accepted answers; needless: of the escalated tasks those whose small answer was right'

/** Picks some points of the curve, with the proposed one. */
function thinned({ curve }: LadderReport, { threshold }: Proposal): readonly CurvePoint[] {
  const step = Math.max(1, (curve.length - 1) / (MOST_ROWS - 1))
  const kept = new Set(
    Array.from({ length: Math.min(MOST_ROWS, curve.length) }, (_, at) => Math.round(at * step)),
  )
  return curve.filter((point, at) => kept.has(at) || point.threshold === threshold)
}

/** The first column to the left, figures to the right. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const widths = head.map((name, column) =>
    Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
  return [pc.dim(line(head)), ...rows.map(line)]
}
