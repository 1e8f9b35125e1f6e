import type { Clock } from 'echelon/runtime'
import type { Principal } from '../access/principal.ts'
import type { PlacedPart } from '../runs/follow-parts.ts'
import type { LiveRun } from '../runs/live-run.ts'

/** A run that waits for the results of calls that a client was given. */
export interface WaitingRun {
  readonly run: LiveRun
  readonly principal: Principal
  readonly request: string
  /** Where its next response begins. */
  readonly place: PlacedPart['place']
  /** The place of each call among those of its step, by the id that the client has. */
  readonly calls: ReadonlyMap<string, number>
  /** Number of its responses so far. */
  readonly responses: number
}

/** If the client has not come back after this time, the run is canceled. */
const KEPT_MS = 15 * 60_000

/** The runs that wait for results, by the ids of their calls. A user finds only their own. */
export class WaitingCalls {
  readonly #clock: Clock
  readonly #runs = new Map<string, WaitingRun>()
  readonly #timers = new Map<WaitingRun, () => void>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  add(waiting: WaitingRun): void {
    for (const call of waiting.calls.keys()) this.#runs.set(call, waiting)
    const giveUp = (): void => {
      this.remove(waiting)
      waiting.run.cancel()
    }
    this.#timers.set(waiting, this.#clock.after(KEPT_MS, giveUp))
    void waiting.run.outcome.finally(() => this.remove(waiting)).catch(() => undefined)
  }

  /** The run of an agent that waits for one of these calls. */
  find(calls: Iterable<string>, principal: Principal, agent: string): WaitingRun | undefined {
    for (const call of calls) {
      const waiting = this.#runs.get(call)
      const isTheirs = waiting?.principal.name === principal.name
      if (isTheirs && waiting.run.agent.name === agent) return waiting
    }
    return undefined
  }

  remove(waiting: WaitingRun): void {
    for (const call of waiting.calls.keys()) {
      if (this.#runs.get(call) === waiting) this.#runs.delete(call)
    }
    this.#timers.get(waiting)?.()
    this.#timers.delete(waiting)
  }
}
