import { readAs, type Reading } from '../command.ts'
import { byRule, intentOf, type Lesson, openersFor } from '../lesson.ts'
import { asksAnew, isOnceMore } from '../phrases.ts'
import { correctedParams } from '../read-wishes.ts'

/** "And O-2?", or only another order, after an answer: the same request for that one. */
export function onceMore(text: string, lesson: Lesson): Reading | null {
  const { open, last } = lesson.context.dialogue
  const intent = last === null ? undefined : intentOf(lesson, last.intentId)
  if (open !== null || intent === undefined) return null
  const params = correctedParams(text, intent)
  if (!intent.requiredParams.some((param) => params[param] !== undefined)) return null
  const words = text.match(/\p{L}{2,}/gu) ?? []
  if (words.length > 6 || (words.length > 0 && !isOnceMore(text))) return null
  if (asksAnew(text)) return null
  const [first = ''] = words.map((word) => word.toLowerCase()).filter((word) => !isOnceMore(word))
  const commands = lesson.context.intents.some(({ id }) => openersFor(lesson, id).has(first))
  if (commands && !/^(?:about|how|what)$/u.test(first)) return null
  return readAs([byRule(intent.id, params)], 'the same of another')
}
