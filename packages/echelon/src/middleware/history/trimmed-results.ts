import type { Message } from '../../core/message/thread.ts'
import { trimmedOutput } from '../../core/message/trimmed-output.ts'

/** Characters of a result to keep. */
export interface HeadAndTail {
  readonly head: number
  readonly tail: number
}

type ToolMessage = Extract<Message, { role: 'tool' }>
type Part = ToolMessage['content'][number]

/** A result hardly longer than its trimmed form is kept whole. */
const SLACK = 500

const NOTE = (gone: number): string =>
  `${gone} characters are left out here; history_read gives them`

/** Cuts the tool results before an index to head and tail. */
export const withTrimmedResults = (
  messages: readonly Message[],
  before: number,
  to: HeadAndTail,
): readonly Message[] =>
  messages.map((message, index) =>
    index < before && message.role === 'tool' ? trimmedMessage(message, to) : message,
  )

function trimmedMessage(message: ToolMessage, to: HeadAndTail): ToolMessage {
  const content = message.content.map((part): Part => {
    if (part.type !== 'tool-result') return part
    const output = trimmedOutput(part.output, { ...to, slack: SLACK, note: NOTE })
    return output === part.output ? part : { ...part, output }
  })
  const isSame = content.every((part, index) => part === message.content[index])
  return isSame ? message : { ...message, content }
}
