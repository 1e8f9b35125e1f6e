import { wholeValue } from '../slots.ts'
import { readAs, type Reading } from '../command.ts'
import { byRule, type Lesson } from '../lesson.ts'

/** An address with its postal code, and nothing else, where none was asked for: it says where to send something. */
export function addressAlone(text: string, lesson: Lesson): Reading | null {
  const { open } = lesson.context.dialogue
  if (open !== null || !POSTAL.test(text.trim())) return null
  for (const { id, params } of lesson.context.intents) {
    const [found] = Object.entries(params).filter(([, { wholeAnswer }]) => wholeAnswer)
    const value = found === undefined ? null : wholeValue(text, found[1])
    if (found !== undefined && value !== null) {
      return readAs([byRule(id, { [found[0]]: value })], 'it is an address')
    }
  }
  return null
}

/** "8 Elm Court, Omaha, NE 68104". */
const POSTAL = /^\d[^.!?]{5,120},? [A-Z]{2},? \d{5}(?:-\d{4})?\.?$/u
