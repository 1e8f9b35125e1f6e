import type { ProblemCode } from 'echelon/runtime'
import { PROBLEMS } from 'echelon/internal/model'
import { nonGoalIn } from './evaluation/evaluation.ts'
import { DEFAULT_INTENT, isExampleIntent } from './intent/intent.ts'
import type { SmallTalk } from './sense/small-talk.ts'
import type { Turn } from './assist-state.ts'
import type { SituationKind } from './situation.ts'
import type { Judgment } from './evaluation/evaluator.ts'

/** The final text of a turn that the user ends: short and without a question. */
export const LAST_WORDS: Readonly<Record<'stop' | 'frustration' | 'achieved', string>> = {
  stop: 'I stop here.',
  frustration: 'This is not helping you, so I stop here. Nothing more from me until you want it.',
  achieved: 'Good. Then this is done.',
}

const WITHHELD = 'I held my answer back: '

/** Whether an answer was that question, so that the user's reply is about it. */
export const isQuestionAbout = (text: string): boolean => text.startsWith(WITHHELD)

/**
 * Replaces an answer that was withheld twice, or that only the user can decide: why, what can
 * be said, and how to go on. The values of the example intent are not said to be the user's.
 */
export function questionAbout(
  { outcome }: Judgment,
  { intent, kind }: Pick<Turn, 'intent' | 'kind'>,
): string {
  const nonGoal = nonGoalIn(outcome)
  const isExample =
    isExampleIntent(intent) && (nonGoal === null || DEFAULT_INTENT.non_goals.includes(nonGoal))
  const whose = isExample ? 'the example intent' : 'your intent'
  const about =
    nonGoal === null
      ? `it came out against ${whose} (${outcome.replaceAll('_', ' ')})`
      : `it came out as “${nonGoal}”, which ${isExample ? `${whose} rules out` : 'you ruled out'}`
  const stars = intent.north_stars.map((star) => star.replaceAll('_', ' ')).join(', ')
  const [offer, aim] = OFFERS[kind]
  const said = isExample ? offer : `${offer}${aim} ${stars === '' ? intent.current_success : stars}`
  const last = isExample
    ? 'Does the example intent fit here, or do you want one of your own? echelon intent edit writes it.'
    : 'Does your intent still hold here, or should it change? It is yours to change: echelon intent edit.'
  return `${WITHHELD}${about}. ${said}. ${GO_ON} ${last}`
}

const GO_ON = 'To go on, ask for that, say more about what you need, or ask for a smaller part.'

/** Answers that fit any intent, by the user's question; and before the values that it is to serve. */
const OFFERS: Readonly<Record<SituationKind, readonly [offer: string, aim: string]>> = {
  corrects: ['I can take your correction and look again', ' at what it means for:'],
  asks_how: ['I can say what has to come first', ', and what each step is to serve:'],
  asks_what_for: ['I can say what it may give, and what it may cost', ', seen from what you want:'],
  asks_whether: ['I can set out what speaks for it and what against it', ', by what you want:'],
  asks: ['I can look at the question again', ' from what you want:'],
  tells: ['I can ask you about it', ', from what you want:'],
}

/** Answers to small talk: short, and without flattery. */
export function repliesTo(talk: SmallTalk, hasModel: boolean): string {
  switch (talk) {
    case 'greeting':
      return 'Hello. What is on your mind?'
    case 'thanks':
      return 'You are welcome. Write when there is more.'
    case 'goodbye':
      return 'Goodbye. Nothing of what was said is kept.'
    case 'apology':
      return 'No harm done. Go on where you like.'
    case 'about':
      return hasModel ? ABOUT : `${ABOUT} ${NO_MODEL}`
  }
}

const ABOUT =
  'I help you to think something through, and keep to what you said you want: your intent. Ask a question, or tell me what you have to decide.'

/** The assistant's limits without a model, and its offer instead. */
const NO_MODEL =
  'No model is set, so I cannot answer questions; I can ask you about a decision by what you want, and quote your documents.'

export const noAnswer = (code: ProblemCode): string =>
  `I have no answer for you: the model that answers failed (${PROBLEMS[code]}). Nothing was left out on purpose; try again.`

export const noBudget = (limit: string): string =>
  `I have no answer for you: the limit of this turn was reached (${limit}).`

export const EMPTY_ANSWER = 'I have no answer for you: the model that answers said nothing.'

export const noIntent = (problem: string): string =>
  `I cannot read your intent, so I do not answer: ${problem}. Mend it by hand, or with echelon intent edit; I change nothing of it.`
