import type { Ids } from 'echelon/runtime'
import { mayUse, type Principal, sessionIn, storedSession } from '../access/principal.ts'
import type { Hold, Spending } from '../access/spending.ts'
import type { ForkTurn, ReviewDecision, ServedAgent, TurnInput } from '../agents/served-agent.ts'
import { UnknownOrder } from '../engine/send-order.ts'
import { HttpProblem, notFound } from '../http/problem.ts'
import { checkForkModels, otherModels } from './fork-models.ts'
import type { LiveRun } from './live-run.ts'
import type { LiveRuns } from './live-runs.ts'
import { madeBy, ownerOf } from './owner.ts'
import type { RunFinder } from './run-finder.ts'
import type { ServedAgents } from './served-agents.ts'

export interface RunLauncherParts {
  readonly agents: ServedAgents
  readonly live: LiveRuns
  readonly finder: RunFinder
  readonly spending: Spending
  readonly ids: Ids
  /** Models that forks of every user may use besides those of their agent, as `provider/model`. Default none. */
  readonly forkModels?: readonly string[] | undefined
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

/** The run to start. */
interface Launch {
  readonly run: string
  readonly agent: ServedAgent
  readonly held?: StartOptions['held']
}

/** Starts runs within the limits of their users: turns, forks and reviews. */
export class RunLauncher {
  readonly #parts: RunLauncherParts

  constructor(parts: RunLauncherParts) {
    this.#parts = parts
  }

  /**
   * Starts a turn.
   * @throws HttpProblem 429 when the server or the user is at a limit, 503 while the server stops, and the
   * errors of the agent
   */
  async start(agent: ServedAgent, input: TurnInput, options: StartOptions): Promise<LiveRun> {
    const { principal, session, runId, held, traceparent, tracestate } = options
    const id = runId ?? this.#parts.ids.next()
    const stored =
      session === undefined ? options.storedSession : storedSession(principal, agent.name, session)
    return this.#launched(principal, { run: id, agent, held }, async ({ maxCost }) =>
      this.#parts.live.add({
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

  /**
   * Starts a run from a step of another one. Only its agent limits its cost, so for a user with a budget the
   * most that it may cost is held, or it is refused. The steps before the fork were paid by the other run.
   * @throws HttpProblem as `start`; 403 for a model that the user may not use, 404 for another user's run, 409 for
   * an agent whose runs can't be forked
   */
  async fork(
    runId: string,
    { at, act, models }: Omit<ForkTurn, 'as'>,
    principal: Principal,
  ): Promise<LiveRun> {
    const { agents, finder, ids, live, forkModels } = this.#parts
    const summary = await finder.find(runId, principal)
    const agent = agents.ofRun(summary)
    if (agent !== undefined && !mayUse(principal, agent.name)) throw notFound(`agent ${agent.name}`)
    if (agent?.fork === undefined) {
      throw new HttpProblem(409, 'cannot_fork', 'runs of this agent cannot be forked')
    }
    const others = otherModels(agent, models)
    checkForkModels(principal, agent, others, forkModels)
    const as = ids.next()
    const limited = {
      ...agent,
      // A free agent's other models may cost something.
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
      live.add({
        agent,
        run: await forked(),
        owner: ownerOf(summary) ?? principal.name,
        session: null,
        clientTools: live.of(runId, principal)?.clientTools ?? [],
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
    return this.#launched(principal, { run: this.#parts.ids.next(), agent }, async () =>
      this.#parts.live.add({
        agent,
        run: await reviews.decide(session, review),
        owner: sessionIn(session)?.owner ?? principal.name,
        session,
        clientTools: [],
      }),
    )
  }

  /** Starts a run within the limits of its user, whose money is held before. */
  async #launched(
    principal: Principal,
    launch: Launch,
    begin: (hold: Hold) => Promise<LiveRun>,
  ): Promise<LiveRun> {
    const { live } = this.#parts
    live.work.admit(principal, launch.agent)
    live.work.count(principal.name, 1)
    let hold: Hold | undefined
    try {
      hold = await this.#holdFor(principal, launch)
      const begun = await begin(hold)
      live.closeAtEnd(begun, principal.name, hold)
      return begun
    } catch (error) {
      live.work.count(principal.name, -1)
      // The process that took the money still counts on the run: it may be tried again.
      const mayBegin = launch.held !== undefined || error instanceof UnknownOrder
      if (!mayBegin) await hold?.settle(0)
      throw error
    }
  }

  async #holdFor(principal: Principal, { run, agent, held }: Launch): Promise<Hold> {
    const { spending } = this.#parts
    if (held === undefined) return spending.hold(principal, { run, agent })
    // Nothing is taken for a run without a limit.
    if (held.maxCost === null) return { maxCost: null, settle: () => Promise.resolve() }
    const taken = await spending.taken(principal.name, run, held.at)
    return { maxCost: held.maxCost, settle: (cost) => taken.settle(cost) }
  }
}
