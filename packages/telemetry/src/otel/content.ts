import { isRecord } from 'echelon/internal/value'
import type { Redactor } from 'echelon/internal/redaction'
import type { Message } from 'echelon/runtime'
import type { Generated } from 'echelon/internal/agent'
import type { ContentLimits } from './api.ts'

/**
 * Content in the form of the conventions. It is redacted first and then truncated, because a truncated
 * secret is not recognized.
 */
export class Content {
  readonly #limits: ContentLimits
  readonly #redact: Redactor

  constructor(limits: ContentLimits, redact: Redactor) {
    this.#limits = limits
    this.#redact = redact
  }

  /** The last messages of a prompt. */
  prompt(messages: readonly Message[]): string {
    return JSON.stringify(
      messages
        // `slice(-0)` would return all messages.
        .slice(Math.max(0, messages.length - this.#limits.mostMessages))
        .map((one) => this.#message(one)),
    )
  }

  answer({ text, calls, finish }: Generated): string {
    const texts = text === '' ? [] : [{ type: 'text', content: this.text(text) }]
    const toolCalls = calls.slice(0, MAX_PARTS).map(({ id, tool, input }) => ({
      type: 'tool_call',
      id,
      name: this.text(tool),
      arguments: this.value(input),
    }))
    const parts = [...texts, ...toolCalls]
    return JSON.stringify([{ role: 'assistant', parts, finish_reason: FINISH[finish] }])
  }

  /** JSON, truncated if long. */
  value(value: unknown): string {
    return this.#cut(JSON.stringify(this.#redact(value)) ?? '')
  }

  text(text: string): string {
    return this.#cut(this.#redact(text))
  }

  #message({ role, content }: Message): object {
    const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : content
    return { role, parts: parts.slice(0, MAX_PARTS).map((part) => this.#part(part)) }
  }

  #part(part: { readonly type: string }): object {
    const { type } = part
    const known: unknown = part
    if (!isRecord(known)) return { type }
    const { toolCallId: id, toolName } = known
    // A model can call a tool by any text.
    const name = this.text(String(toolName))
    switch (type) {
      case 'text':
      case 'reasoning':
        return { type, content: this.text(String(known['text'])) }
      case 'tool-call':
        return { type: 'tool_call', id, name, arguments: this.value(known['input']) }
      case 'tool-result':
        return { type: 'tool_call_response', id, response: this.value(known['output']) }
      default:
        // For files and provider-specific parts, only the type.
        return { type }
    }
  }

  #cut(text: string): string {
    const { mostText } = this.#limits
    return text.length <= mostText ? text : `${text.slice(0, mostText)}…`
  }
}

/** A message can contain thousands of parts; each part is limited by the text limit. */
const MAX_PARTS = 50

/** Finish reasons in the words of the conventions. */
export const FINISH: Readonly<Record<Generated['finish'], string>> = {
  stop: 'stop',
  length: 'length',
  tools: 'tool_call',
  filter: 'content_filter',
}
