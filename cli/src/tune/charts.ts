import type { LadderReport, TuneReport } from 'echelon/evals'
import { Error as ERRORS_ONLY, logger, parse, View } from 'vega'
import { compile, type Config, type TopLevelSpec } from 'vega-lite'
import { ladderName, priceName } from './wording.ts'

/** Told apart with any color vision (Okabe and Ito 2008). */
const COLORS = ['#0072B2', '#D55E00', '#009E73', '#CC79A7', '#E69F00', '#56B4E9', '#999999']

const CONFIG: Config = {
  font: 'system-ui, sans-serif',
  background: '#ffffff',
  view: { stroke: 'transparent' },
  axis: { labelFontSize: 12, titleFontSize: 12, titleFontWeight: 400, gridColor: '#e7eaee' },
  legend: { orient: 'bottom', columns: 1, labelLimit: 600, labelFontSize: 12, title: null },
}
const SIZE = { width: 680, height: 340 }

/** Accuracy against cost: each threshold of each ladder, the frontier, and the proposal. */
export function frontierChart(report: TuneReport): Promise<string> {
  const { ladders, frontier, proposal, price } = report
  const rows = ladders.flatMap((ladder) => rowsOf(ladder, report))
  const chosen =
    proposal === null
      ? []
      : rowsOf({ ...proposal, curve: [{ ...proposal, figures: proposal.test }] }, report)
  const x = quantity('price', priceName(report), price === 'cost' ? '$~g' : '.0%')
  const y = quantity('accuracy', 'accuracy', '.0%')
  return svgOf({
    ...SIZE,
    layer: [
      {
        data: {
          values: frontier.map((point) => ({ price: point.price, accuracy: point.accuracy })),
        },
        mark: { type: 'line', interpolate: 'step-after', color: '#8c959f', strokeWidth: 1.5 },
        encoding: { x, y },
      },
      {
        data: { values: rows },
        mark: { type: 'point', filled: true, size: 45, opacity: 0.85 },
        encoding: {
          x,
          y,
          color: {
            field: 'ladder',
            type: 'nominal',
            scale: { range: COLORS },
            sort: ladders.map(({ models }) => ladderName(models)),
          },
        },
      },
      {
        data: { values: chosen },
        mark: { type: 'point', shape: 'diamond', size: 220, strokeWidth: 2.5, color: '#1b1f24' },
        encoding: { x, y },
      },
    ],
  })
}

/** A position on an axis; a domain that is not given fits the data, without the zero. */
const quantity = (field: string, title: string, format: string, domain?: [number, number]) => ({
  field,
  type: 'quantitative' as const,
  scale: domain === undefined ? { zero: false, nice: true } : { domain },
  axis: { title, format },
})

interface PlottedRow {
  readonly ladder: string
  readonly price: number
  readonly accuracy: number
}

function rowsOf(
  { models, curve }: Pick<LadderReport, 'models' | 'curve'>,
  report: TuneReport,
): readonly PlottedRow[] {
  const isLast = models.at(-1) === report.models.at(-1)?.model
  return curve.flatMap(({ figures }) => {
    const accuracy = figures.accuracy.value
    const asked = isLast ? figures.asked_last : 0
    const price = report.price === 'cost' ? figures.cost.value : asked
    return accuracy === null || price === null
      ? []
      : [{ ladder: ladderName(models), price, accuracy }]
  })
}

const SHOWN = [
  ['accuracy', 'accuracy'],
  ['escalated', 'escalated'],
  ['wrong_accepts', 'wrong accepts'],
  ['needless', 'needless escalations'],
] as const

/** Shares over the thresholds of a ladder, with a rule at the proposed one. */
export function thresholdChart({ curve }: LadderReport, threshold: number): Promise<string> {
  const values = curve.flatMap((point) =>
    SHOWN.flatMap(([field, name]) => {
      const share = point.figures[field].value
      return share === null ? [] : [{ threshold: point.threshold, name, share }]
    }),
  )
  const x = quantity('threshold', 'accepted from this score on', '~g', [0, 1])
  return svgOf({
    ...SIZE,
    layer: [
      {
        data: { values },
        mark: { type: 'line', strokeWidth: 2, point: { size: 18 } },
        encoding: {
          x,
          y: quantity('share', 'share', '.0%', [0, 1]),
          color: {
            field: 'name',
            type: 'nominal',
            scale: { range: COLORS },
            sort: SHOWN.map(([, name]) => name),
          },
        },
      },
      {
        data: { values: [{ threshold }] },
        mark: { type: 'rule', color: '#1b1f24', strokeDash: [4, 4] },
        encoding: { x },
      },
    ],
  })
}

/** Vega logs what goes wrong and draws on without it; here that ends the drawing. */
const strict = logger(ERRORS_ONLY, 'error', (_method, _level, reasons) => {
  throw new Error(`the chart cannot be drawn: ${reasons.join(' ')}`)
})

async function svgOf(chart: TopLevelSpec): Promise<string> {
  const { spec } = compile({ ...chart, config: CONFIG }, { logger: strict })
  const view = new View(parse(spec), { renderer: 'none', logger: strict })
  const svg = await view.toSVG()
  view.finalize()
  return svg
}
