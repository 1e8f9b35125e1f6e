import type { Prompt } from '../../core/extension/middleware.ts'
import {
  createRedactor,
  type Mark,
  placeholder,
  type RedactionPolicy,
  type Redactor,
} from '../../core/redaction/redaction.ts'
import { type Message, Thread } from '../../core/message/thread.ts'
import { Placeholders } from './placeholders.ts'
import { redactedMessage } from './redacted-message.ts'

/** Redacts the prompts of one run. A message is redacted only once. */
export class RedactedPrompt {
  /** Undefined if values are not restored. */
  readonly placeholders: Placeholders | undefined
  readonly #redact: Redactor
  readonly #found = new Map<string, number>()
  #source: Thread | undefined
  #thread: Thread = Thread.of([])

  constructor(policy: RedactionPolicy, mode: 'mask' | 'restore') {
    this.placeholders = mode === 'restore' ? new Placeholders() : undefined
    const mark = this.placeholders?.mark ?? placeholder
    const counting: Mark = (kind = 'field', value) => {
      this.#found.set(kind, (this.#found.get(kind) ?? 0) + 1)
      return mark(kind === 'field' ? undefined : kind, value)
    }
    const redact = createRedactor(policy, counting)
    const { placeholders } = this
    this.#redact =
      placeholders === undefined ? redact : (value) => redact(placeholders.quoted(value))
  }

  /** The conversation first: messages that filters add must not change its numbers. */
  of({ head, thread, tail }: Prompt): Prompt {
    const sent = this.#threadOf(thread)
    const around = (messages: readonly Message[]): readonly Message[] =>
      messages.map((message) => redactedMessage(message, this.#redact))
    const both = (): Prompt => ({ head: around(head), thread: sent, tail: around(tail) })
    return this.placeholders === undefined ? both() : this.placeholders.aside(both)
  }

  /** The number of matches of each kind since the last call. */
  takeFound(): readonly { readonly kind: string; readonly count: number }[] {
    const found = Array.from(this.#found, ([kind, count]) => ({ kind, count }))
    this.#found.clear()
    return found
  }

  #threadOf(thread: Thread): Thread {
    const source = this.#source
    const isMore = source !== undefined && thread.extends(source)
    const start = isMore ? source.length : 0
    const more: Message[] = []
    for (let index = start; index < thread.length; index++) {
      const message = thread.at(index)
      if (message !== undefined) more.push(redactedMessage(message, this.#redact))
    }
    this.#thread = isMore ? this.#thread.add(...more) : Thread.of(more)
    this.#source = thread
    return this.#thread
  }
}
