import type { Reading } from '../../understand/command.ts'
import { takesBackHandOver, withoutTakeBack } from '../../understand/directives.ts'
import { SURE } from '../../understand/lesson.ts'
import { asksAnywhere } from '../../understand/read-questions.ts'

/**
 * What a message asks for besides taking back the wish for a person; `null` where it does not take it back.
 *
 * @param read reads a part of the message; `null` where no examples were learned, so that only fixed words count
 */
export function besideTakenBack(
  text: string,
  read: ((part: string) => Reading) | null,
): string | null {
  if (read === null) return takesBackHandOver(text) ? withoutTakeBack(text) : null
  const takesBack = (part: string): boolean => releases(read(part))
  const parts = text.split(PART)
  const others = parts.filter((part) => !takesBack(part))
  if (others.length === parts.length && !releases(read(text))) return null
  // "I don't need excuses, I need a person"
  if (others.some((part) => read(part).commands.some(({ type }) => type === 'ask-person'))) {
    return null
  }
  // "It was my daughter, sorry" asks for nothing.
  return others
    .filter((part) => wishes(part, read(part)))
    .join(' ')
    .trim()
}

const PART =
  /(?<=[.!?;:])\s+|,\s+(?=(?:just|please|can|could|where|what|when|cancel|refund|i|no|nobody)\b)/iu

const releases = ({ commands }: Reading): boolean =>
  commands.some((one) => one.type === 'follow-up' && one.about === 'no_person')

/** Whether a part asks something, or wants something done. */
const wishes = (part: string, { commands, confidence }: Reading): boolean =>
  asksAnywhere(part) || (confidence >= SURE && commands.some(({ type }) => type === 'start-task'))
