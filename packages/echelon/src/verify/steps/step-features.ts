import { isWhole } from '../text/rational.ts'
import type { Found } from './calculations.ts'
import type { Evidence } from './evidence.ts'

/** The features of the verifier `steps`. Counts are capped, so that no single answer weighs too much. */
export const STEP_FEATURES = [
  /** Calculations that no reading makes right, 3 at most. */
  'steps.wrong',
  /** 1 if the calculations that state the final answer are all wrong. */
  'steps.ownWrong',
  /** Results that are right only when rounded, 2 at most. */
  'steps.rounded',
  /** Natural logarithm of 1 + the number of calculations. */
  'steps.count',
  /** 1 if nothing is calculated. */
  'steps.none',
  /** 1 if the last calculation states the final answer. */
  'steps.lastIsFinal',
  /** Share of the question's numbers that the answer uses. */
  'steps.used',
  /** Number of the question's numbers that the answer does not use, at most 3. */
  'steps.ignored',
  /** Share of the results that are not whole. */
  'steps.fractional',
  /** 1 if a result is negative. */
  'steps.negative',
  /** Natural logarithms of 1 + characters and numbers of the answer, and characters of the question. */
  'steps.length',
  'steps.numbers',
  'steps.questionLength',
  /** 1 if the question speaks of percentages; 1 if it compares amounts. */
  'steps.questionPercent',
  'steps.questionCompares',
  /** Number of the question's words for a part or a multiple, such as "half" and "twice", at most 3. */
  'steps.questionParts',
] as const

export type StepFeatures = Readonly<Record<(typeof STEP_FEATURES)[number], number>>

const PERCENT = /%|\bpercent/i
const COMPARES = /\b(?:more|less|fewer|older|younger|as (?:many|much|old|long|fast))\b/i
const PARTS =
  /\b(?:hal(?:f|ves)|twice|thrice|(?:doubl|tripl|quadrupl)e[ds]?|(?:third|fourth|quarter|fifth|sixth|eighth|tenth)s?|dozens?)\b/gi

/** The features of an answer's evidence. */
export function stepFeatures(question: string, answer: string, evidence: Evidence): StepFeatures {
  const { calculations, own, numbers, given, ignored } = evidence
  const last = calculations.at(-1)
  const count = (kind: Found): number => calculations.filter(({ found }) => found === kind).length
  const broken = calculations.filter(({ stated }) => !isWhole(stated)).length
  return {
    'steps.wrong': Math.min(count('wrong'), 3),
    'steps.ownWrong': Number(isOwnWrong(evidence)),
    'steps.rounded': Math.min(count('rounded'), 2),
    'steps.count': Math.log1p(calculations.length),
    'steps.none': Number(calculations.length === 0),
    'steps.lastIsFinal': Number(last !== undefined && own.includes(last)),
    'steps.used': given.length === 0 ? 1 : 1 - ignored.length / given.length,
    'steps.ignored': Math.min(ignored.length, 3),
    'steps.fractional': calculations.length === 0 ? 0 : broken / calculations.length,
    'steps.negative': Number(calculations.some(({ stated }) => stated.n < 0n)),
    'steps.length': Math.log1p(answer.length),
    'steps.numbers': Math.log1p(numbers.length),
    'steps.questionLength': Math.log1p(question.length),
    'steps.questionPercent': Number(PERCENT.test(question)),
    'steps.questionCompares': Number(COMPARES.test(question)),
    'steps.questionParts': Math.min(question.match(PARTS)?.length ?? 0, 3),
  }
}

/** Whether at least one calculation states the final answer, and all that do are wrong. */
export const isOwnWrong = ({ own }: Evidence): boolean =>
  own.length > 0 && own.every(({ found }) => found === 'wrong')
