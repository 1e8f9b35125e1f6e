import type { LanguageModelV4Message } from '@ai-sdk/provider'
import { digestText, mixDigest } from '../value/digest.ts'
import { utf8Bytes } from '../value/utf8.ts'

/** The model interface's own message type, so that nothing is converted for a provider. */
export type Message = LanguageModelV4Message

/** The content of a model's answer. */
export type AssistantContent = Extract<Message, { role: 'assistant' }>['content']

/**
 * The form in which a conversation is sent to a model when it differs from its messages. An agent computes it and
 * keeps it with the conversation, so that only new messages are processed. A separate `WeakMap` would
 * keep each conversation until a full collection, which doubles the time of a turn.
 */
export interface SentForm {
  /** The agent that computed it; an agent ignores the forms of others. */
  readonly by: object
  /** Number of messages of the conversation that it covers. */
  readonly length: number
  /** Absent if they are sent unchanged. */
  readonly messages: Thread | undefined
  /** The number of tool results among them. */
  readonly results: number
}

/** Shared by all views of one conversation. Measurements are incremental and taken on demand. */
interface Backing {
  readonly messages: Message[]
  readonly bytes: number[]
  readonly digests: number[]
  sent: SentForm | undefined
}

/**
 * A list of messages as an immutable value that is cheap to extend: later views share one growing
 * array, so that n steps cost O(n) and not O(n²). A fork (a second `add` to the same view) copies
 * once. Messages must not be changed once they are in.
 */
export class Thread {
  readonly #backing: Backing
  readonly length: number

  private constructor(backing: Backing, length: number) {
    this.#backing = backing
    this.length = length
  }

  static of(messages: readonly Message[]): Thread {
    const backing = { messages: messages.slice(), bytes: [], digests: [], sent: undefined }
    return new Thread(backing, messages.length)
  }

  add(...messages: readonly Message[]): Thread {
    const isTip = this.#backing.messages.length === this.length
    const backing = isTip ? this.#backing : this.#fork()
    backing.messages.push(...messages)
    return new Thread(backing, backing.messages.length)
  }

  at(index: number): Message | undefined {
    const place = index < 0 ? this.length + index : index
    // The shared array may be longer than this view.
    return place < this.length ? this.#backing.messages[place] : undefined
  }

  /** The conversation at an earlier length. */
  upTo(length: number): Thread {
    return length >= this.length ? this : new Thread(this.#backing, length)
  }

  /** For a provider. Read-only: the latest view returns the shared array itself. */
  toArray(): Message[] {
    const { messages } = this.#backing
    return messages.length === this.length ? messages : messages.slice(0, this.length)
  }

  toJSON(): readonly Message[] {
    return this.toArray()
  }

  /**
   * UTF-8 bytes of all messages as JSON: an upper bound of their tokens, except for files given by
   * address.
   */
  get bytes(): number {
    return this.bytesFrom(0)
  }

  /** UTF-8 bytes of the messages from an index on. */
  bytesFrom(start: number): number {
    this.#measure()
    const { bytes } = this.#backing
    return (bytes[this.length - 1] ?? 0) - (bytes[start - 1] ?? 0)
  }

  /** Changes with every message; detects divergence on resume and is not a security measure. */
  get digest(): number {
    this.#measure()
    return this.#backing.digests[this.length - 1] ?? 0
  }

  /** Whether `earlier` is this conversation at an earlier length. */
  extends(earlier: Thread): boolean {
    return this.#backing === earlier.#backing && earlier.length <= this.length
  }

  /** The part of it that `by` has already prepared for sending. */
  sentBy(by: object): SentForm | undefined {
    const { sent } = this.#backing
    return sent?.by === by && sent.length <= this.length ? sent : undefined
  }

  /** Stores how it is sent, for later views. */
  keepSent(sent: SentForm): void {
    this.#backing.sent = sent
  }

  #fork(): Backing {
    const { messages, bytes, digests, sent } = this.#backing
    // Keeps existing measurements.
    return {
      messages: messages.slice(0, this.length),
      bytes: bytes.slice(0, this.length),
      digests: digests.slice(0, this.length),
      sent: sent !== undefined && sent.length <= this.length ? sent : undefined,
    }
  }

  #measure(): void {
    const { messages, bytes, digests } = this.#backing
    for (let index = bytes.length; index < this.length; index++) {
      const text = JSON.stringify(messages[index])
      bytes.push((bytes.at(-1) ?? 0) + utf8Bytes(text))
      digests.push(mixDigest(digests.at(-1) ?? 0, digestText(text)))
    }
  }
}

/** An empty conversation. */
export const NOTHING_SAID: Thread = Thread.of([])

export const systemMessage = (text: string): Message => ({ role: 'system', content: text })

export const userMessage = (text: string): Message => ({
  role: 'user',
  content: [{ type: 'text', text }],
})
