import { EchelonError, type ErrorCode } from '../core/value/error.ts'
import type { Clock } from '../core/agent/ports.ts'
import type { RunStore, RunSummary } from '../core/store/run-store.ts'
import { isSuspect, Suspects } from './suspects.ts'
import { pause } from './model/deadline.ts'

/** An agent that can resume its runs, such as a chat agent or a decider. */
export interface Resumes {
  /** Name of the agent in the store's runs. */
  readonly name: string
  resume(
    runId: string,
    options: { readonly suspend: { readonly afterMs: number } },
  ): Promise<ResumedRun>
}

/** A resumed run. */
export interface ResumedRun {
  readonly result: Promise<unknown>
  /** Suspends it as soon as nothing is lost by it: `result` rejects with RUN_SUSPENDED. */
  suspend(): void
}

export interface HostOptions {
  /** With `read`, runs whose process died several times are resumed one at a time. */
  readonly store: { readonly runs: Pick<RunStore, 'due'> & Partial<Pick<RunStore, 'read'>> }
  /** Runs of other agents are ignored. */
  readonly agents: readonly Resumes[]
  readonly clock: Clock
  /** Interval between checks for due runs, in milliseconds. Default 1000. */
  readonly everyMs?: number
  /** Maximum number of concurrent runs. Default 8. */
  readonly atOnce?: number
  /** A run that waits again is suspended after this many milliseconds. Default 1000. */
  readonly suspendAfterMs?: number
  /**
   * Called with an error of a run, or of the store if no run is named. The run is retried later, at
   * growing intervals.
   */
  readonly onProblem?: (problem: unknown, run?: RunSummary) => void
}

/** Resumes waiting runs of a store. */
export interface Host {
  /**
   * Checks for due runs now, and waits until all runs here have ended or are suspended.
   * @returns the number of runs that ended or were suspended
   */
  tick(): Promise<number>
  /**
   * Stops resuming runs, and suspends the current ones between two steps. Another host, or this one
   * after a restart, continues them.
   * @param withinMs returns after this time at the latest, even with work in flight. Default 30,000
   */
  stop(withinMs?: number): Promise<void>
}

const EVERY_MS = 1000
const AT_ONCE = 8
const SUSPEND_AFTER_MS = 1000
const STOP_WITHIN_MS = 30_000
/** Maximum pause before a failed run is retried. */
const LONGEST_REST_MS = 300_000
/** Limits each query, since many due runs may belong to other agents. */
const MOST_DUE = 1000

/**
 * Resumes due runs of a store for as long as the process lives: runs that were answered, whose time
 * has come, that have a request to cancel, or whose process died. Any number of processes may do so
 * in parallel: each run is resumed by one of them.
 * @throws EchelonError INVALID_CONFIG for agents of one name, or a number that cannot work
 */
export function startHost(options: HostOptions): Host {
  return new RunHost(options)
}

/** A run that failed here. */
interface Failed {
  readonly times: number
  readonly notBefore: number
}

class RunHost implements Host {
  readonly #options: HostOptions
  readonly #agents: ReadonlyMap<string, Resumes>
  readonly #everyMs: number
  readonly #atOnce: number
  /** By run id, until the run is over here. */
  readonly #underWay = new Map<string, Promise<void>>()
  readonly #held = new Map<string, ResumedRun>()
  readonly #failed = new Map<string, Failed>()
  readonly #suspects: Suspects
  #looking: Promise<void> | undefined
  #forget: (() => void) | undefined
  #isStopped = false

  constructor(options: HostOptions) {
    this.#options = options
    this.#suspects = new Suspects(options.clock)
    this.#agents = byName(options.agents)
    this.#everyMs = positive('everyMs', options.everyMs ?? EVERY_MS)
    this.#atOnce = positive('atOnce', options.atOnce ?? AT_ONCE)
    void this.#round()
  }

  async tick(): Promise<number> {
    // A check that began earlier may miss runs that are due by now.
    await this.#looking
    const goingOn = [...this.#underWay.values()]
    await this.#look()
    const all = new Set([...goingOn, ...this.#underWay.values()])
    await Promise.all(all)
    return all.size
  }

  async stop(withinMs: number = STOP_WITHIN_MS): Promise<void> {
    this.#isStopped = true
    this.#forget?.()
    this.#suspects.close()
    await this.#looking
    for (const run of this.#held.values()) run.suspend()
    const over = new AbortController()
    await Promise.race([
      Promise.all(this.#underWay.values()),
      pause(this.#options.clock, withinMs, over.signal),
    ])
    over.abort()
  }

  /** Checks repeatedly. */
  async #round(): Promise<void> {
    await this.#look()
    if (this.#isStopped) return
    this.#forget = this.#options.clock.after(this.#everyMs, () => void this.#round())
  }

  /** One check at a time: two would resume the same runs. */
  #look(): Promise<void> {
    this.#looking ??= this.#takeUp().finally(() => (this.#looking = undefined))
    return this.#looking
  }

  async #takeUp(): Promise<void> {
    if (this.#isStopped) return
    const { store, clock } = this.#options
    let due: readonly RunSummary[] = []
    try {
      due = await store.runs.due(MOST_DUE)
    } catch (problem) {
      this.#tell(problem)
    }
    const now = clock.now()
    for (const run of due) {
      const agent = this.#agents.get(run.agent)
      if (agent === undefined || this.#underWay.has(run.id)) continue
      if ((this.#failed.get(run.id)?.notBefore ?? 0) > now) continue
      // Stopped during the check.
      if (this.#isStopped || this.#underWay.size >= this.#atOnce) break
      const work = this.#goOn(agent, run).finally(() => this.#over(run))
      this.#underWay.set(run.id, work)
    }
  }

  /** Never rejects. */
  async #goOn(agent: Resumes, run: RunSummary): Promise<void> {
    try {
      const isAlone = await this.#isSuspect(run)
      const isCleared = async (): Promise<boolean> => !(await this.#isSuspect(run))
      const work = (): Promise<void> => this.#resume(agent, run)
      await (isAlone ? this.#suspects.inTurn(isCleared, work) : work())
      this.#failed.delete(run.id)
    } catch (problem) {
      if (isNoProblem(problem)) this.#failed.delete(run.id)
      else this.#rest(run, problem)
    }
  }

  async #resume(agent: Resumes, run: RunSummary): Promise<void> {
    const { suspendAfterMs: afterMs = SUSPEND_AFTER_MS } = this.#options
    const resumed = await agent.resume(run.id, { suspend: { afterMs } })
    this.#held.set(run.id, resumed)
    if (this.#isStopped) resumed.suspend()
    await resumed.result
  }

  async #isSuspect({ id, status }: RunSummary): Promise<boolean> {
    const { runs } = this.#options.store
    return status === 'interrupted' && runs.read !== undefined && isSuspect(await runs.read(id))
  }

  /** More runs may be due than there was room for. */
  #over({ id }: RunSummary): void {
    const wasFull = this.#underWay.size >= this.#atOnce
    this.#underWay.delete(id)
    this.#held.delete(id)
    if (wasFull) void this.#look()
  }

  #rest(run: RunSummary, problem: unknown): void {
    const times = (this.#failed.get(run.id)?.times ?? 0) + 1
    const restMs = Math.min(LONGEST_REST_MS, this.#everyMs * 2 ** times)
    this.#failed.set(run.id, { times, notBefore: this.#options.clock.now() + restMs })
    this.#tell(problem, run)
  }

  #tell(problem: unknown, run?: RunSummary): void {
    try {
      this.#options.onProblem?.(problem, run)
    } catch {
      // An error in the callback must not stop the other runs.
    }
  }
}

/** Another process was first, or the run waits again. */
const NO_PROBLEM: ReadonlySet<ErrorCode> = new Set(['RUN_BUSY', 'SESSION_BUSY', 'RUN_SUSPENDED'])

const isNoProblem = (problem: unknown): boolean =>
  problem instanceof EchelonError && NO_PROBLEM.has(problem.code)

function byName(agents: readonly Resumes[]): ReadonlyMap<string, Resumes> {
  const known = new Map<string, Resumes>()
  for (const agent of agents) {
    if (known.has(agent.name)) {
      throw new EchelonError(
        'INVALID_CONFIG',
        `two agents of the host are called ${agent.name}, and runs are found by the name; rename one of them`,
      )
    }
    known.set(agent.name, agent)
  }
  return known
}

function positive(name: string, value: number): number {
  if (value >= 1) return value
  throw new EchelonError('INVALID_CONFIG', `${name} is ${value}; give a number from 1 on`)
}
