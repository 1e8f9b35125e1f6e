import type { JsonObject } from 'echelon/runtime'
import { plainWords } from '../customer/item-words.ts'
import type { Intent } from '../intent.ts'
import { asks, clausesOf, isKept, isRefused, isRequest, MOST_WISHES } from './clauses.ts'
import { intentOf, LEAST, type Lesson, openersFor, SURE } from './lesson.ts'
import { hintsAtCorrection, meansSame, refusesNext } from './phrases.ts'
import { type Mention, mentionsOf } from './slots.ts'
import type { StartTask } from './command.ts'

/** A part of a message with one request. */
interface Passage {
  readonly text: string
  readonly intent: Intent
  readonly confidence: number
}

/** The requests of a text, in order; empty if no intent fits. */
export function wishesOf(text: string, lesson: Lesson): readonly StartTask[] {
  const passages = passagesOf(text, lesson)
  const isOne = passages.length === 1
  const wishes = passages.flatMap((passage) =>
    wishesOfPassage(passage).map((wish) => (isOne ? wish : { ...wish, said: passage.text })),
  )
  return wishes
    .map((wish, index) => completed(wish, { text, wishes, index, lesson, passages }))
    .slice(0, MOST_WISHES)
}

/** The final value of each parameter if a text names several: the last one given. */
export function correctedParams(text: string, intent: Intent): JsonObject {
  const mentions = mentionsOf(text, intent)
  const standing = mentions.filter(
    ({ from }) => !refusesNext(text.slice(Math.max(0, from - 40), from)),
  )
  return Object.fromEntries(standing.map(({ param, value }) => [param, value]))
}

/** Splits a message at each new request; statements belong to the neighboring request. */
function passagesOf(text: string, lesson: Lesson): readonly Passage[] {
  const clauses = meantClauses(text, lesson)
  const requests = clauses.map((clause) => (clauses.length > 1 ? requestOf(clause, lesson) : null))
  const passages: Passage[] = []
  let waiting = ''
  for (const [index, clause] of clauses.entries()) {
    const last = passages.at(-1)
    const request =
      requests[index] ?? (last === undefined ? reportIn(clauses, index, lesson) : null)
    if (request !== null && (last === undefined || !continues(last, request, lesson))) {
      passages.push({ ...request, text: joined(waiting, clause) })
      waiting = ''
    } else if (last === undefined) waiting = joined(waiting, clause)
    else passages[passages.length - 1] = { ...last, text: joined(last.text, clause) }
  }
  if (passages.length > 1) return passages
  const meant = clauses.length < clausesOf(text).length ? clauses.join(', ') : text
  const whole = passageOf(meant, lesson)
  const [only] = passages
  // A greeting or a story makes the whole less clear than the request within it.
  const isBackward = only !== undefined && whole !== null && refersBack(clauses)
  const best =
    only !== undefined && !isBackward && only.confidence > (whole?.confidence ?? 0)
      ? { ...only, text: meant }
      : whole
  return best === null || best.confidence < LEAST ? [] : [best]
}

/** "The date has slipped. What's the current one?": the question is about what stands before it. */
const refersBack = (clauses: readonly string[]): boolean =>
  clauses.length > 1 &&
  /\b(?:current|new|latest|right|real|actual) one\b\W*$/iu.test(clauses.at(-1) ?? '')

/**
 * Removes declined actions and their objects: "return O-1, but don't cancel O-2". If no other clause names an
 * object, the others refer to it: "don't cancel O-1, refund it".
 */
function meantClauses(text: string, lesson: Lesson): readonly string[] {
  const clauses = clausesOf(text)
  const meant = clauses.filter(
    (clause) => !isRefusal(clause, lesson) && !(clauses.length > 1 && isKept(clause)),
  )
  const names = ({ intents }: Lesson['context'], clause: string): boolean =>
    intents.some((intent) =>
      mentionsOf(clause, intent).some(({ param }) => intent.requiredParams.includes(param)),
    )
  return meant.some((clause) => names(lesson.context, clause)) ? meant : clauses
}

function isRefusal(clause: string, lesson: Lesson): boolean {
  const { label } = lesson.classifier.classify(clause)
  return label !== null && isRefused(clause, openersFor(lesson, label))
}

const joined = (before: string, text: string): string =>
  before === '' ? text : `${before}, ${text}`

function passageOf(text: string, lesson: Lesson): Passage | null {
  const { label, confidence } = lesson.classifier.classify(text)
  const intent = label === null ? undefined : intentOf(lesson, label)
  if (intent === undefined || isRefused(text, openersFor(lesson, intent.id))) return null
  return { text, intent, confidence }
}

/** A clause that is a request by itself. */
function requestOf(clause: string, lesson: Lesson): Passage | null {
  const passage = isKept(clause) ? null : passageOf(clause, lesson)
  if (passage === null || passage.confidence < SURE) return null
  if (isRequest(clause, openersFor(lesson, passage.intent.id))) return passage
  // "…, and does it go to Elm Street?": what only asks needs no words of a request.
  const isAsked = asks(clause) || ASKS_OF_STATE.test(clause)
  if (passage.intent.confirm ? MAY_IT.test(clause) : isAsked) return passage
  // "Tell me the price, the tracking number, and the day": a thing to know, without a verb of its own.
  return passage.intent.confirm || !LISTED.test(clause) ? null : passage
}

/** "Has the scarf shipped", "was it sent". */
const ASKS_OF_STATE =
  /^(?:(?:also|and|but|so|ok|then|or)[\s,]+)*(?:has|have|was|were|had)(?:n'?t)? (?:the|my|that|this|it|they|you|both|all|any\p{L}*)\b/iu

/** "Could the hoodie go to my office instead": what may be done with a thing is wished for. */
const MAY_IT =
  /^(?:(?:also|and|but|so|ok|then|or|please)[\s,]+)*(?:can|could) (?:the|my|that|this|it|they|one|both)\b/iu

/**
 * "My shoes have not come, and send me the invoice for the desk" asks where the shoes are, too: what has not come is
 * one thing, and what is asked for is about another.
 */
function reportIn(clauses: readonly string[], index: number, lesson: Lesson): Passage | null {
  const clause = clauses[index] ?? ''
  const after = clauses.slice(index + 1)
  const isOfOther = after.some(
    (one) => requestOf(one, lesson) !== null && thingsIn(one, lesson).length > 0,
  )
  if (!isOfOther || !NOT_COME.test(clause) || thingsIn(clause, lesson).length === 0) return null
  const passage = passageOf(clause, lesson)
  return passage === null || passage.intent.confirm || passage.confidence < LEAST ? null : passage
}

const NOT_COME =
  /\b(?:have ?n[o']t|has ?n[o']t|have not|has not|did ?n[o']t|did not|havent|hasnt|didnt|never|still not|not yet)\b[^.!?]{0,40}\b(?:received|receive|got|gotten|get|come|came|arrived?|shown up|showed up|here)\b/iu

const LISTED = /^(?:and )?(?:the|its|their) (?:\p{L}+ ?){1,3}$/iu

/** "Where is my order? When does it come?" is one request: the second names nothing new. */
function continues(last: Passage, next: Passage, lesson: Lesson): boolean {
  if (last.intent !== next.intent) return false
  // "Where is the bedding, and was the lamp refunded?": each asks something of a thing of its own.
  const [before, named] = [thingsIn(last.text, lesson), thingsIn(next.text, lesson)]
  const isOther = named.length > 0 && named.every((thing) => !before.includes(thing))
  if (!last.intent.confirm && before.length > 0 && isOther) return false
  const values = new Set(mentionsOf(last.text, last.intent).map(({ value }) => value))
  return (
    mentionsOf(next.text, next.intent).every(({ value }) => values.has(value)) || values.size === 0
  )
}

/** The position where a text turns to another intent; its length if it does not. */
export function turnOf(text: string, intentId: string, lesson: Lesson): number {
  const clauses = clausesOf(text)
  let from = 0
  for (const [index, clause] of clauses.entries()) {
    const at = Math.max(from, text.indexOf(clause, from))
    const request = index === 0 ? null : requestOf(clause, lesson)
    if (request !== null && request.intent.id !== intentId) return at
    from = at + clause.length
  }
  return text.length
}

/** One request, or one per value if several are listed: "O-1 and O-2". */
function wishesOfPassage({ text, intent, confidence }: Passage): readonly StartTask[] {
  const params = correctedParams(text, intent)
  const wish: StartTask = { type: 'start-task', intentId: intent.id, params, confidence }
  const several = severalOf(text, intent)
  if (several === null) return [wish]
  const { param, values } = several
  return values.map((value) => ({ ...wish, params: { ...params, [param]: value } }))
}

function severalOf(
  text: string,
  intent: Intent,
): { readonly param: string; readonly values: readonly string[] } | null {
  const [param] = intent.requiredParams
  if (param === undefined) return null
  const mentions = mentionsOf(text, intent).filter((mention) => mention.param === param)
  const values = [...new Set(mentions.map(({ value }) => value))]
  return values.length < 2 || isCorrected(text, mentions) ? null : { param, values }
}

const isCorrected = (text: string, mentions: readonly Mention[]): boolean => {
  const [first] = mentions
  return (
    (first !== undefined && hintsAtCorrection(text.slice(first.to))) || refusesAny(text, mentions)
  )
}

const refusesAny = (text: string, mentions: readonly Mention[]): boolean =>
  mentions.some(({ from }) => refusesNext(text.slice(Math.max(0, from - 40), from)))

/** The words of a text for things that were bought. */
export const thingsIn = (text: string, { context }: Lesson): readonly string[] =>
  plainWords(text).filter((word) => context.itemWords?.has(word) === true)

/** Whether a part of a message names a thing that was bought, which tells its order better than another part. */
const namesThing = ({ said }: StartTask, lesson: Lesson): boolean =>
  said !== undefined && thingsIn(said, lesson).length > 0

interface Surroundings {
  readonly text: string
  readonly wishes: readonly StartTask[]
  readonly index: number
  readonly lesson: Lesson
  readonly passages: readonly Passage[]
}

/** Completes a request from the rest of the message, or of the conversation. */
function completed(wish: StartTask, around: Surroundings): StartTask {
  const { text, wishes, index, lesson } = around
  const intent = intentOf(lesson, wish.intentId)
  if (intent === undefined) return wish
  const missing = intent.requiredParams.filter((param) => wish.params[param] === undefined)
  const filled = missing.flatMap((param) => {
    const named = new Set(wishes.flatMap(({ params }) => params[param] ?? []))
    const [only] = named.size === 1 ? named : []
    const before = wishes.slice(0, index).findLast(({ params }) => params[param] !== undefined)
    const { open, last } = lesson.context.dialogue
    // "The lamp has a dent, I want something for it": it is the thing that the message itself names.
    const spoken = open ?? (thingsIn(text, lesson).length > 0 ? null : last)
    const earlier = before?.params[param] ?? spoken?.params[param]
    const value = namesThing(wish, lesson)
      ? undefined
      : (only ?? (meansSame(text) ? earlier : undefined))
    return value === undefined ? [] : [[param, value] as const]
  })
  return filled.length === 0
    ? wish
    : { ...wish, params: { ...wish.params, ...Object.fromEntries(filled) } }
}
