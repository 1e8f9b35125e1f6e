import type { ProblemCode } from 'echelon/runtime'
import { PROBLEMS } from 'echelon/internal/model'
import { nonGoalIn } from './evaluation/evaluation.ts'
import type { Judgement } from './evaluation/evaluator.ts'

/** The final text of a turn that the user ends: short and without a question. */
export const LAST_WORDS: Readonly<Record<'stop' | 'frustration' | 'achieved', string>> = {
  stop: 'I stop here.',
  frustration: 'This is not helping you, so I stop here. Nothing more from me until you want it.',
  achieved: 'Good. Then this is done.',
}

const WITHHELD = 'I held my answer back: '

/** Whether an answer was that question, so that the user's reply is about it. */
export const isQuestionAbout = (text: string): boolean => text.startsWith(WITHHELD)

/** The question in place of an answer that was withheld twice, or that only the user can settle. */
export function questionAbout({ outcome }: Judgement): string {
  const nonGoal = nonGoalIn(outcome)
  const about =
    nonGoal === null
      ? `it came out against your intent (${outcome.replaceAll('_', ' ')})`
      : `it came out as “${nonGoal}”, which you ruled out`
  return `${WITHHELD}${about}. Does your intent still hold here, or should it change? It is yours to change: echelon intent edit.`
}

export const noAnswer = (code: ProblemCode): string =>
  `I have no answer for you: the model that answers failed (${PROBLEMS[code]}). Nothing was left out on purpose; try again.`

export const noBudget = (limit: string): string =>
  `I have no answer for you: the limit of this turn was reached (${limit}).`

export const EMPTY_ANSWER = 'I have no answer for you: the model that answers said nothing.'

export const noIntent = (problem: string): string =>
  `I cannot read your intent, so I do not answer: ${problem}. Mend it by hand, or with echelon intent edit; I change nothing of it.`
