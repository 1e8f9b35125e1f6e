import { plainWords } from '../customer/item-words.ts'
import { documentIn } from '../wording/sentences.ts'
import { type Reading, readAs } from './command.ts'
import { type Lesson, SURE } from './lesson.ts'
import { wishesOf } from './read-wishes.ts'

/** Longer texts have a subject of their own. */
const MOST_WORDS = 8

const FOLLOWS =
  /^\W*(?:(?:ok|okay|thanks|thank you|great|good)[\s,.!]+)*(?:and|or|what about|how about)\b/iu

/**
 * "And how long do I have?", after an answer from a document: a question about the same subject, which the document
 * names.
 */
export function followedUp(text: string, lesson: Lesson): Reading | null {
  const { dialogue, history, itemWords } = lesson.context
  const document = documentIn(history.findLast(({ role }) => role === 'agent')?.text ?? '')
  if (document === null || dialogue.open !== null || !FOLLOWS.test(text)) return null
  const isShort = text.trim().split(/\s+/).length <= MOST_WORDS
  const isOfThing =
    /\d/u.test(text) || plainWords(text).some((word) => itemWords?.has(word) === true)
  if (!isShort || isOfThing) return null
  if (wishesOf(text, lesson).some(({ confidence }) => confidence >= SURE)) return null
  const question = `${text} ${document}`
  return readAs([{ type: 'ask-knowledge', question }], `it asks more about ${document}`)
}
