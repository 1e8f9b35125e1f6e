import { EchelonError } from '../../core/error.ts'
import type { Message } from '../../core/thread.ts'

const MOST_INPUT_CHARS = 1_000_000

/** @throws EchelonError INVALID_INPUT for a text of the user's that is too long */
export function checkInputLength(
  input: string | readonly Message[],
  most: number = MOST_INPUT_CHARS,
): void {
  if (typeof input === 'string') return checkText(input, most)
  // What is no list of messages is refused where they are checked.
  if (!Array.isArray(input)) return
  for (const message of input) {
    if (message?.role !== 'user' || !Array.isArray(message.content)) continue
    for (const part of message.content) {
      if (part?.type === 'text' && typeof part.text === 'string') checkText(part.text, most)
    }
  }
}

function checkText({ length }: string, most: number): void {
  if (length <= most) return
  throw new EchelonError(
    'INVALID_INPUT',
    `the text has ${length} characters and may have ${most}; shorten it, or raise maxInputChars`,
  )
}
