import type { Message } from 'echelon/runtime'

/** The text of a message, without files. */
export const wordsOf = ({ content }: Message): string =>
  typeof content === 'string'
    ? content
    : content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')

/** The last message of the user, and its answer. */
export interface Exchange {
  readonly asked: string
  /** Empty if there was no answer. */
  readonly answered: string
}

/** @returns undefined before the first message */
export function lastExchange(messages: readonly Message[]): Exchange | undefined {
  const at = messages.findLastIndex(({ role }) => role === 'user')
  const asked = messages[at]
  if (asked === undefined) return undefined
  const answer = messages.slice(at + 1).findLast(({ role }) => role === 'assistant')
  return { asked: wordsOf(asked), answered: answer === undefined ? '' : wordsOf(answer) }
}
