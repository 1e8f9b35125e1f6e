import { nameOfIntent } from '../intent.ts'
import { type Reading, readAs } from './command.ts'
import { type Lesson, openersFor } from './lesson.ts'

const FIRST = /^\W*(?:the )?(?:first|former|1st|1|one|a)(?: one)?\W*$/iu
const SECOND = /^\W*(?:the )?(?:second|latter|last|2nd|2|two|b)(?: one)?\W*$/iu

/** One of the intents that the last answer offered. */
export function picked(text: string, lesson: Lesson): Reading | null {
  const { choices, open } = lesson.context.dialogue
  // One thing alone that was offered is agreed to, not picked.
  if (choices.length < 2 || open !== null || text.length > 80) return null
  const place = FIRST.test(text) ? 0 : SECOND.test(text) ? 1 : byWords(text, lesson)
  const choice = choices[place]
  if (choice === undefined) return null
  const task = { type: 'start-task', confidence: 0.95, ...choice } as const
  return readAs([task], 'it picks what was offered')
}

/** The choice that the words of a short text name; -1 for none. */
function byWords(text: string, lesson: Lesson): number {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? []
  const { intents, dialogue } = lesson.context
  const { choices } = dialogue
  const scores = choices.map(({ intentId }) => {
    const intent = intents.find(({ id }) => id === intentId)
    const name = intent === undefined ? '' : nameOfIntent(intent).toLowerCase()
    const own = new Set([...openersFor(lesson, intentId), ...intentId.split('_')])
    return words.filter((word) => own.has(word) || (word.length > 3 && name.includes(word))).length
  })
  const best = Math.max(0, ...scores)
  return best > 0 && scores.filter((score) => score === best).length === 1
    ? scores.indexOf(best)
    : -1
}
