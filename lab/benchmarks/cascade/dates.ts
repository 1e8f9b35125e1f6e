import { isRecord } from '../../../packages/echelon/src/core/value/json.ts'
import { agree } from '../../../packages/echelon/src/verify/agree/agree.ts'
import { inWords } from '../../../packages/echelon/src/verify/agree/way.ts'
import type { Attempt } from '../../../packages/echelon/src/verify/answer.ts'
import { type DataRow, readDataFile } from '../tools/data-file.ts'
import { standardErrors } from './bootstrap.ts'
import { type GoalRow, Goals } from './goals.ts'
import { judgeByRecord, recorded } from './observed.ts'
import { type Line, printLines, printPercent, printShare } from './table.ts'

const FILE = 'esc_date_votes.jsonl'
const COLUMNS = ['accuracy', 'escalated', 'answers']

/** The prompts of the record: two that ask for words (`cot`), two for a program (`pot`). */
const PROMPTS = ['cot1', 'cot2', 'pot1', 'pot2'] as const
type Prompt = (typeof PROMPTS)[number]

interface VotedRow {
  /** Questions about one story depend on each other. */
  readonly story: string
  readonly gold: string
  /** The dates that the small model answered; null where an answer was no date. */
  readonly small: Readonly<Record<Prompt, readonly (string | null)[]>>
  readonly big: Readonly<Record<Prompt, string | null>>
}

/** A policy: the prompts of the small model, and the votes that accept its first answer. */
interface Policy {
  readonly name: string
  /** The prompt of the answer itself, then those of the opinions in turn. */
  readonly own: Prompt
  readonly opinions: readonly Prompt[]
  readonly atMost: number
  readonly need: number
  readonly note?: string
}

const POLICIES: readonly Policy[] = [
  {
    name: 'program, then words: 2 of 3 agree',
    own: 'pot2',
    opinions: ['cot2', 'pot1'],
    atMost: 2,
    need: 2,
    note: 'goal: accuracy ≥ .874 at ≤ 25 %',
  },
  {
    name: 'program and words in turn: 3 of 6',
    own: 'pot2',
    opinions: ['cot2', 'pot1', 'cot1', 'pot2', 'cot2'],
    atMost: 5,
    need: 3,
  },
  { name: 'one program prompt only: 4 of 6', own: 'pot2', opinions: ['pot2'], atMost: 5, need: 4 },
  { name: 'one words prompt only: 4 of 6', own: 'cot2', opinions: ['cot2'], atMost: 5, need: 4 },
  {
    name: 'first words prompt, then its program: 3 of 6',
    own: 'cot1',
    opinions: ['pot1', 'cot1'],
    atMost: 5,
    need: 3,
  },
]

/** The record has so many samples of each prompt; each of them is the first answer once. */
const STARTS = 20

/**
 * Measures when to accept a date that GPT-3.5 answered and when to escalate to GPT-4, by a vote of at most six
 * recorded answers. Nothing is fitted. Figures are means over the recorded samples as the first answer; standard
 * errors by bootstrap over stories. The big model's answer is its greedy one to the first prompt in words, which has
 * the lowest accuracy of its four.
 */
export async function dateVoteFigures(folder: string, goals: Goals = new Goals()): Promise<string> {
  const data = await readDataFile(folder, FILE)
  if (data === undefined) return `${FILE}: absent: skipped`
  const rows = data.rows.flatMap((row) => rowOf(row) ?? [])
  if (rows.length === 0) throw data.unusable('the dates of a small and a big model')
  const lines = POLICIES.map((policy) => policyLine(rows, policy))
  const [first] = lines
  if (first !== undefined) goals.add(goalOf(first))
  return printLines(COLUMNS, [
    ...lines,
    anchorLine('anchor: vote of 6 answers', 0.874, 0.278),
    anchorLine('GPT-3.5, first program alone', meanOf(rows, 'pot2'), 0),
    anchorLine('GPT-4 alone, words', rightShare(rows, 'cot1'), 1),
    anchorLine(
      'GPT-4 alone, its best prompt',
      Math.max(...PROMPTS.map((by) => rightShare(rows, by))),
      1,
    ),
  ])
}

interface Outcome {
  readonly right: number
  readonly escalated: number
  readonly answers: number
}

interface PolicyLine extends Line {
  readonly figures: Outcome
}

const goalOf = ({ name, cells, figures: { right, escalated } }: PolicyLine): GoalRow => ({
  data: `DATE, at most six GPT-3.5 answers, then GPT-4 (${name})`,
  ours: `${cells['accuracy']} at ${cells['escalated']} escalated`,
  goal: '≥ .874 at ≤ 25 %',
  reached: right >= 0.874 && escalated <= 0.25,
  anchors: 'a vote of six .874 at 27.8 %',
})

function policyLine(rows: readonly VotedRow[], policy: Policy): PolicyLine {
  const stories = [...Map.groupBy(rows, ({ story }) => story).values()].map((own) =>
    own.map((row) => outcomeOf(row, policy)),
  )
  const figuresOf = (drawn: readonly number[]): Outcome => {
    const outcomes = drawn.flatMap((at) => stories[at] ?? [])
    const mean = (of: (outcome: Outcome) => number): number =>
      outcomes.reduce((sum, outcome) => sum + of(outcome), 0) / outcomes.length
    return {
      right: mean(({ right }) => right),
      escalated: mean(({ escalated }) => escalated),
      answers: mean(({ answers }) => answers),
    }
  }
  const errors = standardErrors(stories.length, (drawn) => ({ ...figuresOf(drawn) }))
  const figures = figuresOf([...stories.keys()])
  const { right, escalated, answers } = figures
  return {
    figures,
    name: policy.name,
    cells: {
      accuracy: printShare(right, errors['right']),
      escalated: printPercent(escalated, errors['escalated']),
      answers: answers.toFixed(2),
    },
    ...(policy.note === undefined ? {} : { note: policy.note }),
  }
}

/** The mean outcome of a question over the samples that its first answer can be. */
function outcomeOf(row: VotedRow, policy: Policy): Outcome {
  const outcomes = Array.from({ length: STARTS }, (_, start) => oneOutcome(row, policy, start))
  const mean = (of: (outcome: Outcome) => number): number =>
    outcomes.reduce((sum, outcome) => sum + of(outcome), 0) / STARTS
  return {
    right: mean(({ right }) => right),
    escalated: mean(({ escalated }) => escalated),
    answers: mean(({ answers }) => answers),
  }
}

function oneOutcome(row: VotedRow, policy: Policy, start: number): Outcome {
  const used = new Map<Prompt, number>()
  const next = (prompt: Prompt): string | null => {
    const at = start + (used.get(prompt) ?? 0)
    used.set(prompt, at - start + 1)
    const samples = row.small[prompt]
    return samples[at % samples.length] ?? null
  }
  const own = next(policy.own)
  const attempt: Attempt = {
    task: { question: '', wanted: { kind: 'date' } },
    answer: { type: 'text', text: own ?? '' },
    made: [],
  }
  const verifier = agree({
    ways: policy.opinions.map((prompt, at) => inWords(prompt, { name: `${prompt}-${at}` })),
    atMost: policy.atMost,
    need: policy.need,
  })
  const { judgment, asked } = judgeByRecord(verifier, attempt, ({ role }) => {
    const prompt = PROMPTS.find((name) => name === role)
    return recorded('gpt-3.5', (prompt === undefined ? null : next(prompt)) ?? '')
  })
  const isAccepted = (judgment.features['agree.for'] ?? 0) >= policy.need
  const answer = isAccepted ? own : row.big.cot1
  return {
    right: Number(answer === row.gold),
    escalated: Number(!isAccepted),
    answers: 1 + asked,
  }
}

const anchorLine = (name: string, accuracy: number, escalated: number): Line => ({
  name,
  cells: { accuracy: printShare(accuracy), escalated: printPercent(escalated) },
})

const rightShare = (rows: readonly VotedRow[], prompt: Prompt): number =>
  rows.filter(({ big, gold }) => big[prompt] === gold).length / rows.length

const meanOf = (rows: readonly VotedRow[], prompt: Prompt): number =>
  rows.reduce((sum, { small, gold }) => {
    const samples = small[prompt]
    return sum + samples.filter((date) => date === gold).length / samples.length
  }, 0) / rows.length

function rowOf({ story, gold, small, big_greedy: big }: DataRow): VotedRow | undefined {
  if (typeof story !== 'string' || typeof gold !== 'string') return undefined
  if (!isRecord(small) || !isRecord(big)) return undefined
  return {
    story,
    gold,
    small: byPrompt((prompt) => listOf(small[prompt])),
    big: byPrompt((prompt) => dateOf(big[prompt])),
  }
}

const byPrompt = <Value>(of: (prompt: Prompt) => Value): Record<Prompt, Value> => ({
  cot1: of('cot1'),
  cot2: of('cot2'),
  pot1: of('pot1'),
  pot2: of('pot2'),
})

const listOf = (value: unknown): readonly (string | null)[] =>
  Array.isArray(value) ? value.map(dateOf) : []

const dateOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)
