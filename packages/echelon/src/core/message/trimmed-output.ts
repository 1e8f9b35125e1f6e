import type { Message } from './thread.ts'
import { framed, originsIn } from './untrusted-text.ts'

type ToolMessage = Extract<Message, { role: 'tool' }>
type Output = Extract<ToolMessage['content'][number], { type: 'tool-result' }>['output']

/** How much of a text stays, in characters, and what is said where the rest was. */
export interface TrimmedTo {
  readonly head: number
  readonly tail: number
  /** One that is longer by no more than this stays as it is. */
  readonly slack: number
  /** @param gone how many characters are left out */
  readonly note: (gone: number) => string
}

/** The text of a tool's result as a model reads it; files in it have none. */
export function outputText(output: Output): string {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return output.value
    case 'json':
    case 'error-json':
      return JSON.stringify(output.value)
    case 'content':
      return output.value.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
    case 'execution-denied':
      return output.reason ?? ''
  }
}

/** A tool's result cut to head and tail; the same object where it is short enough. */
export function trimmedOutput(output: Output, to: TrimmedTo): Output {
  const text = outputText(output)
  const value = trimmedText(text, to)
  switch (output.type) {
    case 'text':
    case 'error-text':
      return value === text ? output : { ...output, value }
    case 'json':
    case 'error-json':
      if (value === text) return output
      return { type: output.type === 'json' ? 'text' : 'error-text', value }
    case 'content': {
      const isText = output.value.every((part) => part.type === 'text')
      if (isText && value === text) return output
      return { type: 'text', value: isText ? value : `${value}\n[files are left out here]` }
    }
    case 'execution-denied':
      return output
  }
}

/** What came from outside stays framed, whatever is cut off. */
function trimmedText(text: string, { head, tail, slack, note }: TrimmedTo): string {
  if (text.length <= head + tail + slack) return text
  const [first, last] = [whole(text.slice(0, head)), whole(text.slice(text.length - tail))]
  const short = `${first}\n[… ${note(text.length - head - tail)} …]\n${last}`
  const origins = originsIn(text)
  return origins.length === 0 ? short : framed(short, origins.join(', '))
}

/** Without half of a character at either end. */
const whole = (text: string): string =>
  text.replace(/^[\udc00-\udfff]/, '').replace(/[\ud800-\udbff]$/, '')
