import type { Entry } from '../../core/journal/journal.ts'
import { EchelonError } from '../../core/value/error.ts'
import type { Json } from '../../core/value/json.ts'
import { replyProblem } from '../../core/agent/reply.ts'

/** A request that waits for its reply. */
interface Waiting {
  readonly resolve: (reply: Json) => void
  readonly about: Json
}

/**
 * The requests of a run to people. A reply to a request that the run did not make, or that is
 * closed, is refused.
 */
export class Requests {
  #replies: Map<string, Json> | undefined
  #waiting: Map<string, Waiting> | undefined
  #last: Promise<void> | undefined

  constructor(entries: readonly Entry[]) {
    if (entries.length > 0) this.#replies = repliesOf(entries)
  }

  /** Returns the recorded reply, if there is one. */
  known(request: string): Json | undefined {
    return this.#replies?.get(request)
  }

  /** Waits for the reply that `answer` delivers. */
  wait(request: string, about: Json): Promise<Json> {
    this.#waiting ??= new Map()
    const waiting = this.#waiting
    return new Promise((resolve) => waiting.set(request, { resolve, about }))
  }

  /**
   * Delivers a reply to the waiting request, after calling `record`. Returns false if the request
   * does not wait.
   * @throws EchelonError INVALID_INPUT for an invalid reply to this request
   */
  answer(request: string, reply: Json, record: () => void): boolean {
    const waiting = this.#waiting?.get(request)
    if (waiting === undefined) return false
    const refusal = replyProblem(waiting.about, reply)
    if (refusal !== undefined) throw new EchelonError('INVALID_INPUT', refusal)
    this.#waiting?.delete(request)
    record()
    waiting.resolve(reply)
    return true
  }

  /** Asks after all earlier requests in the queue are over: people are asked one thing at a time. */
  inTurn<Seen>(ask: () => Promise<Seen>): Promise<Seen> {
    const asking = this.#last === undefined ? ask() : this.#last.then(ask)
    this.#last = asking.then(nothing, nothing)
    return asking
  }

  /** Takes a reply that is recorded already, for a present or later wait. */
  hear(request: string, reply: Json): void {
    this.#replies ??= new Map()
    if (!this.#replies.has(request)) this.#replies.set(request, reply)
    const waiting = this.#waiting?.get(request)
    this.#waiting?.delete(request)
    waiting?.resolve(reply)
  }

  close(request: string): void {
    this.#waiting?.delete(request)
  }

  get open(): readonly string[] {
    return [...(this.#waiting?.keys() ?? [])]
  }
}

const nothing = (): undefined => undefined

/** Reads recorded replies. The first reply to a request counts. */
function repliesOf(entries: readonly Entry[]): Map<string, Json> {
  const replies = new Map<string, Json>()
  for (const entry of entries) {
    if (entry.type !== 'replied' || replies.has(entry.request)) continue
    replies.set(entry.request, entry.reply)
  }
  return replies
}
