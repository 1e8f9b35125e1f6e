import {
  type Command,
  lowest,
  NOT_UNDERSTOOD,
  readAs,
  type Reading,
  type StartTask,
} from '../command.ts'
import { OR } from '../learned-classifier.ts'
import { doubtOfYes } from '../../dialogue/veto.ts'
import { CONFIRMATION, type OpenIntent } from '../../turn/dialogue.ts'
import { isRequest } from '../clauses.ts'
import { type Lesson, openersFor, SURE } from '../lesson.ts'
import { asks, asksAnywhere, partsOf } from '../read-questions.ts'
import { unlikely } from '../read-unlikely.ts'
import { thingsIn, wishesOf } from '../read-wishes.ts'
import { withoutCourtesy } from '../social.ts'
import { reportIn } from '../topics/report.ts'
import { asksOnly, hypothetical } from './asks-only.ts'
import { meantInstead } from './meant-instead.ts'
import { reportWithOptions, requestTold, storyIn, withoutWhatNow } from './told-around.ts'

/** What the learned classifier takes a message for: a request, several things, a report, or a question. */
export const wished = (text: string, lesson: Lesson): Reading | null =>
  wishIn(withoutWhatNow(withoutCourtesy(text)), lesson)

/** A request within a story: the sentences that ask for something, without an introduction. */
export function toldAround(text: string, lesson: Lesson): Reading | null {
  const asking = requestTold(text)
  return asking === text || asking.trim() === '' ? null : wishIn(asking, lesson)
}

function wishIn(text: string, lesson: Lesson): Reading | null {
  // Figures alone ask for nothing.
  if (!/\p{L}/u.test(text)) return null
  return (
    reportWithOptions(text, lesson) ??
    hypothetical(text, lesson) ??
    meantInstead(text, lesson) ??
    severalThings(text, lesson) ??
    requested(text, lesson)
  )
}

function severalThings(text: string, lesson: Lesson): Reading | null {
  const parts = partsOf(text, lesson)
  if (parts === null) return null
  const isPlain = parts.commands.every(
    (one) => one.type === 'ask-knowledge' && (one.offer ?? []).length === 0,
  )
  const isFree = lesson.context.dialogue.open === null
  const report = isFree && isPlain ? reportIn(text, lesson, true) : null
  const commands = report === null ? parts.commands : [...parts.commands, report]
  return readAs(commands, 'it asks several things', parts.confidence)
}

function requested(text: string, lesson: Lesson): Reading | null {
  const wishes = wishesOf(text, lesson)
  const [first, ...more] = wishes
  if (first === undefined) return storyIn(text, lesson) ?? unlikely(text, lesson)
  const other =
    asksOnly(text, [first, ...more], lesson) ?? nothingNew(text, [first, ...more], lesson)
  if (other !== null) return other
  const { open } = lesson.context.dialogue
  const isAnswering = open !== null && open.param !== CONFIRMATION
  // While a value is asked for, a weak reading changes no subject.
  if (isAnswering && lowest(wishes) < SURE && wishes.every(({ params }) => isEmpty(params))) {
    return { ...NOT_UNDERSTOOD, reasoning: 'it is no clear request' }
  }
  const names = wishes.map(({ intentId }) => intentId).join(', ')
  const reading = readAs(wishes, `it reads like ${names}`, lowest(wishes))
  const alternatives = secondOf(text, lesson)
  return alternatives.length === 0 ? reading : { ...reading, alternatives }
}

const isEmpty = (params: StartTask['params']): boolean => Object.keys(params).length === 0

/** Repeats the open request without anything new, so the question stays open. */
function nothingNew(
  text: string,
  [first, ...more]: readonly [StartTask, ...StartTask[]],
  lesson: Lesson,
): Reading | null {
  const { open } = lesson.context.dialogue
  if (open === null || open.intentId !== first.intentId || more.length > 0) return null
  if (Object.entries(first.params).some(([name, value]) => open.params[name] !== value)) return null
  const question: Command = { type: 'ask-knowledge', question: text }
  if (ordersOpen(text, open, lesson)) {
    return readAs([{ type: 'confirm', said: text }], 'it orders what is open')
  }
  return asks(text)
    ? readAs([question], 'it asks about what is open')
    : { ...NOT_UNDERSTOOD, reasoning: 'it says nothing new' }
}

/** "Ok: cancel the watch order", where just that waits for a yes: an order to do it is one, in a few words. */
const ordersOpen = (text: string, { intentId, param }: OpenIntent, lesson: Lesson): boolean =>
  param === CONFIRMATION &&
  !asksAnywhere(text) &&
  !OF_OTHERS.test(text) &&
  text.split(/\s+/u).length <= MOST_IN_ORDER &&
  isRequest(text.replace(AGREES, ''), openersFor(lesson, intentId)) &&
  // "Cancel something else" names nothing that could be compared with what is open.
  thingsIn(text, lesson).length > 0 &&
  doubtOfYes(text) === null

/** Another thing, or another amount of it. */
const OF_OTHERS =
  /\b(?:others?|another|different|half|part|rest|some|one|two|three|both|all|only|just|twice|again)\b/iu
const MOST_IN_ORDER = 8
const AGREES = /^\W*(?:(?:yes|yeah|yep|ok|okay|sure|alright|all right|fine|then|so|please)\b\W*)+/iu

/** The intents of the second likeliest label. */
const secondOf = (text: string, { classifier, context }: Lesson): readonly string[] =>
  classifier
    .classify(text)
    .next?.split(OR)
    .filter((id) => context.intents.some((one) => one.id === id)) ?? []
