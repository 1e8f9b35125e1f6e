import { CONFIRMATION } from '../../turn/dialogue.ts'
import type { Lesson } from '../lesson.ts'
import { replyOf } from '../phrases.ts'
import { REPLY_KINDS, type ReplyKind } from './kinds.ts'
import { CHOICE, plainReply, subjectOf } from './plain-reply.ts'
import { saidAndAsked } from './said-and-asked.ts'

/** What a message replies to: a confirmation, or what the last answer offered. */
export interface Asked {
  readonly about: string
  readonly isOffer: boolean
}

/** What is open or offered; `null` for nothing that a reply could be to. */
export function askedOf({ context, replies }: Lesson): Asked | null {
  const { open, choices } = context.dialogue
  if (replies === undefined) return null
  if (open !== null) {
    return open.param === CONFIRMATION ? { about: subjectOf(open.intentId), isOffer: false } : null
  }
  const [choice, ...others] = choices
  if (choice === undefined) return null
  return { about: others.length > 0 ? CHOICE : subjectOf(choice.intentId), isOffer: true }
}

/** What a reply is, and how sure that is. */
export interface Found {
  readonly kind: ReplyKind | null
  readonly confidence: number
}

/** The kind of reply that a text is learned to be, to what is open. */
export function kindOf(said: string, { about }: Asked, { replies, context }: Lesson): Found {
  const plain = plainReply(said, about, context.itemWords)
  const { label = null, confidence = 0 } = replies?.classify(plain) ?? {}
  return { kind: REPLY_KINDS.find((one) => one === label) ?? null, confidence }
}

/** Confidence at which a reply is a yes. */
export const LEAST_YES = 0.55

/** Confidence at which it is something else. */
export const LEAST_NO = 0.6

/** Whether a message takes one of several things that were offered. */
export function isPick(text: string, lesson: Lesson): boolean {
  const asked = askedOf(lesson)
  if (asked?.about !== CHOICE) return false
  const { kind, confidence } = kindOf(text, asked, lesson)
  return kind === 'pick' && confidence >= LEAST_YES
}

/** Whether a message is something else than a yes to what is open. */
export function isNoYes(text: string, lesson: Lesson): boolean {
  const asked = askedOf(lesson)
  if (asked === null) return false
  const { said } = saidAndAsked(text)
  if (said === '') return true
  const { kind, confidence } = kindOf(said, asked, lesson)
  return kind !== 'yes' && kind !== 'yes+wish' && confidence >= LEAST_NO && replyOf(said) !== 'yes'
}

/** Confidence at which a message only asks about what is open. */
const SURE_TO_ASK = 0.8

/** Whether a message only asks something about what is open. */
export function onlyAsks(text: string, lesson: Lesson): boolean {
  const asked = askedOf(lesson)
  if (asked === null || !text.includes('?')) return false
  const { kind, confidence } = kindOf(text, asked, lesson)
  return kind === 'ask' && confidence >= SURE_TO_ASK
}
