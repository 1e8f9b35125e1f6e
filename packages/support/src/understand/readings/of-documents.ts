import { SEND_BACK } from '../questions/standard.ts'
import { CONFIRMATION } from '../../turn/dialogue.ts'
import { asks, clausesOf } from '../clauses.ts'
import { asksReturnCost, prospect } from '../afterwards/prospects.ts'
import { readAs, type Reading } from '../command.ts'
import { directiveIn, isConditional, wantsPersonToLook } from '../directives.ts'
import type { Lesson } from '../lesson.ts'
import { afterReply } from '../phrases.ts'
import { asksAnywhere, documentsAsked, moneyPlace } from '../read-questions.ts'
import { mailsOfOrder } from '../questions/mails-of-order.ts'
import { chosen } from '../replies/chosen.ts'
import { smallTalkIn } from '../social.ts'
import { tellsOfArrival } from './once-arrived.ts'
import { reportIn } from '../topics/report.ts'
import { SECTIONS } from '../../knowledge/known-sections.ts'
import { REFUND } from '../../dialogue/known-intents.ts'

/** Confidence at which it is asked whether something has to be sent back. */
const LIKELY = 0.6

/** "Do I have to post it back to you?": what it asks is no wish to send it back. */
export function ofSendingBack(text: string, lesson: Lesson): Reading | null {
  const { open, choices } = lesson.context.dialogue
  if (!asksAnywhere(text) || !OF_A_THING.test(text) || asksReturnCost(text)) return null
  if (MAY_SEND.test(text)) return null
  const isOffered = choices.some(({ intentId }) => intentId === REFUND)
  const isOfRefund =
    open === null
      ? isOffered || isRefunded(text, lesson)
      : open.intentId === REFUND && open.param === CONFIRMATION
  // Where a refund is open, what stands beside the question is another thing.
  const asking = isOfRefund ? askedIn(text) : text
  const { label, confidence = 0 } = lesson.followUps?.classify(asking) ?? { label: null }
  if (label !== 'send_back' || confidence < LIKELY) return null
  const ofRules = isOfRefund || (open === null && documentsAsked(text, lesson) !== null)
  if (!ofRules || afterReply(text) !== null) return null
  // Before anything was done, another section may say it: who keeps a parcel, or fetches one.
  const isOfNothing = !isOfRefund && lesson.context.dialogue.done === null
  const question = { type: 'ask-knowledge', question: isOfNothing ? text : SEND_BACK } as const
  // "So I keep it? Then the refund please": the choice behind the question is taken as well.
  const sentences = sentencesOf(text)
  const told =
    sentences.length > 1
      ? sentences.filter((one) => !asksAnywhere(one)).join(' ')
      : clausesOf(text)
          .filter((clause) => !asks(clause))
          .join(', ')
  const choice = open === null && told !== '' ? chosen(told, lesson) : null
  const isChoice = choice?.commands.every(({ type }) => type === 'start-task') === true
  const commands = isChoice ? [question, ...choice.commands] : [question]
  return readAs(commands, 'it asks what is sent back')
}

/**
 * "Cancel the return of the tent", where none is being confirmed, and "what if I never send it": one that is started
 * can't be stopped.
 */
export function stopsReturn(text: string, { context }: Lesson): Reading | null {
  const isStopped = context.dialogue.open === null && STOPS_RETURN.test(text)
  if (!isStopped && !NEVER_SENT.test(text)) return null
  const question = isStopped ? SECTIONS.stoppedReturn : SECTIONS.returnNeverSent
  return readAs([{ type: 'ask-knowledge', question }], 'it wants a return stopped')
}

const NEVER_SENT =
  /\b(?:what|and|so) (?:happens )?if (?:i|we) (?:just |simply |then )?(?:don'?t|do not|never) (?:send|post|ship|return|mail) (?:it|them|that|this|anything)\b/iu

const STOPS_RETURN =
  /\b(?:cancel|stop|undo|call off|withdraw|revoke|delete|remove|take back|forget)\s(?:about\s)?(?:(?:the|my|this|that|our)\s)?returns?(?!\p{L})(?!\s(?:it|them|that|this|my)\b)/isu

/** The sentences that ask, or of one sentence, its clauses that do: "it was refunded, do I return it?" */
function askedIn(text: string): string {
  const sentences = sentencesOf(text)
  const parts = sentences.length > 1 ? sentences : clausesOf(text)
  const asking = parts.filter((part) => (sentences.length > 1 ? asksAnywhere : asks)(part))
  return asking.length === 0 ? text : asking.join(' ')
}

/** Whether it is about money that was given back: here, as was just told, or as the customer says. */
const isRefunded = (text: string, { context: { dialogue, history } }: Lesson): boolean =>
  dialogue.done?.intentId === REFUND ||
  WAS_REFUNDED.test(text) ||
  WAS_REFUNDED.test(history.findLast(({ role }) => role === 'agent')?.text ?? '')

const WAS_REFUNDED =
  /\b(?:was|were|got|been|is|are|have|has|you) (?:\p{L}+ )?refunded\b|\brefunded (?:one|ones|\p{L}+s)\b|\bgot (?:my|the) (?:money|refund)\b/iu

const sentencesOf = (text: string): readonly string[] => text.split(/(?<=[.!?])\s+/u)

/** "Refund it if it is late" orders on a condition; "don't send it before Monday" does not. */
const orders = (text: string): boolean => isConditional(text) && !HOLDS.test(text)

const HOLDS =
  /^\W*(?:(?:please|pls|hi|hello|hey|so|ok|could you|can you)[\s,]+)*(?:don'?t|do not|not|never|wait|hold)\b/iu

/** What may be done with a thing that stays. */
const OF_A_THING =
  /\b(?:back|keep|kept|return\p{L}*|send|sent|post|mail|ship|bin|throw|trash|dispos\p{L}*|toss|give (?:it|them)|pick\p{L}* (?:it|them) up|collect\p{L}*|hold on to|bring|want it)\b/iu

/** A sum of money that is asked for. */
const NAMES_SUM = /\b\d+[.,]\d\d\b[^.!?]{0,20}\bback\b|\bback\b[^.!?]{0,20}\b\d+[.,]\d\d\b/iu

/** "Can I send those back?" wants it. */
const MAY_SEND =
  /^(?!.*\b(?:keep|throw|bin|trash|dispose|instead)\b).*\b(?:can|could|may) (?:i|we) (?:just |only |still |also |then )*(?:send|return|ship|give|bring|post|mail)\b/isu

/** What documents say of how an action works. */
const HOW_IT_WORKS: Readonly<Record<string, string>> = {
  refund: 'how do refunds work',
  return: 'how does a return work',
  cancel: 'how does cancelling work',
}

/** "How does that work?", before a confirmation or a choice. */
export function howItWorks(text: string, lesson: Lesson): Reading | null {
  if (!ASKS_HOW.test(text)) return null
  const { open, choices } = lesson.context.dialogue
  const offered = open === null ? choices.map(({ intentId }) => intentId) : [open.intentId]
  const isChoice = offered.includes('refund') && offered.includes('return')
  const question = isChoice ? 'refund or return, which is better' : HOW_IT_WORKS[offered[0] ?? '']
  return question === undefined
    ? null
    : readAs([{ type: 'ask-knowledge', question }], 'it asks how what is open works')
}

const ASKS_HOW =
  /^\W*(?:(?:so|and|but|ok|okay|hm+|well)[\s,]+)*how (?:does|would|do|will) (?:that|this|it|they|i|one)(?: \p{L}+)? (?:work|go)(?: (?:exactly|then|for me|here))*\W*$/iu

/** A question for the documents alone, and the report of a problem beside it. Nothing is done for it. */
export function ofDocuments(text: string, lesson: Lesson): Reading | null {
  const { open, choices, done } = lesson.context.dialogue
  const isAnswering = open !== null || choices.length > 0
  if (isAnswering && afterReply(text) !== null) return null
  if (open !== null && open.param !== CONFIRMATION && !text.includes('?')) return null
  const directive = directiveIn(text)
  if (directive !== null && (directive.type !== 'undo' || done !== null)) return null
  // "Can I get 12.50 back?" wants it.
  if (NAMES_SUM.test(text) || (orders(text) && !asksAnywhere(text))) return null
  if (wantsPersonToLook(text) || smallTalkIn(text).length > 0) return null
  const place = moneyPlace(text)
  if (place !== null) return place
  const mails = open === null ? mailsOfOrder(text, lesson) : null
  if (mails !== null) return readAs(mails, 'it asks about an email address and its mails')
  const question = documentsAsked(text, lesson)
  if (question === null) return null
  const would = prospect(text, lesson)
  const isAsking = would?.commands.some(({ type }) => type === 'start-task') === true
  if (would !== null && (isAsking || !asksAnywhere(text))) return null
  const report = open === null ? reportIn(text, lesson, true) : null
  // "It was cracked when it arrived, can I return it?" asks for now.
  if (report !== null && tellsOfArrival(text)) return readAs([report], 'it reports a problem')
  return readAs(report === null ? [question] : [question, report], 'documents answer it')
}
