import type { Clock } from 'echelon/runtime'
import type { Principal } from '../access/principal.ts'
import type { Hold } from '../access/spending.ts'
import type { TurnEnd } from '../agents/served-agent.ts'
import { LiveRun, type LiveRunParts } from './live-run.ts'
import type { ServerStore } from './server-store.ts'
import { WorkAtOnce } from './work-at-once.ts'

export interface LiveRunsOptions {
  readonly store: Pick<ServerStore, 'events'>
  readonly clock: Clock
  /** Runs that work at the same time in this process. */
  readonly runsAtOnce: number
  /** Receives faults of the program, for the log. */
  readonly onFault: (error: unknown, run: string) => void
  /** Called for each run that ends in this process; `end` is `undefined` if it was suspended or failed with a fault. */
  readonly onEnd?: (run: LiveRun, end: TurnEnd | undefined) => void
}

/** Ended runs whose events stay in memory, for clients that come back. */
const ENDED_KEPT = 200

/** The runs in this process, at work or ended a while ago. */
export class LiveRuns {
  /** Counts the runs at work, and admits more within the limits. */
  readonly work: WorkAtOnce
  readonly #options: LiveRunsOptions
  readonly #runs = new Map<string, LiveRun>()
  /** Oldest first. */
  readonly #ended: string[] = []
  /** Pending writes of runs that have ended. */
  readonly #closing = new Set<Promise<void>>()

  constructor(options: LiveRunsOptions) {
    this.#options = options
    this.work = new WorkAtOnce(options.runsAtOnce)
  }

  get(runId: string): LiveRun | undefined {
    return this.#runs.get(runId)
  }

  /** The run, if the user may see it. */
  of(runId: string, principal: Principal): LiveRun | undefined {
    const live = this.#runs.get(runId)
    const isTheirs = principal.isOperator === true || live?.owner === principal.name
    return live !== undefined && isTheirs ? live : undefined
  }

  add(parts: Omit<LiveRunParts, 'now' | 'hear'>): LiveRun {
    const { clock, store } = this.#options
    const live = new LiveRun({
      ...parts,
      now: () => clock.now(),
      // The process that performs a run stores its events.
      hear: parts.agent.isElsewhere === true ? () => undefined : store.events.listener.hear,
    })
    this.#runs.set(live.id, live)
    return live
  }

  /** Settles the money of a run when it ends, and stops counting it. */
  closeAtEnd(live: LiveRun, owner: string, hold: Hold): void {
    const closed = this.#afterwards(live, owner, hold).finally(() => this.#closing.delete(closed))
    this.#closing.add(closed)
  }

  /** Suspends runs that have waited for a person this long; an answer resumes them. */
  suspendIdle(waitedMs: number): void {
    const before = this.#options.clock.now() - waitedMs
    for (const run of this.#runs.values()) {
      // A client's tools are known only here.
      const canLeave = !run.log.isOver && run.clientTools.length === 0
      if (canLeave && run.waitsSince !== undefined && run.waitsSince < before) run.suspend()
    }
  }

  /** Admits no more runs, and suspends the active ones. */
  async stop(withinMs: number): Promise<void> {
    this.work.stop()
    const working = [...this.#runs.values()].filter(({ log }) => !log.isOver)
    for (const run of working) run.suspend()
    const all = Promise.all(this.#closing)
    let forget = (): void => undefined
    const late = new Promise<void>((resolve) => {
      forget = this.#options.clock.after(withinMs, resolve)
    })
    await Promise.race([all, late])
    // A timer that is left would keep the process alive.
    forget()
  }

  /** Never rejects. */
  async #afterwards(live: LiveRun, owner: string, hold: Hold): Promise<void> {
    let end: TurnEnd | undefined
    try {
      end = await live.outcome
      // A suspended run keeps its money until it ends.
      if (end !== undefined) await hold.settle(end.cost)
    } catch (error) {
      await hold.settle(null).catch(() => undefined)
      this.#options.onFault(error, live.id)
    } finally {
      this.work.count(owner, -1)
      this.#options.onEnd?.(live, end)
      this.#ended.push(live.id)
      if (this.#ended.length > ENDED_KEPT) this.#forget(this.#ended.shift())
    }
  }

  #forget(runId: string | undefined): void {
    // A run that was resumed meanwhile stays.
    if (runId !== undefined && this.#runs.get(runId)?.log.isOver === true) this.#runs.delete(runId)
  }
}
