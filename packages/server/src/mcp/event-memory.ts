import type { EventStore } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'

interface StoredMessage {
  readonly n: number
  readonly stream: string
  readonly message: JSONRPCMessage
}

/** Messages of one session that a client can ask for again. */
const MOST_MESSAGES = 500
/** Their length as JSON; the newest stays, regardless of its length. */
const MOST_CHARACTERS = 4_000_000

/** The last messages of a session, for a client that lost its connection. The oldest are forgotten first. */
export class EventMemory implements EventStore {
  #messages: StoredMessage[] = []
  readonly #lengths: number[] = []
  #length = 0
  #n = 0

  async storeEvent(stream: string, message: JSONRPCMessage): Promise<string> {
    const n = ++this.#n
    const { length } = JSON.stringify(message)
    this.#messages.push({ n, stream, message })
    this.#lengths.push(length)
    this.#length += length
    while (
      this.#messages.length > MOST_MESSAGES ||
      (this.#length > MOST_CHARACTERS && this.#messages.length > 1)
    ) {
      this.#messages.shift()
      this.#length -= this.#lengths.shift() ?? 0
    }
    return String(n)
  }

  async getStreamIdForEventId(id: string): Promise<string | undefined> {
    return this.#messages.find(({ n }) => String(n) === id)?.stream
  }

  async replayEventsAfter(
    id: string,
    { send }: { send: (id: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const last = this.#messages.find(({ n }) => String(n) === id)
    if (last === undefined) throw new Error('the event is not known here')
    const { stream } = last
    for (const { n, stream: own, message } of this.#messages) {
      // A priming event has no message.
      if (own === stream && n > last.n && 'jsonrpc' in message) await send(String(n), message)
    }
    return stream
  }
}
