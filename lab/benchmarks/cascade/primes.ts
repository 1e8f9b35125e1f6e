import { createDecider } from 'echelon'
import { isRecord } from '../../../packages/echelon/src/core/value/json.ts'
import { type DataRow, readDataFile } from '../tools/data-file.ts'
import { standardErrors } from './bootstrap.ts'
import { type PrimeText, type PrimeTexts, provedByPlan } from './primes-ladder.ts'
import { Goals } from './goals.ts'
import { type Line, printLines, printPercent, printShare } from './table.ts'

const PRIMES_FILE = 'esc_prime.jsonl'

const COLUMNS: readonly string[] = ['accuracy', 'wrong', 'refused', 'escalated', 'dollars']

/**
 * Measures "Is N a prime number?" with the decision agent on the offline models, and the recorded models beside it.
 * An answer of the decision agent is right only if it is verified.
 * @throws EchelonError INVALID_INPUT for a file without such questions
 */
export async function primeFigures(folder: string, goals: Goals = new Goals()): Promise<string> {
  const data = await readDataFile(folder, PRIMES_FILE)
  if (data === undefined) return `${PRIMES_FILE}: absent: skipped`
  const asked = data.rows.flatMap(toAsked)
  if (asked.length === 0) throw data.unusable('a question and an answer')
  const own = await decided(asked)
  const escalated = own.filter(({ isEscalated }) => isEscalated === true).length
  goals.add({
    data: `${asked.length} primes, offline`,
    ours: `${printShare(count(own, 'right') / own.length)} with ${escalated} escalated`,
    goal: '1.000 without escalation',
    reached: count(own, 'right') === own.length && escalated === 0,
    anchors: 'GPT-4 .84',
  })
  const models = Object.keys(asked[0]?.recorded ?? {})
  return [
    printLines(COLUMNS, [
      lineOf('echelon, offline', own, 'goal: 1.000 without escalation'),
      ...models.map((model) => lineOf(`${model}, recorded`, recordedBy(model, asked))),
      ANCHOR,
    ]),
    `questions: ${asked.length}`,
    ...(await planLines(asked)),
  ].join('\n')
}

/** Two recorded models as a cascade. */
const LADDER = ['gpt-3.5-turbo-0613', 'gpt-4-0314'] as const

/** The judgments of the verifier `plan` on the recorded answers, for rows with texts of both models. */
async function planLines(asked: readonly Asked[]): Promise<readonly string[]> {
  const [small, big] = LADDER
  const rows = asked.flatMap(({ question, gold, recorded }): readonly PrimeTexts[] => {
    const [own, other] = [textOf(recorded[small], gold), textOf(recorded[big], gold)]
    return own === undefined || other === undefined ? [] : [{ question, small: own, big: other }]
  })
  if (rows.length === 0) return []
  const found = await provedByPlan(rows, LADDER)
  return [
    `plan on the recorded answers of ${small}: proved ${found.proved} of ${rows.length}, wrongly ${found.provedWrong}`,
    `  promoted to ${big} ${found.promoted}, of which ${found.promotedRight} were right; then right ${printShare(found.right / rows.length)}`,
  ]
}

function textOf(answer: unknown, gold: string): PrimeText | undefined {
  const { text, says }: DataRow = isRecord(answer) ? answer : {}
  return typeof text === 'string' ? { text, right: says === gold } : undefined
}

/** The figure of others, as the task gives it; not measured here. */
const ANCHOR: Line = { name: 'gpt-4', cells: { accuracy: printShare(0.84) }, note: 'anchor' }

interface Asked {
  readonly question: string
  readonly gold: string
  readonly recorded: DataRow
}

function toAsked({ question, gold, answers }: DataRow): readonly Asked[] {
  if (typeof question !== 'string' || typeof gold !== 'string') return []
  return [{ question, gold, recorded: isRecord(answers) ? answers : {} }]
}

/** One answer to one question. */
interface Outcome {
  readonly grade: 'right' | 'wrong' | 'refused'
  /** True if the big model was called. Absent for a recorded model. */
  readonly isEscalated?: boolean
  /** Absent if the price is unknown. */
  readonly dollars?: number
}

async function decided(asked: readonly Asked[]): Promise<readonly Outcome[]> {
  const decider = await createDecider({ small: 'offline/small', big: 'offline/big' })
  const outcomes: Outcome[] = []
  for (const { question, gold } of asked) {
    const { answer, verified, counters, cost } = await decider.runCase(question)
    outcomes.push({
      grade: gradeOf(answer, gold, verified),
      isEscalated: counters.llm_calls_big > 0,
      dollars: cost ?? 0,
    })
  }
  return outcomes
}

const recordedBy = (model: string, asked: readonly Asked[]): readonly Outcome[] =>
  asked.map(({ gold, recorded }) => {
    const answer = recorded[model]
    const { says, cost_usd: dollars } = isRecord(answer) ? answer : {}
    return {
      grade: gradeOf(says ?? null, gold, true),
      ...(typeof dollars === 'number' && { dollars }),
    }
  })

/** A right answer that is not verified counts as refused. */
function gradeOf(answer: unknown, gold: string, isVerified: boolean): Outcome['grade'] {
  if (answer !== null && answer !== gold) return 'wrong'
  return answer === gold && isVerified ? 'right' : 'refused'
}

function lineOf(name: string, outcomes: readonly Outcome[], note?: string): Line {
  const shareOf = (drawn: readonly Outcome[]): number => count(drawn, 'right') / drawn.length
  const { accuracy: error } = standardErrors(outcomes.length, (drawn) => ({
    accuracy: shareOf(drawn.flatMap((at) => outcomes[at] ?? [])),
  }))
  return {
    name,
    cells: {
      accuracy: printShare(shareOf(outcomes), error),
      wrong: String(count(outcomes, 'wrong')),
      refused: String(count(outcomes, 'refused')),
      ...moneyCells(outcomes),
    },
    ...(note === undefined ? {} : { note }),
  }
}

const count = (outcomes: readonly Outcome[], grade: Outcome['grade']): number =>
  outcomes.filter((outcome) => outcome.grade === grade).length

function moneyCells(outcomes: readonly Outcome[]): Line['cells'] {
  const escalated = outcomes.flatMap(({ isEscalated }) => isEscalated ?? [])
  const dollars = outcomes.flatMap((outcome) => outcome.dollars ?? [])
  return {
    ...(escalated.length > 0 && {
      escalated: printPercent(escalated.filter(Boolean).length / escalated.length),
    }),
    ...(dollars.length === outcomes.length && {
      dollars: dollars.reduce((sum, each) => sum + each, 0).toFixed(4),
    }),
  }
}
