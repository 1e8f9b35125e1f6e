import { documentIn, sourceIn } from '../../wording/sentences.ts'
import { readAs, type Reading } from '../command.ts'
import { documentQuestion, isOfDocuments } from '../read-questions.ts'
import { thingsIn } from '../read-wishes.ts'
import { replyOf } from '../phrases.ts'
import { type Lesson, SURE } from '../lesson.ts'
import { smallTalkIn } from '../social.ts'
import { SECTIONS } from '../../knowledge/known-sections.ts'

/** Longer texts tell something of their own. */
const MOST_WORDS = 18

/** What was tried did not help. */
const NOT_HELPED =
  /\b(?:not|never|nothing|no|none|still|cannot|neither)\b|n't\b|\b(?:dont|doesnt|isnt|didnt|cant|wont|havent)\b|\b(?:tried|did|done|checked) (?:that|this|it|all|so)\b/iu

/** What only the account's owner can do. */
const DO_IT =
  /\b(?:can(?:'?t)?|could(?:n'?t)?|will|would|won'?t) (?:you|u) (?:not |please |just |simply |also |maybe )*(?:do|change|delete|reset|set|fix|make|handle) (?:it|that|this|one|them)\b/iu

/** What is said to an answer about the account that did not help: no order is meant. A colleague is offered. */
export function ofAccount(text: string, lesson: Lesson): Reading | null {
  const { dialogue, history } = lesson.context
  const before = history.findLast(({ role }) => role === 'agent')?.text ?? ''
  if (documentIn(before) !== SECTIONS.account || dialogue.open !== null) return null
  if (text.split(/\s+/u).length > MOST_WORDS || thingsIn(text, lesson).length > 0) return null
  if (replyOf(text) !== null || smallTalkIn(text).length > 0) return null
  if (DO_IT.test(text)) return unknown()
  const { label, confidence } = lesson.classifier.classify(text)
  const topic = isOfDocuments(label) ? documentQuestion(text, label, lesson) : null
  if (!NOT_HELPED.test(text)) return null
  const source = sourceIn(before)
  if (source === SECTIONS.password) {
    return readAs(
      [{ type: 'ask-knowledge', question: SECTIONS.noPasswordMail }],
      'the mail does not come',
    )
  }
  const isOfOther = topic !== null && confidence >= SURE && topic.question !== source
  return isOfOther || text.includes('?') ? null : unknown()
}

const unknown = (): Reading =>
  readAs([{ type: 'ask-knowledge', question: '', isBeyond: true }], 'that did not help')
