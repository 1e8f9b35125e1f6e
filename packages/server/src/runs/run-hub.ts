import type { Clock, Engine, Ids, Json } from 'echelon/runtime'
import { hasEnded, type RunFilter, type RunSummary } from 'echelon/internal/store'
import type { Principal } from '../access/principal.ts'
import type { Spending } from '../access/spending.ts'
import type {
  ForkTurn,
  ReviewDecision,
  ServedAgent,
  TurnEnd,
  TurnInput,
} from '../agents/served-agent.ts'
import { endOfGivenUp } from './end-without.ts'
import type { LiveRun } from './live-run.ts'
import { LiveRuns, type LiveRunsOptions } from './live-runs.ts'
import { followedEvents, type FollowOptions } from './read-events.ts'
import { RunControl } from './run-control.ts'
import { RunFinder } from './run-finder.ts'
import { RunLauncher, type RunLauncherParts, type StartOptions } from './run-launcher.ts'
import type { LoggedEvent } from './run-log.ts'
import { RunResumer } from './run-resumer.ts'
import { ServedAgents } from './served-agents.ts'
import type { ServerStore } from './server-store.ts'

export interface RunHubOptions
  extends Omit<LiveRunsOptions, 'store'>, Pick<RunLauncherParts, 'forkModels'> {
  readonly agents: readonly ServedAgent[]
  readonly store: ServerStore
  readonly clock: Clock
  readonly ids: Ids
  readonly spending: Spending
  /** Performs the runs of agents that are elsewhere. */
  readonly engine?: Engine | undefined
}

/**
 * The runs of this server: starts them within the limits of their users, and finds, follows, answers and
 * cancels them for users who may. Every protocol uses it; it knows none of the agents. Its parts do the work:
 * `RunLauncher` starts, `RunResumer` resumes, `RunControl` answers and cancels, `RunFinder` finds, and `LiveRuns`
 * holds the runs of this process.
 */
export class RunHub {
  readonly #store: ServerStore
  readonly #agents: ServedAgents
  readonly #live: LiveRuns
  readonly #finder: RunFinder
  readonly #launcher: RunLauncher
  readonly #resumer: RunResumer
  readonly #control: RunControl
  #followers = 0

  constructor(options: RunHubOptions) {
    const { store, engine, spending, ids, forkModels } = options
    const agents = new ServedAgents(options.agents)
    const live = new LiveRuns(options)
    const finder = new RunFinder(store, engine)
    this.#store = store
    this.#agents = agents
    this.#live = live
    this.#finder = finder
    this.#launcher = new RunLauncher({ agents, live, finder, spending, ids, forkModels })
    this.#resumer = new RunResumer({ agents, live, store, spending })
    this.#control = new RunControl({ agents, live, finder, store, spending, engine })
  }

  /** The agents that a user may use. */
  agentsOf(principal: Principal): readonly ServedAgent[] {
    return this.#agents.of(principal)
  }

  get allAgents(): readonly ServedAgent[] {
    return this.#agents.all
  }

  /** @throws HttpProblem 404 for an unknown agent, and for one that the user may not use */
  agent(name: string, principal: Principal): ServedAgent {
    return this.#agents.named(name, principal)
  }

  /** The agent that a run was started with here, or else the first one whose runs have the name. */
  agentOfRun(run: RunSummary): ServedAgent | undefined {
    return this.#agents.ofRun(run)
  }

  get working(): number {
    return this.#live.work.all
  }

  /** Clients that follow a run now. */
  get followers(): number {
    return this.#followers
  }

  get isStopping(): boolean {
    return this.#live.work.isStopping
  }

  /**
   * Starts a turn.
   * @throws HttpProblem 429 when the server or the user is at a limit, 503 while the server stops, and the
   * errors of the agent
   */
  start(agent: ServedAgent, input: TurnInput, options: StartOptions): Promise<LiveRun> {
    return this.#launcher.start(agent, input, options)
  }

  /**
   * Starts a run from a step of another one; see `RunLauncher.fork`.
   * @throws HttpProblem as `start`; 403 for a model that the user may not use, 404 for another user's run, 409 for
   * an agent whose runs can't be forked
   */
  fork(runId: string, turn: Omit<ForkTurn, 'as'>, principal: Principal): Promise<LiveRun> {
    return this.#launcher.fork(runId, turn, principal)
  }

  /**
   * Does what a person decided about work that waits in a conversation, as a turn of it.
   * @throws HttpProblem as `start`
   */
  review(
    agent: ServedAgent,
    review: { readonly session: string } & ReviewDecision,
    principal: Principal,
  ): Promise<LiveRun> {
    return this.#launcher.review(agent, review, principal)
  }

  /** Whether a run was started by a server with an agent that is served here and can resume it. */
  mayResume(run: RunSummary): boolean {
    return this.#agents.mayResume(run)
  }

  /** Resumes a run of the store here, such as after an answer. Its agent must be served. */
  resume(summary: RunSummary): Promise<LiveRun> {
    return this.#resumer.resume(summary)
  }

  /** Calls back for each run that is resumed here, such as for a protocol that must notify its client. */
  onResumed(listener: (run: LiveRun) => void): void {
    this.#resumer.onResumed(listener)
  }

  /** The run in this process, at work or ended a while ago. */
  live(runId: string, principal: Principal): LiveRun | undefined {
    return this.#live.of(runId, principal)
  }

  /** @throws HttpProblem 404, also for another user's run */
  find(runId: string, principal: Principal): Promise<RunSummary> {
    return this.#finder.find(runId, principal)
  }

  /** The status of a run, wherever it is; `undefined` for an unknown one. */
  statusOf(runId: string): Promise<RunSummary['status'] | undefined> {
    return this.#finder.statusOf(runId)
  }

  /** The user's runs, newest first. */
  list(principal: Principal, filter: RunFilter = {}): Promise<readonly RunSummary[]> {
    return this.#finder.list(principal, filter)
  }

  /**
   * The events of a run after a place, from memory or the store, until it is over here.
   * @throws HttpProblem 404, also for another user's run
   */
  async *follow(
    runId: string,
    principal: Principal,
    options: FollowOptions,
  ): AsyncGenerator<LoggedEvent, void> {
    for await (const events of this.followAll(runId, principal, options)) yield* events
  }

  /** The same, in lists of the available events: many events at once cost less. */
  async *followAll(
    runId: string,
    principal: Principal,
    options: FollowOptions,
  ): AsyncGenerator<readonly LoggedEvent[], void> {
    this.#followers++
    try {
      const live = this.live(runId, principal)
      if (live === undefined) await this.find(runId, principal)
      yield* followedEvents(this.#store, { runId, live }, options)
    } finally {
      this.#followers--
    }
  }

  /**
   * How a run ended; `undefined` while it works or waits elsewhere. For a run that ended before this process
   * began, its agent reads it again from the store.
   */
  async endOf(runId: string, principal: Principal): Promise<TurnEnd | undefined> {
    const live = this.live(runId, principal)
    const isLeft = live === undefined || live.state === 'suspended'
    if (!isLeft && live.state !== 'failed') return live.outcome
    const summary = await this.find(runId, principal)
    const givenUp = endOfGivenUp(summary)
    if (givenUp !== undefined || !isLeft) return givenUp ?? live?.outcome
    if (!hasEnded(summary)) return undefined
    const agent = this.agentOfRun(summary)
    if (agent?.endOf !== undefined) return agent.endOf(runId, summary.session)
    return (await agent?.resume?.(runId, summary.session))?.outcome
  }

  /** @returns false if it had ended already */
  cancel(runId: string, principal: Principal): Promise<boolean> {
    return this.#control.cancel(runId, principal)
  }

  /** Cancels the turns of a stored conversation that no worker has begun. @returns how many there were */
  dropOrders(session: string): Promise<number> {
    return this.#control.dropOrders(session)
  }

  /**
   * Answers a request of a run, wherever it is.
   * @throws HttpProblem 404; EchelonError UNKNOWN_REQUEST, INVALID_INPUT
   */
  answer(
    runId: string,
    reply: { readonly request: string; readonly reply: Json },
    principal: Principal,
  ): Promise<void> {
    return this.#control.answer(runId, reply, principal)
  }

  /** Suspends runs that have waited for a person this long; an answer resumes them. */
  suspendIdle(waitedMs: number): void {
    this.#live.suspendIdle(waitedMs)
  }

  /** Accepts no more turns, and suspends the active ones: the next start of the server resumes them. */
  stop(withinMs: number): Promise<void> {
    return this.#live.stop(withinMs)
  }
}
