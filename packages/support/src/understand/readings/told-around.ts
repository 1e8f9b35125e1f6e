import { requestSentences } from '../clauses.ts'
import { lowest, readAs, type Reading } from '../command.ts'
import { type Lesson, SURE } from '../lesson.ts'
import { wishesOf } from '../read-wishes.ts'

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

/** "The shoes are too small, what now?" asks what a report of it asks. */
const WHAT_NOW =
  /[,.;!?-]+\s*(?:and |so |but )?(?:what now|now what|what (?:can|should|could|shall|do|would) (?:i|we|you)(?: \p{L}+)? (?:do|suggest|propose)(?: now| about (?:it|that|this))?|any (?:ideas?|suggestions?))\s*[?!.]*\s*$/iu

/** A text without the question at its end of what to do now. */
export function withoutWhatNow(text: string): string {
  const rest = text.slice(0, 1_000).replace(WHAT_NOW, '')
  return text.length <= 1_000 && rest.split(/\s+/).length > 2 ? rest : text
}
