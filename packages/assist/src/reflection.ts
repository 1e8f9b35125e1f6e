import type { Message } from 'echelon/runtime'
import type { Intent } from './intent/intent.ts'
import type { Altitude, Plan } from './plan/plan.ts'
import { stemsOf } from './sense/own-words.ts'
import { readable } from './sense/readable.ts'
import { textOf } from './session/turn-marks.ts'

/** The input of a reflection. */
export interface Reflected {
  /** The user's current message. */
  readonly input: string
  readonly intent: Intent
  readonly plan: Plan
  /** The earlier conversation, oldest first. */
  readonly history: readonly Message[]
}

/** Said once: what this answer is and is not. */
export const WITHOUT_A_MODEL =
  'No model answers here. I do not understand what you write; I can hold it against what you said you want, and ask.'

/** Said when no question is left. */
export const ALL_ASKED =
  'I have asked all that I can without a model. A model, or other north stars, would bring more; /intent shows yours.'

/**
 * The assistant's answer without a model: a question that ties the user's words to one of their north stars. Pure;
 * the same conversation gets the same answer, and none repeats while another is left.
 */
export function reflect({ input, intent, plan, history }: Reflected): string {
  const said = history.filter(({ role }) => role === 'assistant').map(textOf)
  const isSaid = (sentence: string): boolean => said.some((answer) => answer.includes(sentence))
  const intro = isSaid(WITHOUT_A_MODEL) ? [] : [WITHOUT_A_MODEL]
  const stars = starsFor(input, intent, said.length)
  const questions = ways(said.length, QUESTIONS[plan.altitude]).flatMap((ask) =>
    stars.map((star) => ask(star, intent.current_success)),
  )
  const asked = questions.find((question) => !isSaid(question))
  if (asked === undefined) return [...intro, rest(questions, said)].join('\n\n')
  return [
    ...intro,
    [...mentioned(input, intent).filter((one) => !isSaid(one)), asked].join(' '),
  ].join('\n\n')
}

type Ask = (star: string, success: string) => string

const QUESTIONS: Readonly<Record<Altitude, readonly Ask[]>> = {
  L1: [
    (star) => `What is the smallest thing you could do today that serves “${star}”?`,
    (star) => `Which of the things before you has to do with “${star}”, and which has not?`,
    (star) => `If you had one hour for “${star}” this week, when would it be?`,
  ],
  L2: [
    (star) => `What has to come first so that “${star}” is not what gives way?`,
    (star) => `Of what you have in mind, what could you leave out without harm to “${star}”?`,
    (star) => `By what will you see in a month that it served “${star}”?`,
    (star, success) => `You call it a success: “${success}”; where does “${star}” come in?`,
  ],
  L3: [
    (star) => `What does this give “${star}”, and what does it take from it?`,
    (star) => `Which way would you choose if “${star}” alone counted?`,
    (star) => `What are you ready to give up for “${star}” here, and what not?`,
    (star) => `What would somebody who knows how much “${star}” means to you object to?`,
    (star) => `Suppose you do nothing for half a year: what becomes of “${star}”?`,
    (star, success) => `You call it a success: “${success}”; does that hold for “${star}”, too?`,
  ],
  L4: [
    (star) => `What is this for, if you follow it up to “${star}”?`,
    (star) => `In ten years, what would you want to say that you did for “${star}”?`,
    (star) => `Is “${star}” still what you want, or is it what you once wrote down?`,
    (star) => `When did you last live as if “${star}” were true, and what was different then?`,
    (star, success) =>
      `You call it a success: “${success}”; what would that be worth without “${star}”?`,
  ],
}

/** Rotates the question forms by turn. */
const ways = (turn: number, asks: readonly Ask[]): readonly Ask[] => [
  ...asks.slice(turn % asks.length),
  ...asks.slice(0, turn % asks.length),
]

/** A north star named in the message comes first; otherwise they take turns. */
function starsFor(input: string, { north_stars }: Intent, turn: number): readonly string[] {
  const names = north_stars.map((star) => star.replaceAll('_', ' '))
  const [first] = namedIn(input, names)
  const start = first === undefined ? turn % Math.max(1, names.length) : names.indexOf(first)
  const all = [...names.slice(start), ...names.slice(0, start)]
  return all.length === 0 ? ['what you want'] : all
}

/** North stars that share a word with the message. */
function namedIn(input: string, names: readonly string[]): readonly string[] {
  const said = new Set(stemsOf(readable(input)))
  return names.filter((name) => stemsOf(name).some((stem) => stem.length > 3 && said.has(stem)))
}

/** Claims only that the message named the star. */
function mentioned(input: string, { north_stars }: Intent): readonly string[] {
  const [star] = namedIn(
    input,
    north_stars.map((name) => name.replaceAll('_', ' ')),
  )
  return star === undefined ? [] : [`What you write touches a word of “${star}”.`]
}

/** First says that all was asked; afterwards repeats the question asked longest ago. */
function rest(questions: readonly string[], said: readonly string[]): string {
  if (!said.some((answer) => answer.includes(ALL_ASKED))) return ALL_ASKED
  const before = (question: string): number =>
    said.findLastIndex((answer) => answer.includes(question))
  const [oldest] = questions.toSorted((a, b) => before(a) - before(b))
  return oldest ?? ALL_ASKED
}
