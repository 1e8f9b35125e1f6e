import type { LanguageModelV4Message } from '@ai-sdk/provider'
import { digestText, mixDigest } from '../value/digest.ts'
import { utf8Bytes } from '../value/utf8.ts'

/** A message is the model interface's own, so that nothing is converted on the way to a provider. */
export type Message = LanguageModelV4Message

/** What an answer of a model consists of. */
export type AssistantContent = Extract<Message, { role: 'assistant' }>['content']

/**
 * How a conversation is sent to a model, where that is not as it stands. Worked out by an agent, and
 * kept with the conversation, so that only what is new is looked at. A `WeakMap` beside it would keep
 * each conversation until a full collection, which doubles the time of a turn.
 */
export interface SentForm {
  /** Who worked it out: another's does not count. */
  readonly by: object
  /** How many messages of the conversation it covers. */
  readonly length: number
  /** Absent where they are sent as they stand. */
  readonly messages: Thread | undefined
  /** How many results of tools are among them. */
  readonly results: number
}

/** What the views of one conversation share. Measurements roll along and are taken on demand. */
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
    // The shared array may be longer than this view of it.
    return place < this.length ? this.#backing.messages[place] : undefined
  }

  /** The conversation as it was when it had so many messages. */
  upTo(length: number): Thread {
    return length >= this.length ? this : new Thread(this.#backing, length)
  }

  /** For a provider. Not to be changed: at the tip it is the shared array itself. */
  toArray(): Message[] {
    const { messages } = this.#backing
    return messages.length === this.length ? messages : messages.slice(0, this.length)
  }

  toJSON(): readonly Message[] {
    return this.toArray()
  }

  /**
   * UTF-8 bytes of all messages as JSON: an upper bound of their tokens, save for files that are
   * only named in them.
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

  /** Changes with every message; finds divergence on resume and protects nothing. */
  get digest(): number {
    this.#measure()
    return this.#backing.digests[this.length - 1] ?? 0
  }

  /** Whether `earlier` is this conversation at an earlier length. */
  extends(earlier: Thread): boolean {
    return this.#backing === earlier.#backing && earlier.length <= this.length
  }

  /** How its beginning was sent, as far as `by` worked it out. */
  sentBy(by: object): SentForm | undefined {
    const { sent } = this.#backing
    return sent?.by === by && sent.length <= this.length ? sent : undefined
  }

  /** Keeps how it is sent, for those who go on with it. */
  keepSent(sent: SentForm): void {
    this.#backing.sent = sent
  }

  #fork(): Backing {
    const { messages, bytes, digests, sent } = this.#backing
    // What is measured already stays measured.
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

/** A conversation in which nothing was said yet. */
export const NOTHING_SAID: Thread = Thread.of([])

export const systemMessage = (text: string): Message => ({ role: 'system', content: text })

export const userMessage = (text: string): Message => ({
  role: 'user',
  content: [{ type: 'text', text }],
})
