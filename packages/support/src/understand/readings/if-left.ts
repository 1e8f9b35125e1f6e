import { type Reading } from '../command.ts'
import type { Lesson } from '../lesson.ts'
import { asksAnywhere } from '../read-questions.ts'

/** "And when would it come if I leave it?" asks for what is, since nothing is done then. */
export const ifLeft =
  (read: (text: string, lesson: Lesson) => Reading) =>
  (text: string, lesson: Lesson): Reading | null => {
    if (lesson.context.dialogue.open !== null || !asksAnywhere(text)) return null
    const plain = text.replace(IF_LEFT, '$1').replace(WOULD, 'will')
    return plain === text || !asksAnywhere(plain) || !IF_LEFT.test(text)
      ? null
      : read(plain, lesson)
  }

const IF_LEFT =
  /,?\s*\b(?:if|when) (?:i|we) (?:just |simply |then )?(?:leave|keep|don'?t (?:cancel|return|refund|send back|change)) (?:it|them|that|the order|everything)(?: (?:as (?:it|they) (?:is|are)|then|instead))*\s*(\??)\s*$/iu

const WOULD = /\bwould\b/iu
