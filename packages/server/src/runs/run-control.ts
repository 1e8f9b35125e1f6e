import type { Engine, Json } from 'echelon/runtime'
import type { Principal } from '../access/principal.ts'
import type { Spending } from '../access/spending.ts'
import { readTurn } from '../engine/turn-order.ts'
import type { LiveRuns } from './live-runs.ts'
import type { RunFinder } from './run-finder.ts'
import type { ServedAgents } from './served-agents.ts'
import type { ServerStore } from './server-store.ts'

export interface RunControlParts {
  readonly agents: ServedAgents
  readonly live: LiveRuns
  readonly finder: RunFinder
  readonly store: ServerStore
  readonly spending: Spending
  readonly engine?: Engine | undefined
}

/** Answers and cancels a run wherever it is: in this process, on the engine, or only in the store. */
export class RunControl {
  readonly #parts: RunControlParts

  constructor(parts: RunControlParts) {
    this.#parts = parts
  }

  /** @returns false if it had ended already */
  async cancel(runId: string, principal: Principal): Promise<boolean> {
    const { agents, finder, engine, store } = this.#parts
    const live = this.#parts.live.of(runId, principal)
    if (live !== undefined && !live.log.isOver && live.agent.isElsewhere !== true) {
      live.cancel()
      return true
    }
    if (live !== undefined && engine !== undefined) return this.#cancelOrdered(engine, runId)
    const summary = await finder.find(runId, principal)
    if (engine !== undefined && agents.isElsewhere(summary)) {
      return this.#cancelOrdered(engine, runId)
    }
    return store.runs.askToCancel(summary.id, 'user')
  }

  /**
   * Answers a request of a run.
   * @throws HttpProblem 404; EchelonError UNKNOWN_REQUEST, INVALID_INPUT
   */
  async answer(
    runId: string,
    { request, reply }: { readonly request: string; readonly reply: Json },
    principal: Principal,
  ): Promise<void> {
    const { agents, finder, engine, store } = this.#parts
    const live = this.#parts.live.of(runId, principal)
    if (live !== undefined && !live.log.isOver && live.agent.isElsewhere !== true) {
      return live.respond(request, reply)
    }
    const summary = await finder.find(runId, principal)
    if (engine !== undefined && agents.isElsewhere(summary)) {
      return engine.answer(runId, { request, reply, by: principal.name })
    }
    await store.runs.reply(summary.id, request, reply, principal.name)
  }

  /** A run that never begins has no end at which its money would be returned, so it is returned here. */
  async #cancelOrdered(engine: Engine, runId: string): Promise<boolean> {
    const { store, spending } = this.#parts
    const before = await engine.status(runId)
    const isCanceled = await engine.cancel(runId)
    const isInQueue = before?.type === 'queued' || before?.type === 'scheduled'
    if (!isCanceled || !isInQueue || before.order === undefined) return isCanceled
    if ((await store.runs.find(runId)) !== undefined) return true
    const { context, held } = readTurn(before.order.task)
    await (await spending.taken(context.caller, runId, held.at)).settle(0)
    return true
  }
}
