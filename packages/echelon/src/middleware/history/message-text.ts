import { isJson, type Json } from '../../core/value/json.ts'
import type { Message } from '../../core/message/thread.ts'
import { utf8Bytes } from '../../core/value/utf8.ts'

/** The size of a message in a prompt, in UTF-8 bytes as JSON; four are counted as a token. */
export const bytesOf = (message: Message): number => utf8Bytes(JSON.stringify(message))

export const sizeOf = (messages: readonly Message[]): number =>
  messages.reduce((sum, message) => sum + bytesOf(message), 0)

/** The content of a message, in a form that people and models read. */
export interface SaidText {
  readonly who: 'user' | 'agent' | 'tool' | 'system'
  readonly text: string
  /** Tool calls with their input, and their results. */
  readonly data: readonly { readonly tool: string; readonly value: Json }[]
}

export function saidIn(message: Message): SaidText {
  switch (message.role) {
    case 'system':
      return { who: 'system', text: message.content, data: [] }
    case 'user':
      return { who: 'user', text: textsOf(message.content), data: [] }
    case 'assistant': {
      const data = message.content.flatMap((part) =>
        part.type === 'tool-call' ? [{ tool: part.toolName, value: jsonOf(part.input) }] : [],
      )
      return { who: 'agent', text: textsOf(message.content), data }
    }
    case 'tool': {
      const data = message.content.flatMap((part) =>
        part.type === 'tool-result' ? [{ tool: part.toolName, value: valueOf(part.output) }] : [],
      )
      return { who: 'tool', text: '', data }
    }
  }
}

const textsOf = (content: readonly { readonly type: string; readonly text?: string }[]): string =>
  content.map((part) => (part.type === 'text' ? (part.text ?? '') : '')).join('')

const jsonOf = (value: unknown): Json => (isJson(value) ? value : null)

/** A tool's result, in any of its forms. */
const valueOf = (output: { readonly type: string; readonly value?: unknown }): Json =>
  jsonOf(output.value)

/** As much of a text as fits, measured as JSON. */
export function cutTo(bytes: number, text: string): string {
  if (utf8Bytes(JSON.stringify(text)) <= bytes) return text
  let [fits, exceeds] = [0, Math.min(text.length, bytes)]
  while (fits < exceeds) {
    const middle = Math.ceil((fits + exceeds) / 2)
    if (utf8Bytes(JSON.stringify(`${text.slice(0, middle)}…`)) <= bytes) fits = middle
    else exceeds = middle - 1
  }
  // Not within a surrogate pair.
  const end = /[\ud800-\udbff]$/.test(text.slice(0, fits)) ? fits - 1 : fits
  return end <= 0 ? '' : `${text.slice(0, end)}…`
}
