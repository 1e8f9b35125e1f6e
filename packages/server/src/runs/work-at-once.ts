import type { Principal } from '../access/principal.ts'
import type { ServedAgent } from '../agents/served-agent.ts'
import { HttpProblem } from '../http/problem.ts'

/** Runs elsewhere that this process follows at the same time. */
const MOST_FOLLOWED = 10_000
const BUSY_RETRY_SECONDS = 2

/** The runs at work in this process, by user, within the limits of the server and of each user. */
export class WorkAtOnce {
  readonly #most: number
  readonly #working = new Map<string, number>()
  #isStopping = false

  constructor(most: number) {
    this.#most = most
  }

  get all(): number {
    let sum = 0
    for (const count of this.#working.values()) sum += count
    return sum
  }

  get isStopping(): boolean {
    return this.#isStopping
  }

  /** Admits no more runs. */
  stop(): void {
    this.#isStopping = true
  }

  /** @throws HttpProblem 429 when the server or the user is at a limit, 503 while the server stops */
  admit(principal: Principal, agent?: ServedAgent): void {
    if (this.#isStopping) {
      throw new HttpProblem(503, 'stopping', 'the server is stopping; try again soon', {
        retryAfter: BUSY_RETRY_SECONDS,
      })
    }
    // Elsewhere, queues have the limits.
    const isElsewhere = agent?.isElsewhere === true
    const most = isElsewhere ? MOST_FOLLOWED : this.#most
    const ofOne = isElsewhere ? Infinity : (principal.runsAtOnce ?? Infinity)
    if (this.all >= most || (this.#working.get(principal.name) ?? 0) >= ofOne) {
      throw new HttpProblem(429, 'too_many_runs', 'too many runs are at work; try again soon', {
        retryAfter: BUSY_RETRY_SECONDS,
      })
    }
  }

  count(owner: string, change: 1 | -1): void {
    const count = (this.#working.get(owner) ?? 0) + change
    if (count > 0) this.#working.set(owner, count)
    else this.#working.delete(owner)
  }
}
