import type { Estimate, LadderReport, TuneReport } from 'echelon/evals'
import { clean } from '../terminal/clean.ts'
import { frontierChart, thresholdChart } from './charts.ts'
import {
  CONFIG,
  intervalOf,
  ladderName,
  money,
  percent,
  priceName,
  PROGRAM,
  seconds,
  shownBy,
  showPrice,
  tooFew,
} from './wording.ts'

export interface Page {
  readonly report: TuneReport
  /** Of the traces. */
  readonly file: string
  /** One sentence about the goal, if there is one. */
  readonly verdict: string | undefined
  /** The lines of `config.yaml`, if a cascade is proposed and decide can use it. */
  readonly config: string | undefined
  /** The lines of a program, if a cascade is proposed. */
  readonly lines: string | undefined
}

/** The report as one page that loads nothing else: no scripts, pictures as SVG, every text escaped. */
export async function htmlReport(page: Page): Promise<string> {
  const { report, file, verdict, lines, config } = page
  const { fit, test } = report.halves
  const { proposal } = report
  const proposed = report.ladders.find(
    ({ models }) => proposal !== null && ladderName(models) === ladderName(proposal.models),
  )
  const title = `Cascade tuned on ${clean(file)}`
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    `<title>${escaped(title)}</title>`,
    `<style>${STYLE}</style>`,
    '</head>',
    '<body>',
    `<h1>${escaped(title)}</h1>`,
    paragraph(
      `${fit.tasks + test.tasks} tasks: fitted on ${fit.tasks}, and all figures are of the other ${test.tasks}, which nothing was fitted on. Seed ${report.seed}, ${report.date}.`,
    ),
    ...(verdict === undefined ? [] : [verdictLine(verdict)]),
    ...(proposal === null ? [] : [proposalLine(report)]),
    ...(config === undefined ? [] : [paragraph(CONFIG), `<pre>${escaped(config)}</pre>`]),
    ...(lines === undefined ? [] : [paragraph(PROGRAM), `<pre>${escaped(lines)}</pre>`]),
    '<h2>Models</h2>',
    modelTable(report),
    `<h2>Accuracy against ${escaped(priceName(report))}</h2>`,
    ...(test.tasks === 0 ? [] : [await frontierChart(report)]),
    paragraph(
      'Each point is a threshold of a ladder. The line joins those that none beats; it is drawn by the tasks that it is measured on, so that it is a little too good. The diamond is the proposal, which was chosen on the other half.',
    ),
    frontierTable(report),
    ...(await thresholds(proposed, proposal?.threshold ?? null)),
    '<h2>Ladders</h2>',
    orderTable(report),
    ...report.ladders.flatMap((ladder) => tooFew(ladder) ?? []).map(paragraph),
    paragraph(
      'APGR is the mean share of the gap in accuracy that is recovered over all numbers of escalated tasks (a random order has .5), CPT50 and CPT80 the share of tasks to escalate for half of it and four fifths, each with its standard error by bootstrap.',
    ),
    '</body>',
    '</html>',
    '',
  ].join('\n')
}

const STYLE = [
  'body{font:15px/1.5 system-ui,sans-serif;color:#1b1f24;background:#fff;max-width:64rem;margin:2rem auto;padding:0 1rem}',
  'h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}',
  'table{border-collapse:collapse;font-variant-numeric:tabular-nums}',
  'th,td{padding:.25rem .75rem;text-align:right;border-bottom:1px solid #e7eaee}',
  'th{font-weight:400;color:#57606a}th:first-child,td:first-child{text-align:left;padding-left:0}',
  'tr.chosen td{font-weight:600;background:#fff8c5}',
  'pre{background:#f6f8fa;padding:1rem;overflow:auto}svg{max-width:100%;height:auto}',
  '.wide{overflow-x:auto}.PASS{color:#116329}.FAIL{color:#a40e26}.INCONCLUSIVE{color:#7d4e00}',
].join('')

const verdictLine = (verdict: string): string => {
  const [word = ''] = verdict.split(':')
  return `<p><strong class="${escaped(word)}">${escaped(word)}</strong>${escaped(verdict.slice(word.length))}</p>`
}

function proposalLine({ proposal }: TuneReport): string {
  if (proposal === null) return ''
  const { models, threshold, test } = proposal
  const accept = threshold === null ? 'alone' : `accepts from ${threshold} on`
  return paragraph(
    `Proposed: ${ladderName(models)}, ${accept}. Accuracy ${shownBy(test.accuracy.value, percent)} (${intervalOf(test.accuracy, percent)}), ${shownBy(test.escalated.value, percent)} escalated, ${shownBy(test.cost.value, money)} a task.`,
  )
}

const modelTable = ({ models }: TuneReport): string =>
  table(
    ['model', 'accuracy', '95 % interval', 'cost of a task', 'p95 latency'],
    models.map(({ model, accuracy, cost, p95_latency: p95 }) => ({
      cells: [
        clean(model),
        ...shareCells(accuracy),
        shownBy(cost.value, money),
        shownBy(p95.value, seconds),
      ],
    })),
  )

const shareCells = (share: Estimate): readonly string[] => [
  shownBy(share.value, percent),
  intervalOf(share, percent),
]

const frontierTable = (report: TuneReport): string =>
  table(
    ['none is better and cheaper', 'accept', 'accuracy', priceName(report)],
    report.frontier.map(({ models, threshold, accuracy, price }) => ({
      cells: [
        ladderName(models),
        shownBy(threshold, (value) => value.toFixed(4)),
        percent(accuracy),
        showPrice(report)(price),
      ],
    })),
  )

async function thresholds(
  ladder: LadderReport | undefined,
  threshold: number | null,
): Promise<readonly string[]> {
  if (ladder === undefined || threshold === null) return []
  const rows = ladder.curve.map((point) => ({
    isChosen: point.threshold === threshold,
    cells: [
      shownBy(point.threshold, (value) => value.toFixed(4)),
      shownBy(point.figures.escalated.value, percent),
      ...shareCells(point.figures.accuracy),
      shownBy(point.figures.cost.value, money),
      shownBy(point.figures.cost_per_solved, money),
      shownBy(point.figures.p95_latency.value, seconds),
      ...shareCells(point.figures.wrong_accepts),
      shownBy(point.figures.needless.value, percent),
    ],
  }))
  return [
    `<h2>Thresholds of ${escaped(ladderName(ladder.models))}</h2>`,
    await thresholdChart(ladder, threshold),
    table(THRESHOLD_COLUMNS, rows),
    paragraph(
      'Wrong accepts are of the accepted answers; needless escalations are of the escalated tasks, those whose smaller answer was right.',
    ),
  ]
}

const THRESHOLD_COLUMNS = [
  'accept',
  'escalated',
  'accuracy',
  '95 % interval',
  'cost of a task',
  'of a solved one',
  'p95',
  'wrong accepts',
  '95 % interval',
  'needless',
]

const orderTable = ({ ladders }: TuneReport): string =>
  table(
    ['ladder', 'fitted on', 'APGR', 'CPT50', 'CPT80'],
    ladders
      .filter(({ gate }) => gate !== null)
      .map(({ models, gate, order }) => ({
        cells: [
          ladderName(models),
          `${gate?.cases ?? 0} answers`,
          order === null ? '–' : `${order.apgr.value.toFixed(3)} ± ${order.apgr.error.toFixed(3)}`,
          order === null ? '–' : withError(order.cpt50),
          order === null ? '–' : withError(order.cpt80),
        ],
      })),
  )

const withError = ({ value, error }: { readonly value: number; readonly error: number }): string =>
  `${percent(value)} ± ${(100 * error).toFixed(1)}`

interface Row {
  readonly cells: readonly string[]
  readonly isChosen?: boolean
}

function table(head: readonly string[], rows: readonly Row[]): string {
  const cells = (tag: string, texts: readonly string[]): string =>
    texts.map((text) => `<${tag}>${escaped(text)}</${tag}>`).join('')
  return [
    '<div class="wide"><table>',
    `<tr>${cells('th', head)}</tr>`,
    ...rows.map(
      ({ cells: texts, isChosen = false }) =>
        `<tr${isChosen ? ' class="chosen"' : ''}>${cells('td', texts)}</tr>`,
    ),
    '</table></div>',
  ].join('\n')
}

const paragraph = (text: string): string => `<p>${escaped(text)}</p>`

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => ESCAPES[sign] ?? '')
