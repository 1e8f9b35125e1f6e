import { EchelonError } from 'echelon/runtime'
import type { RunSummary } from 'echelon/internal/store'
import type { Spending } from '../access/spending.ts'
import type { LiveRun } from './live-run.ts'
import type { LiveRuns } from './live-runs.ts'
import { ownerOf } from './owner.ts'
import { lastStored } from './read-events.ts'
import type { ServedAgents } from './served-agents.ts'
import type { ServerStore } from './server-store.ts'

export interface RunResumerParts {
  readonly agents: ServedAgents
  readonly live: LiveRuns
  readonly store: ServerStore
  readonly spending: Spending
}

const REOPENS_WITHIN_MS = 1000

/** Resumes runs of the store in this process, each once at a time. */
export class RunResumer {
  readonly #parts: RunResumerParts
  readonly #resuming = new Map<string, Promise<LiveRun>>()
  readonly #listeners: ((run: LiveRun) => void)[] = []

  constructor(parts: RunResumerParts) {
    this.#parts = parts
  }

  /** Calls back for each run that is resumed here. */
  onResumed(listener: (run: LiveRun) => void): void {
    this.#listeners.push(listener)
  }

  /** Resumes a run, such as after an answer. Its agent must be served. */
  async resume(summary: RunSummary): Promise<LiveRun> {
    const known = this.#parts.live.get(summary.id)
    if (known !== undefined && !known.log.isOver) return known
    const resuming = this.#resuming.get(summary.id) ?? this.#resumed(summary, known)
    this.#resuming.set(summary.id, resuming)
    try {
      return await resuming
    } finally {
      this.#resuming.delete(summary.id)
    }
  }

  async #resumed(summary: RunSummary, known: LiveRun | undefined): Promise<LiveRun> {
    const { agents, live: runs, store, spending } = this.#parts
    const agent = agents.ofRun(summary)
    if (agent?.resume === undefined) {
      throw new EchelonError('UNKNOWN_RUN', `no agent here can resume the run ${summary.id}`)
    }
    const owner = ownerOf(summary) ?? ''
    const hold = await spending.taken(owner, summary.id, summary.beganAt)
    // The events of a run elsewhere are followed from the first one on.
    const isElsewhere = agent.isElsewhere === true
    const lastKnown = async (): Promise<number> =>
      known?.log.last.n ?? (await lastStored(store, summary.id))
    const stored = isElsewhere ? 0 : await lastKnown()
    // Nothing may be awaited between the resume and its listener, which would miss events.
    const run = await agent.resume(summary.id, summary.session)
    const live = runs.add({
      agent,
      run,
      owner: ownerOf(summary),
      session: summary.session,
      clientTools: known?.clientTools ?? [],
      stored,
    })
    runs.work.count(owner, 1)
    runs.closeAtEnd(live, owner, hold)
    for (const listener of this.#listeners) listener(live)
    await reopened(live, summary)
    return live
  }
}

/** Waits until a resumed run has opened its requests again, so that they can be answered. */
async function reopened(live: LiveRun, { requests }: RunSummary): Promise<void> {
  if (requests.length === 0) return
  const late = AbortSignal.timeout(REOPENS_WITHIN_MS)
  while (!live.log.isOver && !late.aborted && !requests.some(({ id }) => live.waitsFor(id))) {
    await live.log.more(late)
  }
}
