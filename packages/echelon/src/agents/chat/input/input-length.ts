import { EchelonError } from '../../../core/value/error.ts'
import type { Message } from '../../../core/message/thread.ts'

const MOST_INPUT_CHARS = 1_000_000

/** @throws EchelonError INVALID_INPUT for a user text that is too long */
export function checkInputLength({ length }: string, most: number = MOST_INPUT_CHARS): void {
  if (length <= most) return
  throw new EchelonError(
    'INVALID_INPUT',
    `the text has ${length} characters and may have ${most}; shorten it, or raise maxInputChars`,
  )
}

/** @throws EchelonError INVALID_INPUT for a user message with a text that is too long */
export function checkMessageLength(message: Message, most?: number): void {
  if (message.role !== 'user') return
  for (const part of message.content) if (part.type === 'text') checkInputLength(part.text, most)
}
