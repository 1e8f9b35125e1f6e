import type { Message } from '../core/thread.ts'
import { framed, originsIn } from '../core/untrusted-text.ts'

/** How much of a result stays, in characters. */
export interface TrimmedTo {
  readonly head: number
  readonly tail: number
}

type ToolMessage = Extract<Message, { role: 'tool' }>
type Part = ToolMessage['content'][number]
type Output = Extract<Part, { type: 'tool-result' }>['output']

/** A result that is hardly longer than what stays of it is left as it is. */
const SLACK = 500

/** The messages with the results of tools before a place cut to head and tail. */
export const withTrimmedResults = (
  messages: readonly Message[],
  before: number,
  to: TrimmedTo,
): readonly Message[] =>
  messages.map((message, index) =>
    index < before && message.role === 'tool' ? trimmedMessage(message, to) : message,
  )

function trimmedMessage(message: ToolMessage, to: TrimmedTo): ToolMessage {
  const content = message.content.map((part): Part => {
    if (part.type !== 'tool-result') return part
    const output = trimmed(part.output, to)
    return output === part.output ? part : { ...part, output }
  })
  const isSame = content.every((part, index) => part === message.content[index])
  return isSame ? message : { ...message, content }
}

function trimmed(output: Output, to: TrimmedTo): Output {
  switch (output.type) {
    case 'text':
    case 'error-text': {
      const value = cut(output.value, to)
      return value === output.value ? output : { ...output, value }
    }
    case 'json':
    case 'error-json': {
      const text = JSON.stringify(output.value)
      const value = cut(text, to)
      if (value === text) return output
      return { type: output.type === 'json' ? 'text' : 'error-text', value }
    }
    case 'content': {
      const text = output.value.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
      const isText = output.value.every((part) => part.type === 'text')
      const value = cut(text, to)
      if (isText && value === text) return output
      return { type: 'text', value: isText ? value : `${value}\n[files are left out here]` }
    }
    case 'execution-denied':
      return output
  }
}

/** What came from outside stays framed, whatever is cut off. */
function cut(text: string, { head, tail }: TrimmedTo): string {
  if (text.length <= head + tail + SLACK) return text
  const [first, last] = [whole(text.slice(0, head)), whole(text.slice(text.length - tail))]
  const gone = text.length - head - tail
  const short = `${first}\n[… ${gone} characters are left out here; history_read gives them …]\n${last}`
  const origins = originsIn(text)
  return origins.length === 0 ? short : framed(short, origins.join(', '))
}

/** Without half of a character at either end. */
const whole = (text: string): string =>
  text.replace(/^[\udc00-\udfff]/, '').replace(/[\ud800-\udbff]$/, '')
