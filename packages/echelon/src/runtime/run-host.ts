import { EchelonError, type ErrorCode } from '../core/value/error.ts'
import type { Clock } from '../core/agent/ports.ts'
import type { RunStore, RunSummary } from '../core/store/run-store.ts'
import { pause } from './model/deadline.ts'

/** An agent that goes on with its runs: a chat agent and a decider are such. */
export interface Resumes {
  /** As its runs are called in the store. */
  readonly name: string
  resume(
    runId: string,
    options: { readonly suspend: { readonly afterMs: number } },
  ): Promise<ResumedRun>
}

/** A run that goes on. */
export interface ResumedRun {
  readonly result: Promise<unknown>
  /** Lets go of it at the next moment at which nothing is lost: `result` rejects with RUN_SUSPENDED. */
  suspend(): void
}

export interface HostOptions {
  readonly store: { readonly runs: Pick<RunStore, 'due'> }
  /** Runs of others are left alone. */
  readonly agents: readonly Resumes[]
  readonly clock: Clock
  /** How often it looks for what is due, in milliseconds. Default 1000. */
  readonly everyMs?: number
  /** How many runs go on here at the same time. Default 8. */
  readonly atOnce?: number
  /** A run that waits again lets go of its place after so many milliseconds. Default 1000. */
  readonly suspendAfterMs?: number
  /**
   * Told what went wrong with a run, or with the store where no run is named. The run is tried again
   * later, less and less often.
   */
  readonly onProblem?: (problem: unknown, run?: RunSummary) => void
}

/** What takes up runs that wait on record. */
export interface Host {
  /**
   * Looks now, besides its round, and waits for all that goes on here: until they end, or let go.
   * @returns how many those were
   */
  tick(): Promise<number>
  /**
   * Takes up nothing more, and lets go of what goes on here, between two steps: another host, or this
   * one when it is started again, goes on with it.
   * @param withinMs returns then, whatever is still under way. Default 30,000
   */
  stop(withinMs?: number): Promise<void>
}

const EVERY_MS = 1000
const AT_ONCE = 8
const SUSPEND_AFTER_MS = 1000
const STOP_WITHIN_MS = 30_000
/** A run that fails is not left for longer. */
const LONGEST_REST_MS = 300_000
/** There may be many due that nobody here knows. */
const MOST_DUE = 1000

/**
 * Takes up what is due in a store, for as long as the process lives: runs that were answered, whose
 * time has come, that somebody wants to end, or whose process died. Any number of processes may do
 * so beside each other: each run goes on in one of them.
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
  /** By the run's id, until it is over here. */
  readonly #underWay = new Map<string, Promise<void>>()
  readonly #held = new Map<string, ResumedRun>()
  readonly #failed = new Map<string, Failed>()
  #looking: Promise<void> | undefined
  #forget: (() => void) | undefined
  #isStopped = false

  constructor(options: HostOptions) {
    this.#options = options
    this.#agents = byName(options.agents)
    this.#everyMs = positive('everyMs', options.everyMs ?? EVERY_MS)
    this.#atOnce = positive('atOnce', options.atOnce ?? AT_ONCE)
    void this.#round()
  }

  async tick(): Promise<number> {
    // What is found by a look that began before may be older than this call.
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
    await this.#looking
    for (const run of this.#held.values()) run.suspend()
    const over = new AbortController()
    await Promise.race([
      Promise.all(this.#underWay.values()),
      pause(this.#options.clock, withinMs, over.signal),
    ])
    over.abort()
  }

  /** Looks, and looks again. */
  async #round(): Promise<void> {
    await this.#look()
    if (this.#isStopped) return
    this.#forget = this.#options.clock.after(this.#everyMs, () => void this.#round())
  }

  /** One look at a time: two of them would take up the same. */
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
      // Stopped while it looked.
      if (this.#isStopped || this.#underWay.size >= this.#atOnce) break
      const work = this.#goOn(agent, run).finally(() => this.#over(run))
      this.#underWay.set(run.id, work)
    }
  }

  /** Never rejects. */
  async #goOn(agent: Resumes, run: RunSummary): Promise<void> {
    const { suspendAfterMs: afterMs = SUSPEND_AFTER_MS } = this.#options
    try {
      const resumed = await agent.resume(run.id, { suspend: { afterMs } })
      this.#held.set(run.id, resumed)
      if (this.#isStopped) resumed.suspend()
      await resumed.result
      this.#failed.delete(run.id)
    } catch (problem) {
      if (isNoProblem(problem)) this.#failed.delete(run.id)
      else this.#rest(run, problem)
    }
  }

  /** There may be others for whom there was no place. */
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
      // Whoever is told must not stop the others.
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
        `two agents of the host are called ${agent.name}, and a run says no more than the name; give one of them another name`,
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
