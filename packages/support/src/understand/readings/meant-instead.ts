import { isRequest } from '../clauses.ts'
import { lowest, readAs, type Reading } from '../command.ts'
import { type Lesson, openersFor, SURE } from '../lesson.ts'
import { wishesOf } from '../read-wishes.ts'

/** "Cancel it, no sorry, I mean change its address": only the second is meant. */
export function meantInstead(text: string, lesson: Lesson): Reading | null {
  const [, after = ''] = TAKES_BACK.exec(text) ?? []
  const meant = wishesOf(after, lesson)
  const [main] = meant
  return main !== undefined &&
    lowest(meant) >= SURE &&
    isRequest(after, openersFor(lesson, main.intentId))
    ? readAs(meant, 'it corrects itself', lowest(meant))
    : null
}

/** A correction within a message, and what is meant instead. */
const TAKES_BACK =
  /^.{3,}?(?:\b(?:no|oh|wait|sorry|oops|ah|hang on|hold on|actually)\b[\s,.!-]+(?:(?:no|sorry|wait|actually|rather|i mean|i meant)\b[\s,.!-]+)+|\b(?:scratch that|i mean|i meant|correction|or rather)\b[\s,.!:-]+)(.{5,})$/isu
