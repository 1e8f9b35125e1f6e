import { EchelonError, type Engine, type Json } from 'echelon/runtime'
import type { Clock, Ids } from 'echelon/runtime'
import type { RunFilter, RunSummary, Store } from 'echelon/internal/store'
import { mayUse, type Principal, sessionIn, storedSession } from '../access/principal.ts'
import type { Hold, Spending } from '../access/spending.ts'
import type {
  ForkTurn,
  ReviewDecision,
  ServedAgent,
  TurnEnd,
  TurnInput,
} from '../agents/served-agent.ts'
import { HttpProblem, notFound } from '../http/problem.ts'
import { cancelOrdered, cancelTurns } from '../engine/cancel-ordered.ts'
import { UnknownOrder } from '../engine/send-order.ts'
import { summaryOfOrder } from '../engine/summary-of-order.ts'
import { LiveRun, type LiveRunParts } from './live-run.ts'
import { madeBy, mayTouch, ownerOf, servedAs } from './owner.ts'
import { checkForkModels, otherModels } from './fork-models.ts'
import { followedEvents, type FollowOptions, lastStored } from './read-events.ts'
import type { LoggedEvent } from './run-log.ts'
import { WorkAtOnce } from './work-at-once.ts'

export type ServerStore = Pick<
  Store,
  'runs' | 'sessions' | 'events' | 'memories' | 'artifacts' | 'results' | 'orders'
>

export interface RunHubOptions {
  readonly agents: readonly ServedAgent[]
  readonly store: ServerStore
  readonly clock: Clock
  readonly ids: Ids
  readonly spending: Spending
  /** Runs that work at the same time in this process. */
  readonly runsAtOnce: number
  /** Models that forks of every user may use besides those of their agent, as `provider/model`. Default none. */
  readonly forkModels?: readonly string[] | undefined
  /** Performs the runs of agents that are elsewhere. */
  readonly engine?: Engine | undefined
  /** Receives faults of the program, for the log. */
  readonly onFault: (error: unknown, run: string) => void
  /** Called for each run that ends in this process; `end` is `undefined` if it was suspended or failed with a fault. */
  readonly onEnd?: (run: LiveRun, end: TurnEnd | undefined) => void
}

export interface StartOptions {
  readonly principal: Principal
  /** The user's id of the conversation. */
  readonly session?: string
  /** Its stored id, if another process derived it. */
  readonly storedSession?: string
  readonly runId?: string
  /** The money that another process has taken for the run, and when; default, it is taken here. */
  readonly held?: { readonly maxCost: number | null; readonly at: number } | undefined
  readonly traceparent?: string | undefined
  readonly tracestate?: string | undefined
}

/** The run that is started. */
interface Launch {
  readonly run: string
  readonly agent: ServedAgent
  readonly held?: StartOptions['held']
}

/** Ended runs whose events stay in memory, for clients that come back. */
const ENDED_KEPT = 200
const REOPENS_WITHIN_MS = 1000

/**
 * The runs of this server: starts them within the limits of their users, and finds, follows, answers and
 * cancels them for users who may. Every protocol uses it, and knows no agent.
 */
export class RunHub {
  readonly #options: RunHubOptions
  readonly #agents: ReadonlyMap<string, ServedAgent>
  readonly #live = new Map<string, LiveRun>()
  /** Oldest first. */
  readonly #ended: string[] = []
  readonly #work: WorkAtOnce
  /** What is still written for runs that are over. */
  readonly #closing = new Set<Promise<void>>()
  #followers = 0
  readonly #resuming = new Map<string, Promise<LiveRun>>()
  readonly #hearsResumed: ((run: LiveRun) => void)[] = []

  constructor(options: RunHubOptions) {
    this.#options = options
    this.#work = new WorkAtOnce(options.runsAtOnce)
    this.#agents = new Map(options.agents.map((agent) => [agent.name, agent]))
  }

  /** The agents that a user may use. */
  agentsOf(principal: Principal): readonly ServedAgent[] {
    return [...this.#agents.values()].filter(({ name }) => mayUse(principal, name))
  }

  get allAgents(): readonly ServedAgent[] {
    return [...this.#agents.values()]
  }

  /** @throws HttpProblem 404 for an unknown agent, and for one that the user may not use */
  agent(name: string, principal: Principal): ServedAgent {
    const agent = this.#agents.get(name)
    if (agent === undefined || !mayUse(principal, name)) throw notFound(`agent ${name}`)
    return agent
  }

  get working(): number {
    return this.#work.all
  }

  /** Clients that follow a run now. */
  get followers(): number {
    return this.#followers
  }

  get isStopping(): boolean {
    return this.#work.isStopping
  }

  /**
   * Starts a turn.
   * @throws HttpProblem 429 when the server or the user is at a limit, 503 while the server stops, and the
   * errors of the agent
   */
  async start(agent: ServedAgent, input: TurnInput, options: StartOptions): Promise<LiveRun> {
    const { principal, session, runId, held, traceparent, tracestate } = options
    const id = runId ?? this.#options.ids.next()
    const stored =
      session === undefined ? options.storedSession : storedSession(principal, agent.name, session)
    return this.#launched(principal, { run: id, agent, held }, async ({ maxCost }) =>
      this.#added({
        agent,
        run: await agent.start(input, {
          runId: id,
          caller: principal.name,
          made: madeBy(principal, agent.name),
          ...(stored !== undefined && { session: stored }),
          ...(maxCost !== null && { maxCost }),
          traceparent,
          tracestate,
        }),
        owner: principal.name,
        session: stored ?? null,
        clientTools: (input.tools ?? []).map(({ name }) => name),
      }),
    )
  }

  async #holdFor(principal: Principal, { run, agent, held }: Launch): Promise<Hold> {
    const { spending } = this.#options
    if (held === undefined) return spending.hold(principal, { run, agent })
    // Nothing is taken for a run without a limit.
    if (held.maxCost === null) return { maxCost: null, settle: () => Promise.resolve() }
    const taken = await spending.taken(principal.name, run, held.at)
    return { maxCost: held.maxCost, settle: (cost) => taken.settle(cost) }
  }

  /** Whether a run was started by a server with an agent that is served here and can resume it. */
  mayResume(run: RunSummary): boolean {
    const agent = this.#agents.get(servedAs(run) ?? '')
    const isHere = agent?.resume !== undefined && agent.isElsewhere !== true
    return isHere && agent.definition === run.agent
  }

  /** Lets go of runs that wait for a person since long; an answer resumes them. */
  suspendIdle(waitedMs: number): void {
    const before = this.#options.clock.now() - waitedMs
    for (const run of this.#live.values()) {
      // A client's tools are known only here.
      const canLeave = !run.log.isOver && run.clientTools.length === 0
      if (canLeave && run.waitsSince !== undefined && run.waitsSince < before) run.suspend()
    }
  }

  /** Resumes a run of the store here, such as after an answer. Its agent must be served. */
  async resume(summary: RunSummary): Promise<LiveRun> {
    const known = this.#live.get(summary.id)
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
    const agent = this.agentOfRun(summary)
    if (agent?.resume === undefined) {
      throw new EchelonError('UNKNOWN_RUN', `no agent here can resume the run ${summary.id}`)
    }
    const { spending } = this.#options
    const owner = ownerOf(summary) ?? ''
    const hold = await spending.taken(owner, summary.id, summary.beganAt)
    // A run elsewhere is told from its first event on.
    const isElsewhere = agent.isElsewhere === true
    const lastKnown = async (): Promise<number> =>
      known?.log.last.n ?? (await lastStored(this.#options.store, summary.id))
    const stored = isElsewhere ? 0 : await lastKnown()
    // Nothing may be awaited between the resume and its listener, which would miss events.
    const run = await agent.resume(summary.id, summary.session)
    const live = this.#added({
      agent,
      run,
      owner: ownerOf(summary),
      session: summary.session,
      clientTools: known?.clientTools ?? [],
      stored,
    })
    this.#work.count(owner, 1)
    this.#close(live, owner, hold)
    for (const hear of this.#hearsResumed) hear(live)
    await this.#reopened(live, summary)
    return live
  }

  /** Waits until a resumed run has opened its requests again, so that they can be answered. */
  async #reopened(live: LiveRun, { requests }: RunSummary): Promise<void> {
    if (requests.length === 0) return
    const late = AbortSignal.timeout(REOPENS_WITHIN_MS)
    while (!live.log.isOver && !late.aborted && !requests.some(({ id }) => live.waitsFor(id))) {
      await live.log.more(late)
    }
  }

  /** Tells of each run that is resumed here, such as to a protocol that owes its client a notice. */
  onResumed(hear: (run: LiveRun) => void): void {
    this.#hearsResumed.push(hear)
  }

  /**
   * Starts a run from a step of another one. Its agent alone limits its cost, so for a user with a budget all
   * that it may cost is held, or it is refused. What it inherits was paid by the other run.
   * @throws HttpProblem as `start`; 403 for a model that the user may not use, 404 for another user's run, 409 for
   * an agent whose runs can't be forked
   */
  async fork(
    runId: string,
    { at, act, models }: Omit<ForkTurn, 'as'>,
    principal: Principal,
  ): Promise<LiveRun> {
    const summary = await this.find(runId, principal)
    const agent = this.agentOfRun(summary)
    if (agent !== undefined && !mayUse(principal, agent.name)) throw notFound(`agent ${agent.name}`)
    if (agent?.fork === undefined) {
      throw new HttpProblem(409, 'cannot_fork', 'runs of this agent cannot be forked')
    }
    const others = otherModels(agent, models)
    checkForkModels(principal, agent, others, this.#options.forkModels)
    const as = this.#options.ids.next()
    const limited = {
      ...agent,
      // That an agent is free says nothing of other models.
      maxCost: agent.maxCost === 0 && others.length > 0 ? null : agent.maxCost,
      accepts: { ...agent.accepts, maxCost: false },
    }
    const forked = agent.fork.bind(agent, runId, {
      as,
      at,
      ...(act && { act }),
      ...(models && { models }),
    })
    return this.#launched(principal, { run: as, agent: limited }, async () =>
      this.#added({
        agent,
        run: await forked(),
        owner: ownerOf(summary) ?? principal.name,
        session: null,
        clientTools: this.live(runId, principal)?.clientTools ?? [],
      }),
    )
  }

  /**
   * Does what a person decided about work that waits in a conversation, as a turn of it.
   * @throws HttpProblem as `start`
   */
  async review(
    agent: ServedAgent,
    { session, ...review }: { readonly session: string } & ReviewDecision,
    principal: Principal,
  ): Promise<LiveRun> {
    const { reviews } = agent
    if (reviews === undefined) throw notFound(`reviews of the agent ${agent.name}`)
    return this.#launched(principal, { run: this.#options.ids.next(), agent }, async () =>
      this.#added({
        agent,
        run: await reviews.decide(session, review),
        owner: sessionIn(session)?.owner ?? principal.name,
        session,
        clientTools: [],
      }),
    )
  }

  /** The run in this process, at work or ended a while ago. */
  live(runId: string, principal: Principal): LiveRun | undefined {
    const live = this.#live.get(runId)
    const isTheirs = principal.isOperator === true || live?.owner === principal.name
    return live !== undefined && isTheirs ? live : undefined
  }

  /** @throws HttpProblem 404, also for another user's run */
  async find(runId: string, principal: Principal): Promise<RunSummary> {
    const summary = (await this.#options.store.runs.find(runId)) ?? (await this.#ordered(runId))
    if (summary === undefined || !mayTouch(principal, summary)) throw notFound(`run ${runId}`)
    return summary
  }

  /** The status of a run, wherever it is; `undefined` for an unknown one. */
  async statusOf(runId: string): Promise<RunSummary['status'] | undefined> {
    const { store } = this.#options
    return ((await store.runs.find(runId)) ?? (await this.#ordered(runId)))?.status
  }

  /** A run that no worker has begun, as far as its order tells. */
  async #ordered(runId: string): Promise<RunSummary | undefined> {
    const place = await this.#options.engine?.status(runId)
    return place && summaryOfOrder(place)
  }

  /** The user's runs, newest first. */
  async list(principal: Principal, filter: RunFilter = {}): Promise<readonly RunSummary[]> {
    const { name, isOperator = false } = principal
    const { runs } = this.#options.store
    const listed = await runs.list(isOperator ? filter : { ...filter, owner: name })
    // A store that cannot filter by user must still show no other's runs.
    return listed.filter((run) => mayTouch(principal, run))
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

  /** The same, in lists of the events that are there: many events at once cost less. */
  async *followAll(
    runId: string,
    principal: Principal,
    options: FollowOptions,
  ): AsyncGenerator<readonly LoggedEvent[], void> {
    this.#followers++
    try {
      const live = this.live(runId, principal)
      if (live === undefined) await this.find(runId, principal)
      yield* followedEvents(this.#options.store, { runId, live }, options)
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
    if (live !== undefined && live.state !== 'suspended') return live.outcome
    const summary = await this.find(runId, principal)
    if (summary.status !== 'finished' && summary.status !== 'canceled') return undefined
    const agent = this.agentOfRun(summary)
    if (agent?.endOf !== undefined) return agent.endOf(runId, summary.session)
    return (await agent?.resume?.(runId, summary.session))?.outcome
  }

  /** @returns false if it had ended already */
  async cancel(runId: string, principal: Principal): Promise<boolean> {
    const live = this.live(runId, principal)
    const { engine, store, spending } = this.#options
    if (live !== undefined && !live.log.isOver && live.agent.isElsewhere !== true) {
      live.cancel()
      return true
    }
    const summary = live === undefined ? await this.find(runId, principal) : undefined
    const isOrdered = summary === undefined || this.#isElsewhere(summary)
    if (engine !== undefined && isOrdered) return cancelOrdered(runId, { engine, store, spending })
    return store.runs.askToCancel(runId, 'user')
  }

  /** Cancels the turns of a stored conversation that no worker has begun. @returns how many there were */
  async dropOrders(session: string): Promise<number> {
    const { engine, store, spending } = this.#options
    return engine === undefined ? 0 : cancelTurns(session, { engine, store, spending })
  }

  /**
   * Answers a request of a run, wherever it is.
   * @throws HttpProblem 404; EchelonError UNKNOWN_REQUEST, INVALID_INPUT
   */
  async answer(
    runId: string,
    { request, reply }: { readonly request: string; readonly reply: Json },
    principal: Principal,
  ): Promise<void> {
    const live = this.live(runId, principal)
    const { engine, store } = this.#options
    if (live !== undefined && !live.log.isOver && live.agent.isElsewhere !== true) {
      return live.respond(request, reply)
    }
    const summary = await this.find(runId, principal)
    if (engine !== undefined && this.#isElsewhere(summary)) {
      return engine.answer(runId, { request, reply, by: principal.name })
    }
    await store.runs.reply(summary.id, request, reply, principal.name)
  }

  /** Accepts no more turns, and suspends the active ones: the next start of the server resumes them. */
  async stop(withinMs: number): Promise<void> {
    this.#work.stop()
    const working = [...this.#live.values()].filter(({ log }) => !log.isOver)
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

  #isElsewhere(run: RunSummary): boolean {
    return this.agentOfRun(run)?.isElsewhere === true
  }

  /** Starts a run within the limits of its user, whose money is held before. */
  async #launched(
    principal: Principal,
    launch: Launch,
    begin: (hold: Hold) => Promise<LiveRun>,
  ): Promise<LiveRun> {
    this.#work.admit(principal, launch.agent)
    this.#work.count(principal.name, 1)
    let hold: Hold | undefined
    try {
      hold = await this.#holdFor(principal, launch)
      const live = await begin(hold)
      this.#close(live, principal.name, hold)
      return live
    } catch (error) {
      this.#work.count(principal.name, -1)
      // The process that took the money still counts on the run: it may be tried again.
      const mayBegin = launch.held !== undefined || error instanceof UnknownOrder
      if (!mayBegin) await hold?.settle(0)
      throw error
    }
  }

  #added(parts: Omit<LiveRunParts, 'now' | 'hear'>): LiveRun {
    const { clock, store } = this.#options
    const live = new LiveRun({
      ...parts,
      now: () => clock.now(),
      // The process that performs a run stores its events.
      hear: parts.agent.isElsewhere === true ? () => undefined : store.events.listener.hear,
    })
    this.#live.set(live.id, live)
    return live
  }

  #close(live: LiveRun, owner: string, hold: Hold): void {
    const closed = this.#afterwards(live, owner, hold).finally(() => this.#closing.delete(closed))
    this.#closing.add(closed)
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
      this.#work.count(owner, -1)
      this.#options.onEnd?.(live, end)
      this.#ended.push(live.id)
      if (this.#ended.length > ENDED_KEPT) this.#forget(this.#ended.shift())
    }
  }

  #forget(runId: string | undefined): void {
    // A run that was resumed meanwhile stays.
    if (runId !== undefined && this.#live.get(runId)?.log.isOver === true) this.#live.delete(runId)
  }

  /** The agent that a run was started with here, or else the first one whose runs have the name. */
  agentOfRun(run: RunSummary): ServedAgent | undefined {
    const served = this.#agents.get(servedAs(run) ?? '')
    if (served?.definition === run.agent) return served
    return [...this.#agents.values()].find(({ definition }) => definition === run.agent)
  }
}
