import type { Answer, Attempt, Wanted } from '../../../packages/echelon/src/verify/answer.ts'
import { opinionFeatures } from '../../../packages/echelon/src/verify/agree/opinion.ts'
import {
  finalAnswer,
  sameAnswer,
} from '../../../packages/echelon/src/verify/format/final-answer.ts'
import { format } from '../../../packages/echelon/src/verify/format/format.ts'
import { steps } from '../../../packages/echelon/src/verify/steps/steps.ts'
import type { Judgment, Verifier } from '../../../packages/echelon/src/verify/verifier.ts'
import { outOfFold, type ScorableCase } from './cross-validation.ts'
import { GSM8K_FILE, type Gsm8kRow, readGsm8k, type RecordedAnswer } from './gsm8k-rows.ts'
import { moneyLines } from './gsm8k-money.ts'
import { type GoalRow, Goals } from './goals.ts'
import {
  anchorLine,
  type Graded,
  ORDER_COLUMNS,
  type OrderLine,
  orderLine,
} from './measured-order.ts'
import { type Line, printLines } from './table.ts'

/** Divisions into folds, over whose figures is averaged. */
const SEEDS: readonly number[] = [1, 2, 3, 4, 5, 6, 7, 8]

const NUMBER: Wanted = { kind: 'number' }

/**
 * Measures the order in which recorded answers to GSM8K are escalated from Mixtral 8x7B to GPT-4. Scores are fitted
 * by cross-validation on features of the question, the small model's answer and the opinions, never of GPT-4's.
 */
export async function gsm8kFigures(folder: string, goals: Goals = new Goals()): Promise<string> {
  const rows = await readGsm8k(folder)
  if (rows === undefined) return `${GSM8K_FILE}: absent: skipped`
  const judged = rows.map(judge)
  const own = ownLines(rows, judged)
  const milliseconds = judged.map((each) => each.milliseconds).toSorted((a, b) => a - b)
  for (const goal of [...orderGoals(own), paceGoal(milliseconds)]) goals.add(goal)
  return [
    printLines(ORDER_COLUMNS, [...own, ...ANCHORS, idealLine(rows)]),
    verdicts(rows, judged),
    extraction(rows),
    `format and steps take ${at(milliseconds, 0.5)} ms (median), ${at(milliseconds, 0.95)} ms (p95); goal: median < 1 ms`,
    await moneyLines(rows, outOfFold(casesOf(rows, judged, NO_MORE), SEEDS[0] ?? 1)),
  ].join('\n')
}

/** The judgments of the verifiers that need no other model. */
interface Judged {
  readonly format: Judgment
  readonly steps: Judgment
  /** Both together. */
  readonly milliseconds: number
}

function judge({ question, small }: Gsm8kRow): Judged {
  const attempt = attemptOf(question, small)
  const start = performance.now()
  const found = { format: judgmentBy(format, attempt), steps: judgmentBy(steps, attempt) }
  return { ...found, milliseconds: performance.now() - start }
}

const attemptOf = (question: string, answer: RecordedAnswer): Attempt => ({
  task: { question, wanted: NUMBER },
  answer: textOf(answer),
  made: [],
})

function judgmentBy(verifier: Verifier, attempt: Attempt): Judgment {
  const judgment = verifier.verify(attempt, [])
  if (judgment.verdict === 'ask') throw new Error(`${verifier.name} asks for effects`)
  return judgment
}

const textOf = ({ text }: RecordedAnswer): Answer => ({ type: 'text', text })

function ownLines(rows: readonly Gsm8kRow[], judged: readonly Judged[]): readonly OrderLine[] {
  const graded = rows.map(gradesOf)
  const line = (name: string, evidence: Evidence, note: string): OrderLine => {
    const cases = casesOf(rows, judged, evidence)
    const runs = SEEDS.map((seed) => outOfFold(cases, seed))
    return orderLine(name, graded, runs, note)
  }
  const hasOpinions = rows.every(({ opinions }) => opinions.length > 0)
  return [
    line(OWN, NO_MORE, 'goal: APGR ≥ .70'),
    ...(hasOpinions
      ? [
          line(
            'echelon, one opinion (6B verified)',
            opinionOf(['6b_verification']),
            'anchor: .711 as a plain order',
          ),
          line(
            'echelon, one opinion (175B verified)',
            opinionOf(['175b_verification']),
            'anchor: .771',
          ),
          line(
            FOUR,
            opinionOf(rows[0]?.opinions.map(({ model }) => model) ?? []),
            'goal: APGR ≥ .80, CPT80 ≤ 34 %, ≥ .76 at 15 %',
          ),
        ]
      : []),
  ]
}

const OWN = 'echelon, own evidence'
const FOUR = 'echelon, four opinions'

function orderGoals(lines: readonly OrderLine[]): readonly GoalRow[] {
  const goal = (name: string, of: (line: OrderLine) => GoalRow): readonly GoalRow[] => {
    const line = lines.find((each) => each.name === name)
    return line === undefined ? [] : [of(line)]
  }
  return [
    ...goal(OWN, ({ cells, figures: { apgr } }) => ({
      data: 'GSM8K, Mixtral → GPT-4, own evidence',
      ours: `APGR ${cells['APGR']}`,
      goal: 'APGR ≥ .70',
      reached: apgr >= 0.7,
      anchors: 'cascadeflow .47 to .62, RouteLLM .622, 14 hand features .665, ideal .912',
    })),
    ...goal(FOUR, ({ cells, figures: { apgr, cpt80, accuracyAt15 } }) => ({
      data: 'the same, four cheap second opinions',
      ours: `APGR ${cells['APGR']}, CPT80 ${cells['CPT80']}, accuracy ${cells['accuracy at 15 %']} at 15 %`,
      goal: 'APGR ≥ .80, CPT80 ≤ 34 %, ≥ .76',
      reached: apgr >= 0.8 && cpt80 <= 0.34 && accuracyAt15 >= 0.76,
      anchors: 'logistic regression .783, 35.7 %, .754; ideal .912, 23.7 %',
    })),
  ]
}

const paceGoal = (milliseconds: readonly number[]): GoalRow => ({
  data: 'time of `format` and `steps` for an answer',
  ours: `${at(milliseconds, 0.5)} ms (median)`,
  goal: '< 1 ms',
  reached: Number(at(milliseconds, 0.5)) < 1,
  anchors: '',
})

/** A quantile of sorted values. */
const at = (sorted: readonly number[], share: number): string =>
  (sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN).toFixed(3)

/** Features beside those of the answer's own. */
type Evidence = (row: Gsm8kRow) => Judgment['features']

const NO_MORE: Evidence = () => ({})

const opinionOf =
  (models: readonly string[]): Evidence =>
  ({ small, opinions }) =>
    opinionFeatures(
      textOf(small),
      opinions.filter(({ model }) => models.includes(model)).map(textOf),
      NUMBER,
    )

const casesOf = (
  rows: readonly Gsm8kRow[],
  judged: readonly Judged[],
  evidence: Evidence,
): readonly ScorableCase[] => rows.map((row, at) => caseOf(row, judged[at], evidence))

function caseOf(row: Gsm8kRow, judged: Judged | undefined, evidence: Evidence): ScorableCase {
  const judgments = judged === undefined ? [] : [judged.format, judged.steps]
  const features = Object.assign({}, ...judgments.map((each) => each.features), evidence(row))
  const isRefuted = judgments.some(({ verdict }) => verdict === 'refuted')
  return { features, right: row.small.right, isRefuted }
}

const gradesOf = ({ small, big }: Gsm8kRow): Graded => ({
  smallRight: small.right,
  bigRight: big.right,
})

const idealLine = (rows: readonly Gsm8kRow[]): Line =>
  orderLine('ideal verifier', rows.map(gradesOf), [rows.map(({ small }) => Number(small.right))])

/** Figures of others and of plain means on these rows, as the task gives them; not measured here. */
const ANCHORS: readonly Line[] = [
  anchorLine('random', { apgr: 0.5, cpt50: 0.5, cpt80: 0.8 }, 'anchor'),
  anchorLine('cascadeflow', { apgr: 0.47 }, 'anchor; .62 in production mode'),
  anchorLine('RouteLLM', { apgr: 0.622 }, 'anchor'),
  anchorLine('flags of wrong steps', { apgr: 0.611, cpt50: 0.326, cpt80: 0.73 }, 'anchor'),
  anchorLine('14 hand features, fitted', { apgr: 0.665, cpt50: 0.262, cpt80: 0.582 }, 'anchor'),
  anchorLine(
    '14 and four opinions, fitted',
    { apgr: 0.783, cpt50: 0.197, cpt80: 0.357, accuracyAt15: 0.754 },
    'anchor',
  ),
]

/** The share of right answers, by verdict. */
function verdicts(rows: readonly Gsm8kRow[], judged: readonly Judged[]): string {
  const tally = new Map<string, { all: number; right: number }>()
  for (const [at, { steps }] of judged.entries()) {
    const name = `steps ${steps.verdict} ${steps.score}`
    const { all, right } = tally.get(name) ?? { all: 0, right: 0 }
    tally.set(name, { all: all + 1, right: right + Number(rows[at]?.small.right) })
  }
  return [
    ...[...tally.entries()]
      .toSorted(([a], [b]) => a.localeCompare(b))
      .map(([name, { all, right }]) => `${name}: ${right} of ${all} answers are right`),
    refutations(rows),
  ].join('\n')
}

/** A refutation should hold for any model's answer. */
function refutations(rows: readonly Gsm8kRow[]): string {
  const refuted = rows.flatMap(({ question, small, big, opinions }) =>
    [small, big, ...opinions].filter(
      (answer) => judgmentBy(steps, attemptOf(question, answer)).verdict === 'refuted',
    ),
  )
  const right = refuted.filter((answer) => answer.right).length
  return `steps refuted, all recorded models: ${right} of ${refuted.length} answers are right`
}

/** The share of answers whose extracted final number agrees with the label of the data. */
function extraction(rows: readonly Gsm8kRow[]): string {
  const graded = rows.flatMap(({ gold, small, big, opinions }) =>
    [small, big, ...opinions].map(({ text, right }) => {
      const [found, wanted] = [finalAnswer(text, NUMBER), finalAnswer(gold, NUMBER)]
      const isSame = found !== undefined && wanted !== undefined && sameAnswer(found, wanted)
      return isSame === right
    }),
  )
  const agreed = graded.filter(Boolean).length
  return `final answers graded as in the data: ${agreed} of ${graded.length}`
}
