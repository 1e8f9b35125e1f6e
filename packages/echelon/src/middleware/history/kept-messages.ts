import type { Message } from '../../core/message/thread.ts'
import { bytesOf } from './message-text.ts'

/**
 * A conversation whose newest part can be kept: never a tool result without its call, and always with the
 * newest user message and the last exchange.
 */
export class Keepable {
  readonly messages: readonly Message[]
  /** Where a part may begin: at a message that is not a tool result. */
  readonly #starts: readonly number[]
  readonly #newestUser: number
  /** Bytes from each message on. */
  readonly #sizes: readonly number[]

  /** @param keepTurn keeps all that follows the newest user message, regardless of its size */
  constructor(messages: readonly Message[], keepTurn = false) {
    this.messages = messages
    this.#newestUser = messages.findLastIndex(({ role }) => role === 'user')
    const latest = keepTurn && this.#newestUser >= 0 ? this.#newestUser : messages.length
    this.#starts = messages.flatMap(({ role }, index) =>
      role === 'tool' || index > latest ? [] : [index],
    )
    const sizes = messages.map(bytesOf)
    for (let index = sizes.length - 2; index >= 0; index--) {
      sizes[index] = (sizes[index] ?? 0) + (sizes[index + 1] ?? 0)
    }
    this.#sizes = sizes
  }

  /** The messages from an index on, and the newest user message before them. */
  from(start: number): readonly Message[] {
    const newest = this.#newestUser < start ? this.messages[this.#newestUser] : undefined
    const rest = this.messages.slice(start)
    return newest === undefined ? rest : [newest, ...rest]
  }

  /** Bytes of the messages that `from` returns. */
  sizeFrom(start: number): number {
    const newest = this.#newestUser < start ? this.messages[this.#newestUser] : undefined
    return (this.#sizes[start] ?? 0) + (newest === undefined ? 0 : bytesOf(newest))
  }

  /** Start of the longest part within so many bytes, else of the shortest part. */
  start(bytes: number, least: number): number {
    const starts = this.#starts.filter((start) => start >= least)
    return starts.find((start) => this.sizeFrom(start) <= bytes) ?? starts.at(-1) ?? least
  }
}
