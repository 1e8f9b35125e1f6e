import type { Clock } from 'echelon/runtime'
import { HttpProblem } from '../http/problem.ts'
import type { Principal } from './principal.ts'

interface Bucket {
  readonly left: number
  readonly at: number
}

const MINUTE_MS = 60_000

/** Limits the requests of each user in a minute, in this process. A minute's worth may come at once. */
export class RequestRate {
  readonly #clock: Pick<Clock, 'now'>
  readonly #buckets = new Map<string, Bucket>()

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock
  }

  /** Counts a request. @throws HttpProblem 429 */
  admit({ name, requestsPerMinute }: Principal): void {
    if (requestsPerMinute === undefined) return
    const now = this.#clock.now()
    const { left, at } = this.#buckets.get(name) ?? { left: requestsPerMinute, at: now }
    const perMs = requestsPerMinute / MINUTE_MS
    const filled = Math.min(requestsPerMinute, left + Math.max(0, now - at) * perMs)
    if (filled >= 1) {
      this.#buckets.set(name, { left: filled - 1, at: now })
      return
    }
    this.#buckets.set(name, { left: filled, at: now })
    const retryAfter = perMs === 0 ? MINUTE_MS / 1000 : Math.ceil((1 - filled) / perMs / 1000)
    throw new HttpProblem(429, 'too_many_requests', 'too many requests in this minute', {
      retryAfter,
    })
  }
}
