import { asks, clausesOf, requestSentences } from '../clauses.ts'
import { lowest, readAs, type Reading } from '../command.ts'
import { type Lesson, SURE } from '../lesson.ts'
import { OR } from '../learned-classifier.ts'
import { asksForOptions } from '../read-questions.ts'
import { thingsIn, wishesOf } from '../read-wishes.ts'
import { reportOf } from '../topics/report.ts'

/** The sentences of a story that ask for something, without an introduction. */
export const requestTold = (text: string): string => requestSentences(text).replace(INTRODUCES, '')

/** "Hello, my name is Daniel and …", "this is Grace." */
const INTRODUCES =
  /^\W*(?:(?:hi|hello|hey|good \p{L}+|dear \p{L}+)[\s,.!]+(?:there[\s,.!]+)?)*(?:my name is|this is|i am|i'm) \p{Lu}\p{L}*(?: \p{Lu}\p{L}*)?[\s,.!-]+(?:(?:here|and|from \p{L}+)[\s,.]+)*/u

/** A clear request in one sentence of a story that is about many things. */
export function storyIn(text: string, lesson: Lesson): Reading | null {
  const asking = requestSentences(text)
  const wishes = asking === text ? [] : wishesOf(asking, lesson)
  return wishes.length > 0 && lowest(wishes) >= SURE
    ? readAs(wishes, 'one sentence asks for it', lowest(wishes))
    : null
}

/**
 * "I've got the boots and they squeeze my heels, what are my options": of a thing that reads like nothing clear, it
 * asks what a report of it asks.
 */
export function reportWithOptions(text: string, lesson: Lesson): Reading | null {
  const clauses = clausesOf(text)
  const rest = clauses.filter((clause) => !asksForOptions(clause, lesson))
  const told = rest.join(', ')
  if (rest.length === 0 || rest.length === clauses.length || rest.some(asks)) return null
  if (lesson.context.dialogue.open !== null || thingsIn(told, lesson).length === 0) return null
  const { label, confidence } = lesson.classifier.classify(told)
  const report = reportOf(MENDED, lesson)
  return (label === MENDED || confidence < SURE) && report !== null
    ? readAs([report], 'it tells of a thing, and asks for options', 0)
    : null
}

/** The label of reports that a refund or a return may mend. */
const MENDED = `refund${OR}return`

/** "The shoes are too small, what now?" asks what a report of it asks. */
const WHAT_NOW =
  /[,.;!?-]+\s*(?:and |so |but )?(?:what now|now what|what (?:can|should|could|shall|do|would) (?:i|we|you)(?: \p{L}+)? (?:do|suggest|propose)(?: now| about (?:it|that|this))?|any (?:ideas?|suggestions?))\s*[?!.]*\s*$/iu

/** A text without the question at its end of what to do now. */
export function withoutWhatNow(text: string): string {
  const rest = text.slice(0, 1_000).replace(WHAT_NOW, '')
  return text.length <= 1_000 && rest.split(/\s+/).length > 2 ? rest : text
}
