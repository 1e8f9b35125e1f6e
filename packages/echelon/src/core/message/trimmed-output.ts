import type { Message } from './thread.ts'
import { framed, originsIn } from './untrusted-text.ts'

type ToolMessage = Extract<Message, { role: 'tool' }>
type Output = Extract<ToolMessage['content'][number], { type: 'tool-result' }>['output']

/** Number of characters of a text to keep, and the note that replaces the rest. */
export interface TrimmedTo {
  readonly head: number
  readonly tail: number
  /** A text that exceeds the limit by no more than this is kept whole. */
  readonly slack: number
  /** @param gone number of characters left out */
  readonly note: (gone: number) => string
}

/** The text of a tool result as a model reads it; files in it have none. */
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

/** Cuts a tool result to head and tail; returns the same object if it is short enough. */
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

/** Untrusted text stays framed when it is cut. */
function trimmedText(text: string, { head, tail, slack, note }: TrimmedTo): string {
  if (text.length <= head + tail + slack) return text
  const [first, last] = [
    withoutHalfPairs(text.slice(0, head)),
    withoutHalfPairs(text.slice(text.length - tail)),
  ]
  const short = `${first}\n[… ${note(text.length - head - tail)} …]\n${last}`
  const origins = originsIn(text)
  return origins.length === 0 ? short : framed(short, origins.join(', '))
}

/** Without half a surrogate pair at either end. */
const withoutHalfPairs = (text: string): string =>
  text.replace(/^[\udc00-\udfff]/, '').replace(/[\ud800-\udbff]$/, '')
