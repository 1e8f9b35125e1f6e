import type { Message } from 'echelon/runtime'

/** What a message says, files and the like aside. */
export const wordsOf = ({ content }: Message): string =>
  typeof content === 'string'
    ? content
    : content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')

/** The last thing that a user said, and what was answered. */
export interface Exchange {
  readonly asked: string
  /** Empty where there was no answer. */
  readonly answered: string
}

/** @returns nothing where nothing was said yet */
export function lastExchange(messages: readonly Message[]): Exchange | undefined {
  const at = messages.findLastIndex(({ role }) => role === 'user')
  const asked = messages[at]
  if (asked === undefined) return undefined
  const answer = messages.slice(at + 1).findLast(({ role }) => role === 'assistant')
  return { asked: wordsOf(asked), answered: answer === undefined ? '' : wordsOf(answer) }
}
