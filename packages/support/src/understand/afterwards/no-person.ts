import { asksAnywhere } from '../read-questions.ts'
import { thingsIn } from '../read-wishes.ts'
import { isConditional } from '../directives.ts'
import { readAs, type Reading } from '../command.ts'
import type { Lesson } from '../lesson.ts'

/** Confidence at which a sentence takes the person back. */
const LEAST = 0.6

/** Whether a text says that no person is needed: "nobody has to look". */
export function needsNoPerson(text: string, lesson: Lesson): boolean {
  const { label = null, confidence = 0 } = lesson.followUps?.classify(text) ?? {}
  if (label !== 'no_person' || confidence < LEAST || asksAnywhere(text)) return false
  // "I don't need the shirt any more" is what the person is for.
  return !isConditional(text) && thingsIn(text, lesson).length === 0 && !STAYS.test(text)
}

/** "No need for anyone, thanks", where a person has the conversation: the wish for one is taken back. */
export const releasesPerson = (text: string, lesson: Lesson): Reading | null =>
  lesson.context.dialogue.handedOver !== null && needsNoPerson(text, lesson)
    ? readAs([{ type: 'follow-up', about: 'no_person' }], 'it needs no person any more')
    : null

/** What is to stay, or is not solved; and who is wanted still. */
const STAYS =
  /\b(?:don'?t|do not|never|not|n't) (?:\p{L}+ )?(?:close|cancel|drop|forget|solved|sorted|resolved|fixed|done|leave)\b|\b(?:don'?t|do not) (?:need|want) (?:an? |your |the )?(?:(?:chat)?bot|robot|machine|computer|you)\b|(?<!(?:n['’]?t|\bnot|\blonger|\bto|\bnever) )\b(?:need|want) (?:an? |the |that |your |some |real )*(?:persons?|humans?|colleagues?|agents?|somebody|someone)\b/iu
