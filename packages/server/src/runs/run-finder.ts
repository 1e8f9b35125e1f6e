import type { Engine } from 'echelon/runtime'
import type { RunFilter, RunSummary } from 'echelon/internal/store'
import type { Principal } from '../access/principal.ts'
import { summaryOfOrder } from '../engine/summary-of-order.ts'
import { notFound } from '../http/problem.ts'
import { mayTouch } from './owner.ts'
import type { ServerStore } from './server-store.ts'

/** Finds the runs that a user may see, in the store and, before a worker has begun them, on the engine. */
export class RunFinder {
  readonly #runs: ServerStore['runs']
  readonly #engine: Engine | undefined

  constructor({ runs }: Pick<ServerStore, 'runs'>, engine: Engine | undefined) {
    this.#runs = runs
    this.#engine = engine
  }

  /** @throws HttpProblem 404, also for another user's run */
  async find(runId: string, principal: Principal): Promise<RunSummary> {
    const summary = await this.#known(runId)
    if (summary === undefined || !mayTouch(principal, summary)) throw notFound(`run ${runId}`)
    return summary
  }

  /** The status of a run, wherever it is; `undefined` for an unknown one. */
  async statusOf(runId: string): Promise<RunSummary['status'] | undefined> {
    return (await this.#known(runId))?.status
  }

  /** The user's runs, newest first. */
  async list(principal: Principal, filter: RunFilter = {}): Promise<readonly RunSummary[]> {
    const { name, isOperator = false } = principal
    const listed = await this.#runs.list(isOperator ? filter : { ...filter, owner: name })
    // A store that cannot filter by user must still show no other's runs.
    return listed.filter((run) => mayTouch(principal, run))
  }

  async #known(runId: string): Promise<RunSummary | undefined> {
    return (await this.#runs.find(runId)) ?? (await this.#ordered(runId))
  }

  /** A run that no worker has begun, as far as its order tells. */
  async #ordered(runId: string): Promise<RunSummary | undefined> {
    const place = await this.#engine?.status(runId)
    return place && summaryOfOrder(place)
  }
}
