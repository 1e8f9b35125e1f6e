import { clausesOf, isRefused } from './clauses.ts'
import { type Command, readAs, type Reading } from './command.ts'
import { isConditional } from './directives.ts'
import { intentOf, LEAST, type Lesson, openersFor, SURE } from './lesson.ts'
import {
  asks,
  BEYOND,
  documentQuestion,
  IDLE,
  isOfDocuments,
  isSaid,
  QUESTION,
} from './read-questions.ts'
import { correctedParams } from './read-wishes.ts'
import { asksForFacts, reportIn, reportOf } from './topics/report.ts'
import { objects } from './restraint.ts'
import { isOwnDoing } from './topics/own-doing.ts'

/** A text that no intent fits: a question for the documents, or one of two that are likely. */
export function unlikely(text: string, lesson: Lesson): Reading | null {
  const { classifier, context } = lesson
  const { label, confidence, next } = classifier.classify(text)
  const report = confidence >= LEAST && !asksForFacts(text) ? reportOf(label, lesson) : null
  if (report !== null) return ownChange(text, lesson) ?? reported(report)
  if (
    label === IDLE &&
    confidence >= SURE &&
    !clausesOf(text).some(asks) &&
    !objects(text, lesson)
  ) {
    return idle(text, lesson)
  }
  const isOfSubject = isOfDocuments(label) && label !== QUESTION && confidence >= SURE_IN_STORY
  const isFree = context.dialogue.open === null
  const within = isFree && !isOfSubject ? reportIn(text, lesson) : null
  if (within !== null && !refusesAny(text, lesson)) {
    return ownChange(text, lesson) ?? reported(within)
  }
  if (label === BEYOND && confidence >= LEAST && isSaid(text)) return beyond(text, confidence)
  // Documents answer it, or nothing does: either way it is looked up.
  if (label !== QUESTION && isOfDocuments(label) && confidence >= LEAST) {
    const sure = Math.max(confidence, SURE)
    return readAs([documentQuestion(text, label, lesson)], 'it is a subject of the documents', sure)
  }
  if (label === QUESTION && next === BEYOND && isSaid(text)) return beyond(text, confidence, false)
  const told = inOneClause(text, lesson)
  if (told !== null) return told
  if (context.dialogue.open === null && !asks(text) && declines(text, lesson))
    return readAs([{ type: 'deny' }], 'it declines')
  const isAsked = asks(text) && !NAMES_AN_ID.test(text) && text.trim().split(/\s+/).length > 2
  if (label === QUESTION && isConditional(text) && !isAsked && !text.includes('?')) {
    return readAs([{ type: 'conditional' }], 'it depends on something')
  }
  if (label === QUESTION && (confidence >= SURE || (isAsked && confidence >= LEAST))) {
    const sure = Math.max(confidence, SURE)
    return readAs([{ type: 'ask-knowledge', question: text }], 'it asks for the rules', sure)
  }
  if (text.trim().endsWith('?') && asks(text) && NAMES_AN_ID.test(text)) {
    return beyond(text, SURE)
  }
  // What fits nothing well is answered only by what it asks nearly word for word.
  if (!isAsked) return null
  return confidence < LEAST
    ? beyond(text, SURE)
    : readAs([{ type: 'ask-knowledge', question: text }], 'it is a question')
}

/** What asks for nothing: before a confirmation it may refuse what is open, and is never a yes. */
function idle(text: string, { context }: Lesson): Reading | null {
  if (context.dialogue.open === null) return readAs([{ type: 'deny' }], 'it asks for nothing')
  // Who does not know a value still wants what it is for.
  if (KNOWS_NOT.test(text)) return null
  return KEEPS.test(text) ? readAs([{ type: 'cancel-task' }], 'it wants nothing done') : null
}

/** "I clicked on three by mistake, one is enough" reports no fault of the shop: the order should hold something else. */
function ownChange(text: string, lesson: Lesson): Reading | null {
  if (!isOwnDoing(text)) return null
  const { classifier } = lesson
  const labels = [text, ...clausesOf(text)].flatMap((part) => {
    const { label, next } = classifier.classify(part)
    return [label, next]
  })
  const found = labels
    .map((label) => documentQuestion(text, label, lesson))
    .find(({ offer = [] }) => offer.length > 0)
  return found === undefined ? null : readAs([found], 'it wants other contents', SURE)
}

const reported = (report: Command): Reading => readAs([report], 'it reports a problem', 0)

/** Whether a clause says what the customer does not want. */
const refusesAny = (text: string, lesson: Lesson): boolean =>
  clausesOf(text).some((clause) => {
    const { label } = lesson.classifier.classify(clause)
    return label !== null && isRefused(clause, openersFor(lesson, label))
  })

const KNOWS_NOT = /\b(?:do ?n['’]?t|do not|not) (?:know|remember)\b/iu

const KEEPS = /\b(?:keep|leave|rather|don'?t|do not|not|wait|nothing)\b/iu

const beyond = (question: string, confidence: number, isSure = true): Reading =>
  readAs(
    [{ type: 'ask-knowledge', question, ...(isSure && { isBeyond: true }) }],
    'most likely nothing here answers it',
    Math.max(confidence, SURE),
  )

/** "Please don't cancel my order, I only asked" wants nothing. */
function declines(text: string, lesson: Lesson): boolean {
  const isDeclined = (clause: string): boolean => {
    const { label } = lesson.classifier.classify(clause)
    return label !== null && isRefused(clause, openersFor(lesson, label))
  }
  const clauses = clausesOf(text)
  const rest = clauses.filter((clause) => !isDeclined(clause))
  return rest.length < clauses.length && rest.every((clause) => NO_WISH.test(clause))
}

/** How clauses begin that ask for nothing. */
const NO_WISH =
  /^(?:i|i'm|i've|it|it's|that|that's|this|we|ok|okay|sorry|thanks|thank you|please)\b/iu

/** The labels of messages without a request. */
const isOther = (label: string): boolean =>
  isOfDocuments(label) || label === BEYOND || label === IDLE

/** Confidence at which one sentence of a story says what the whole is about. */
const SURE_IN_STORY = 0.75

/** The one sentence of a longer message that is clear by itself, such as a report of damage. */
function inOneClause(text: string, lesson: Lesson): Reading | null {
  const { classifier, context } = lesson
  const clauses = clausesOf(text)
  if (clauses.length < 2) return null
  const read = clauses.map((clause) => ({ clause, ...classifier.classify(clause) }))
  // Beside what the customer does not want, no other clause is sure enough to act on.
  if (refusesAny(text, lesson)) return null
  const best = read
    .filter(({ label }) => label !== null && !isOther(label))
    .toSorted((a, b) => b.confidence - a.confidence)[0]
  if (best === undefined || best.label === null || best.confidence < SURE_IN_STORY) return null
  const { label, confidence, clause } = best
  const report = reportOf(label, lesson)
  if (report !== null) return asksForFacts(text) ? null : reported(report)
  const intent = intentOf(lesson, label)
  if (intent === undefined || context.dialogue.open !== null) return null
  if (intent.confirm && isConditional(text)) {
    return readAs([{ type: 'conditional' }], 'it depends on something')
  }
  const params = correctedParams(text, intent)
  return readAs(
    [{ type: 'start-task', intentId: label, params, confidence, said: text }],
    `it says ${clause}`,
    confidence,
  )
}

/** An identifier such as O-12345, about which no document says anything. */
const NAMES_AN_ID = /\b\p{L}{1,6}-\d{4,}\b/iu
