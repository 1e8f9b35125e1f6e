import { WITHDRAWN } from '../../wording/sentences.ts'
import { CONFIRMATION } from '../../turn/dialogue.ts'
import { ORDER } from '../../customer/resolve-order.ts'
import { ASKS_DUTY } from '../afterwards/prospects.ts'
import { readAs, type Reading } from '../command.ts'
import { isRefused } from '../clauses.ts'
import {
  asksForDecision,
  asksForWaiting,
  asksIfWithdrawn,
  directiveIn,
  isConditional,
  undoesLast,
  wantsPersonToLook,
  withdrawsNamed,
  withdrawsRequest,
} from '../directives.ts'
import { byRule, intentOf, type Lesson, openersFor } from '../lesson.ts'
import { asksAnywhere, requestsIn } from '../read-questions.ts'
import { correctedParams, thingsIn } from '../read-wishes.ts'
import { smallTalkIn } from '../social.ts'

/** Takes back a request that waits for a person. */
export function withdrawn(text: string, lesson: Lesson): Reading | null {
  const { blocked, open, last } = lesson.context.dialogue
  if (open !== null) return null
  const waiting = blocked.at(-1)
  if (waiting === undefined) return withdrawnBefore(text, lesson)
  // "Undo that" is about what waits only where nothing else was done since.
  const isLast = last === null || last.intentId === waiting.intentId
  const openers = openersFor(lesson, waiting.intentId)
  const takesBack = (said: string): boolean =>
    withdrawsRequest(said) ||
    (isLast && undoesLast(said)) ||
    (REFUSES.test(said) && !said.includes('?') && isRefused(said, openers))
  if (!takesBack(text)) return null
  const others = text
    .split(/[,;]?\s+(?:and|then)\s+(?:then\s+)?|[.;!]\s+/iu)
    .filter((piece) => !takesBack(piece))
  const wishes = others
    .flatMap((piece) => requestsIn(piece, lesson))
    .filter((one) => one.type === 'start-task' && one.intentId !== waiting.intentId)
  const isPlain = others.length > 0 && others.length < MOST_PIECES
  return readAs(
    [{ type: 'cancel-task' }, ...(isPlain ? wishes.slice(0, 1) : [])],
    'it takes back what waits',
  )
}

const MOST_PIECES = 3

/** "Don't refund it": what waits is not wanted. "No refund, no answer!" only complains. */
const REFUSES = /\b(?:don['’]?t|do not|no longer|changed (?:my|our) mind)\b/iu

/** "Can I send it back instead?", while its refund waits for a person: the return, which takes the place of that. */
export function returnsInstead(text: string, lesson: Lesson): Reading | null {
  const { blocked, open } = lesson.context.dialogue
  const intent = intentOf(lesson, 'return')
  const isWaiting = blocked.some(({ intentId }) => intentId === 'refund')
  if (open !== null || intent === undefined || !isWaiting) return null
  if (!SENDS_BACK.test(text) || !INSTEAD.test(text) || NO_RETURN.test(text)) return null
  if (isConditional(text) || ASKS_DUTY.test(text)) return null
  const task = byRule(intent.id, correctedParams(text, intent))
  const isAsked = text.includes('?') || asksAnywhere(text)
  return readAs(
    [isAsked ? { ...task, wonders: 'possible' } : task],
    'it wants a return in place of what waits',
  )
}

const SENDS_BACK =
  /\b(?:return|returning)\b|\b(?:send|ship|mail|post|give|bring|sending|shipping)\b[^.!?]{0,30}\bback\b/iu
const INSTEAD =
  /\b(?:instead|rather|after all|switch\p{L}*|(?:change|changed|changing) (?:my mind|it|that|to)|swap|better)\b/iu
const NO_RETURN =
  /\b(?:not|never|without|no)\b[^.!?]{0,20}\b(?:return\p{L}*|send|ship|mail|back)\b|n'?t\b[^.!?]{0,20}\b(?:return\p{L}*|send|ship|mail|back)\b|\b(?:refund|money|cash)\b[^.!?]{0,30}\b(?:instead|rather)\b|\binstead of (?:return\p{L}*|sending)/iu

/** Asked for once more, or asked about, where nothing waits: that is said, and nothing offered. */
function withdrawnBefore(text: string, { context }: Lesson): Reading | null {
  const answers = context.history.filter(({ role }) => role === 'agent').slice(-MOST_ANSWERS)
  const isBefore = answers.some((answer) => answer.text.includes(WITHDRAWN))
  const isAgain = withdrawsNamed(text) || undoesLast(text) || asksIfWithdrawn(text)
  if (isBefore && isAgain) return readAs([{ type: 'ask-waiting' }], 'it is taken back already')
  if (!withdrawsNamed(text) || !OF_REQUEST.test(text)) return null
  return readAs(
    [context.dialogue.done === null ? { type: 'ask-waiting' } : { type: 'undo' }],
    'it takes back what does not wait',
  )
}

/** Answers back in which something was taken back. */
const MOST_ANSWERS = 3

/** "Withdraw the request" is about none of the orders. */
const OF_REQUEST =
  /\b(?:take|pull|withdraw|revoke|retract|rescind|recall)\b[^.!?]*\b(?:requests?|applications?)\b|\b(?:refund|money|return) requests?\b/iu

/** Takes back the request that waits, by its name, while the agent asks for something else: neither is done. */
export function withdrawnWhileAsked(text: string, { context }: Lesson): Reading | null {
  const { blocked, open } = context.dialogue
  const waiting = blocked.at(-1)
  if (open?.param !== CONFIRMATION || waiting === undefined || BEGINS_WITH_YES.test(text))
    return null
  // "Cancel the refund" may mean the one that is asked about.
  const isOther = open.intentId === waiting.intentId && open.params[ORDER] !== waiting.params[ORDER]
  return !isOther && withdrawsNamed(text)
    ? readAs([{ type: 'deny' }, { type: 'cancel-task' }], 'it takes back what waits')
    : null
}

const BEGINS_WITH_YES = /^\W*(?:yes|yeah|yep|sure|ok(?:ay)?|do it|go ahead)(?!\p{L})/iu

/** A request about the conversation itself. */
export function directed(text: string, { context }: Lesson): Reading | null {
  const command = directiveIn(text)
  if (command !== null) return readAs([command], `it is a request to ${command.type}`)
  const { blocked, open } = context.dialogue
  // While something waits for a person, words of one may ask for news of it.
  if (blocked.length === 0 && wantsPersonToLook(text)) {
    return readAs([{ type: 'ask-person', params: {} }], 'it wants a person to look at it')
  }
  const asks = asksForDecision(text) || (blocked.length > 0 && asksForWaiting(text))
  return asks && open === null ? readAs([{ type: 'ask-waiting' }], 'it asks what waits') : null
}

/** Small talk, and nothing else. */
export function sociable(text: string, lesson: Lesson): Reading | null {
  const { context } = lesson
  const kinds = smallTalkIn(text)
  const isReply =
    context.dialogue.open?.param === CONFIRMATION && /\b(?:yes|yeah|yep|no|nope)\b/iu.test(text)
  if (kinds.length === 0 || isReply) return null
  // "Thanks, bye": the last one says where it goes.
  const kind = kinds.includes('insult') ? 'insult' : (kinds.at(-1) ?? 'praise')
  // "I hate this chair, I want rid of it" is about the chair.
  if (kind === 'insult' && thingsIn(text, lesson).length > 0) return null
  return readAs([{ type: 'small-talk', kind }], `it is ${kind}`)
}
