import { clausesOf } from '../clauses.ts'
import type { Command } from '../command.ts'
import { type Lesson, SURE } from '../lesson.ts'
import { asks, documentQuestion, isOfDocuments } from '../read-questions.ts'

const OF_EMAIL = /\b(?:e-?mails?|inbox|mailbox|mail address|gmail|hotmail|yahoo|outlook)\b/iu
const OF_ORDER =
  /\b(?:orders?|parcels?|packages?|deliver\p{L}*|shipping|shipment|tracking|updates?|notifications?|confirmations?|mails|news)\b/iu
const OF_EITHER = /\b(?:old|new|former|previous|other|same|which|still|keeps?|one|that|before)\b/iu

/**
 * A question about an email address, and beside it whether the mails of an order go to the old one or the new one;
 * `null` if a message does not ask both.
 */
export function mailsOfOrder(text: string, lesson: Lesson): readonly Command[] | null {
  if (!OF_EMAIL.test(text)) return null
  const [first = '', ...others] = clausesOf(text)
  const asked = others.filter(
    (clause) => asks(clause) && OF_ORDER.test(clause) && OF_EITHER.test(clause),
  )
  if (asked.length === 0) return null
  const rest = [first, ...others.filter((clause) => !asked.includes(clause))].join(', ')
  const { label, confidence } = lesson.classifier.classify(rest)
  return isOfDocuments(label) && confidence >= SURE
    ? [documentQuestion(rest, label, lesson), { type: 'ask-knowledge', question: MAILS }]
    : null
}

const MAILS = 'which email do the mails about my order go to'
