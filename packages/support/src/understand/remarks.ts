import type { JsonObject } from 'echelon/runtime'
import { isRequest } from './clauses.ts'
import { type Reading, readAs } from './command.ts'
import { CONFIRMATION } from '../turn/dialogue.ts'
import { intentOf, type Lesson, openersFor } from './lesson.ts'
import { afterReply } from './phrases.ts'
import { asks } from './read-questions.ts'
import { correctedParams } from './read-wishes.ts'

/** Longer texts are stories, in which a request may hide. */
const MOST_WORDS = 30

/** Words of statements, by which a reason is told from gibberish. */
const STATES =
  /\b(?:because|cause|cos|since|it|its|it's|they|they're|there|that|this|these|those|my|the|i|i'm|im|we|he|she|is|are|was|were|has|have|had|does|do|did|doesn't|isn't|just|both|one|too|wrong|very|really)\b/iu

/** A statement before a confirmation: it neither agrees nor refuses, and most often gives a reason. */
export function remarked(text: string, lesson: Lesson): Reading | null {
  const { open } = lesson.context.dialogue
  if (open?.param !== CONFIRMATION || text.includes('?') || asks(text)) return null
  const words = text.match(/[\p{L}\p{N}']+/gu) ?? []
  const isStatement = words.length >= 2 && words.length <= MOST_WORDS && STATES.test(text)
  if (isRequest(text, openersFor(lesson, open.intentId))) return null
  const reply = afterReply(text)
  // "Ok, refund the book" asks for something, and agrees to nothing else.
  if (reply !== null && isRequest(reply.rest, openersFor(lesson, open.intentId))) return null
  if (reply !== null && !reply.isPause) {
    if (reply.reply !== 'yes') return readAs([{ type: 'cancel-task' }], 'it says no, and why')
  }
  const listed = listedIn(text, lesson)
  if (Object.keys(listed).length > 0) {
    return readAs([{ type: 'set-slots', params: listed }], 'it gives a reason')
  }
  return isStatement ? readAs([{ type: 'remark' }], 'it says something about it') : null
}

const DISMISSES = /^\W*(?:never ?mind|forget (?:it|that)|no[, ]+(?:thanks|thank you|thx))\b/iu

/** "Never mind, found them": whatever it tells besides, it wants nothing. */
export const dismissed = (text: string, { context }: Lesson): Reading | null =>
  context.dialogue.open === null && DISMISSES.test(text) && !text.includes('?')
    ? readAs([{ type: 'deny' }], 'it wants nothing more')
    : null

/** Values of closed lists, such as a reason, that are not known yet. */
function listedIn(text: string, lesson: Lesson): JsonObject {
  const { open } = lesson.context.dialogue
  const intent = open === null ? undefined : intentOf(lesson, open.intentId)
  if (open === null || intent === undefined) return {}
  const said = Object.entries(correctedParams(text, intent))
  return Object.fromEntries(
    said.filter(
      ([param]) =>
        open.params[param] === undefined &&
        Object.keys(intent.params[param]?.values ?? {}).length > 0,
    ),
  )
}
