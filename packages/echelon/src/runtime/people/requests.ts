import type { Entry } from '../../core/journal/journal.ts'
import { EchelonError } from '../../core/value/error.ts'
import type { Json } from '../../core/value/json.ts'
import { replyProblem } from '../../core/agent/reply.ts'

/** One that awaits its reply. */
interface Waiting {
  readonly resolve: (reply: Json) => void
  readonly about: Json
}

/**
 * What a run asked of people. A request is the run's own: a reply to one that it did not make, or
 * that is closed, is refused.
 */
export class Requests {
  #replies: Map<string, Json> | undefined
  #waiting: Map<string, Waiting> | undefined
  #last: Promise<void> | undefined

  constructor(entries: readonly Entry[]) {
    if (entries.length > 0) this.#replies = repliesOf(entries)
  }

  /** The reply that is on record already. */
  known(request: string): Json | undefined {
    return this.#replies?.get(request)
  }

  /** The reply, when `answer` brings it. */
  wait(request: string, about: Json): Promise<Json> {
    this.#waiting ??= new Map()
    const waiting = this.#waiting
    return new Promise((resolve) => waiting.set(request, { resolve, about }))
  }

  /**
   * Gives a reply to whoever waits for it; `record` hears of it before they do. False when nobody
   * does.
   * @throws EchelonError INVALID_INPUT for a reply that cannot be one to this request
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

  /** Asks when all that were asked in turn before have their end: people are asked one thing at a time. */
  inTurn<Seen>(ask: () => Promise<Seen>): Promise<Seen> {
    const asking = this.#last === undefined ? ask() : this.#last.then(ask)
    this.#last = asking.then(nothing, nothing)
    return asking
  }

  /** A reply that is on record already: whoever waits for it, or will, has it. */
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

/** Of several the first holds. */
function repliesOf(entries: readonly Entry[]): Map<string, Json> {
  const replies = new Map<string, Json>()
  for (const entry of entries) {
    if (entry.type !== 'replied' || replies.has(entry.request)) continue
    replies.set(entry.request, entry.reply)
  }
  return replies
}
